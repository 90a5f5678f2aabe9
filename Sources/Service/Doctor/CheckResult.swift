internal import Glibc
package import JSON
internal import Mirror
internal import Platform

/// The result of one check of the ``Doctor``.
package struct CheckResult: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable {
        case ok
        /// The mirror works, but the user should know this.
        case note
        /// The mirror does not work properly.
        case problem
    }

    /// What a check found, and what to do about it.
    enum Outcome {
        case ok(String)
        case note(String, remedy: String)
        case problem(String, remedy: String)

        /// The problem of an obstacle, whose text is “what; what to do”.
        static func problem(_ obstacle: Obstacle) -> Outcome {
            let separator = "; "
            let remedy = obstacle.text.dropFirst(obstacle.summary.count + separator.count)
            return .problem(obstacle.summary, remedy: String(remedy))
        }

        /// The problem of a mirror that cannot be opened; most texts are “what; what to do”.
        static func problem(_ error: TreeError) -> Outcome {
            if case .system(let error) = error { return .problem(error) }
            let parts = "\(error)".split(separator: "; ", maxSplits: 1).map(String.init)
            return .problem(parts[0], remedy: parts.count > 1 ? parts[1] : "choose another --root")
        }

        /// The problem of an error that a check does not expect.
        static func problem(_ error: SystemError) -> Outcome {
            let remedy =
                if error.code == ENOSPC {
                    "free disk space, or delete small files if “df -i” shows no free inodes"
                } else if error.cause == .denied, !error.isReadOnly {
                    "give this user permission there"
                } else {
                    error.remedy ?? "check the disk"
                }
            return .problem("\(error)", remedy: "\(remedy), or choose another --root")
        }
    }

    /// The name of the check, one word that never changes.
    package let name: String
    package let severity: Severity
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
