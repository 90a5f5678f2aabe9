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

    /// - Parameters:
    ///   - status: The status of waitpid(2).
    ///   - output: The standard output.
    ///   - errors: The standard error.
    ///   - peakMemory: See getrusage(2).
    package init(status: Int32, output: String, errors: String, peakMemory: Int = 0) {
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

    /// The output as JSON.
    package var json: JSON {
        get throws { try JSON(parsing: Array(output.utf8)) }
    }

    package var description: String {
        let end = code.map { "exit code \($0)" } ?? "signal \(signal ?? 0)"
        return "\(end), output “\(output)”, errors “\(errors)”"
    }
}
