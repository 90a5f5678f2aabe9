package import JSON

/// The result of one check of the doctor.
package struct CheckResult: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        case ok
        /// Worth knowing; the mirror works.
        case note
        /// The mirror does not work properly.
        case problem
    }

    /// What a check found, and what to do about it.
    enum Outcome {
        case ok(String)
        case note(String, remedy: String)
        case problem(String, remedy: String)
    }

    /// The stable name of the check, one word.
    package let name: String
    package let severity: Severity
    /// What it found.
    package let message: String
    /// What to do; `nil` for ``Severity/ok``.
    package let remedy: String?

    init(_ name: String, _ outcome: Outcome) {
        self.name = name
        (severity, message, remedy) =
            switch outcome {
            case .ok(let message): (.ok, message, nil)
            case .note(let message, let remedy): (.note, message, remedy)
            case .problem(let message, let remedy): (.problem, message, remedy)
            }
    }

    package var json: JSON {
        [
            "name": .string(name), "result": .string(severity.rawValue),
            "message": .string(message), "remedy": remedy.map(JSON.string) ?? .null,
        ]
    }
}
