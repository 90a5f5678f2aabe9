/// How a program ended, and all that it wrote.
package struct Ending: Sendable, CustomStringConvertible {
    /// `nil` where a signal ended it.
    package let code: Int32?
    package let signal: Int32?
    package let output: String
    package let errors: String
    /// The most bytes that were in memory at once.
    package let peakMemory: Int

    /// - Parameters:
    ///   - status: As waitpid(2) gives it.
    ///   - output: Of standard output, all.
    ///   - errors: Of standard error, all.
    ///   - peakMemory: See getrusage(2).
    package init(status: Int32, output: String, errors: String, peakMemory: Int = 0) {
        let signal = status & 0x7f
        self.signal = signal == 0 ? nil : signal
        code = signal == 0 ? status >> 8 & 0xff : nil
        self.output = output
        self.errors = errors
        self.peakMemory = peakMemory
    }

    /// The lines of errors that are the program's last word to a person.
    package var sentences: [String] {
        errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("apod-mirror: ") }
    }

    package var description: String {
        let end = code.map { "exit code \($0)" } ?? "signal \(signal ?? 0)"
        return "\(end), output “\(output)”, errors “\(errors)”"
    }
}
