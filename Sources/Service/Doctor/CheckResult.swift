internal import Glibc
package import JSON
internal import Mirror
internal import Platform

/// The result of one check of the ``Doctor``: a line of `apod-mirror doctor`.
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

extension CheckResult.Outcome {
    /// The problem of an error that ends a check.
    init(problem error: any Error) {
        switch error {
        case let error as SystemError: self.init(problem: error)
        case TreeError.system(let error): self.init(problem: error)
        case let error as TreeError:
            self.init(problemWithAdvice: "\(error)", otherwise: "choose another --root")
        case let obstacle as Obstacle: self.init(problemWithAdvice: obstacle.text, otherwise: "")
        default: self = .problem("\(error)", remedy: "check the disk, or choose another --root")
        }
    }

    /// The problem of a text that is mostly “what is wrong; what to do”.
    ///
    /// `consequence` follows what is wrong; `remedy` is for a text that does not say what to do.
    init(problemWithAdvice text: String, consequence: String = "", otherwise remedy: String) {
        let parts = text.split(separator: "; ", maxSplits: 1).map(String.init)
        self = .problem(parts[0] + consequence, remedy: parts.count > 1 ? parts[1] : remedy)
    }

    private init(problem error: SystemError) {
        let remedy =
            if error.code == ENOSPC {
                "free disk space, or delete small files if “df -i” shows no free inodes"
            } else if error.cause == .denied, !error.isReadOnly {
                "give this user permission there"
            } else {
                error.remedy ?? "check the disk"
            }
        // Whatever is wrong with this disk, the mirror can be on another one.
        self = .problem("\(error)", remedy: "\(remedy), or choose another --root")
    }
}
