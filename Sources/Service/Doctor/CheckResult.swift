package import JSON
internal import Mirror

/// What one check of the doctor found.
package struct CheckResult: Hashable, Sendable {
    package enum Result: String, Hashable, Sendable {
        case ok
        /// Nothing that keeps the mirror from its work, but good to know.
        case note
        /// Something that does.
        case problem
    }

    /// What was checked, in one word that stays the same.
    package let name: String
    package let result: Result
    /// What was found, in half a sentence.
    package let message: String
    /// What to do about it, `nil` where there is nothing to do.
    package let remedy: String?

    package static func ok(_ name: String, _ message: String) -> CheckResult {
        CheckResult(name: name, result: .ok, message: message, remedy: nil)
    }

    package static func note(_ name: String, _ message: String, _ remedy: String?) -> CheckResult {
        CheckResult(name: name, result: .note, message: message, remedy: remedy)
    }

    package static func problem(_ name: String, _ message: String, _ remedy: String) -> CheckResult
    {
        CheckResult(name: name, result: .problem, message: message, remedy: remedy)
    }

    package var json: JSON {
        [
            "name": .string(name), "result": .string(result.rawValue),
            "message": .string(message), "remedy": remedy.map(JSON.string) ?? .null,
        ]
    }
}
