package import JSON

/// The exit status and the output of a program.
package struct Ending: Sendable, CustomStringConvertible {
    /// `nil` if a signal ended it.
    package let code: Int32?
    package let signal: Int32?
    package let output: String
    package let errors: String
    /// The peak resident memory in bytes.
    package let peakMemory: Int
    private let command: [String]

    /// - Parameters:
    ///   - command: The words that started it.
    ///   - status: The status of waitpid(2).
    ///   - output: The standard output.
    ///   - errors: The standard error.
    ///   - peakMemory: See getrusage(2).
    package init(
        of command: [String], status: Int32, output: String, errors: String, peakMemory: Int
    ) {
        self.command = command
        let signal = status & 0x7f
        self.signal = signal == 0 ? nil : signal
        code = signal == 0 ? status >> 8 & 0xff : nil
        self.output = output
        self.errors = errors
        self.peakMemory = peakMemory
    }

    /// The final error messages.
    package var sentences: [String] {
        errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("apod-mirror: ") }
    }

    /// The output as JSON; that of `--json` must fit its schema, in which each key is named.
    ///
    /// `show` prints a record as it is, which may be one that a person has changed.
    package var json: JSON {
        get throws {
            let json = try JSON(parsing: Array(output.utf8))
            guard let start = command.firstIndex(of: Program.path), command.contains("--json"),
                let name = command.dropFirst(start + 1).first, name != "show"
            else { return json }
            let violations = try JSONSchema(named: name).violations(of: json, isClosed: true)
            guard violations.isEmpty else { throw Misshapen(violations: violations) }
            return json
        }
    }

    /// An output that breaks its schema.
    private struct Misshapen: Error { let violations: [String] }

    package var description: String {
        let end = code.map { "exit code \($0)" } ?? "signal \(signal ?? 0)"
        return "\(end), output “\(output)”, errors “\(errors)”"
    }
}
