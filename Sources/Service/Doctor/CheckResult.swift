package import JSON
internal import Mirror

/// The result of one check of the doctor.
package struct CheckResult: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        case ok
        /// Worth knowing; the mirror works.
        case note
        /// The mirror does not work properly.
        case problem
    }

    /// The stable name of the check, one word.
    package let name: String
    package let severity: Severity
    /// The finding.
    package let message: String
    /// What to do; `nil` for ``Severity/ok``.
    package let remedy: String?

    package static func ok(_ name: String, _ message: String) -> CheckResult {
        CheckResult(name: name, severity: .ok, message: message, remedy: nil)
    }

    package static func note(_ name: String, _ message: String, _ remedy: String) -> CheckResult {
        CheckResult(name: name, severity: .note, message: message, remedy: remedy)
    }

    package static func problem(_ name: String, _ message: String, _ remedy: String) -> CheckResult
    {
        CheckResult(name: name, severity: .problem, message: message, remedy: remedy)
    }

    package var json: JSON {
        [
            "name": .string(name), "result": .string(severity.rawValue),
            "message": .string(message), "remedy": remedy.map(JSON.string) ?? .null,
        ]
    }
}
