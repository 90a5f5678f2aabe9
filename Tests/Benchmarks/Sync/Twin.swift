import Glibc
import Platform

/// This program once more, in another role, and a line to talk to it.
///
/// It ends when it is let go of.
struct Twin: ~Copyable {
    private let process: pid_t
    private let line: FileDescriptor

    /// Starts the other process.
    ///
    /// - Parameter words: The arguments of the new process, which say what its role is.
    /// - Throws: `SystemError` where there is no room for another process.
    init(_ words: [String]) throws(SystemError) {
        var ends: [CInt] = [0, 0]
        try retryingInterrupts("socketpair", path: words[0]) {
            unsafe socketpair(
                AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        }
        let line = FileDescriptor(owning: ends[0])
        let other = FileDescriptor(owning: ends[1])
        process = try spawn(
            "/proc/self/exe", words, (input: other.rawValue, output: other.rawValue, error: 2))
        self.line = line
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// Writes an empty line to the other's standard input.
    func ask() throws(SystemError) {
        try line.write([UInt8(ascii: "\n")], path: "the line")
    }

    /// The next line of the other's standard output.
    func answer() throws(SystemError) -> String {
        var answer: [UInt8] = []
        while answer.last != UInt8(ascii: "\n") {
            var byte: UInt8 = 0
            let count = try retryingInterrupts("read", path: "the line") {
                unsafe read(line.rawValue, &byte, 1)
            }
            guard count == 1 else { throw SystemError("read", path: "the line", code: EPIPE) }
            answer.append(byte)
        }
        return String(decoding: answer.dropLast(), as: UTF8.self)
    }
}
