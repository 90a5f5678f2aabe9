import Glibc
import Platform

/// A second process of this program, in another role, connected by a socket.
///
/// It ends when it is released.
struct HelperProcess: ~Copyable {
    private let process: pid_t
    private let line: FileDescriptor

    /// Starts the process.
    ///
    /// - Parameter words: The arguments of the new process: its role and their parameters.
    /// - Throws: `SystemError` if the process cannot be started.
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

    /// Writes an empty line to its standard input.
    func request() throws(SystemError) {
        try line.write([UInt8(ascii: "\n")], path: "the line")
    }

    /// The next line of its standard output.
    func response() throws(SystemError) -> String {
        var response: [UInt8] = []
        while response.last != UInt8(ascii: "\n") {
            var byte: UInt8 = 0
            let count = try retryingInterrupts("read", path: "the line") {
                unsafe read(line.rawValue, &byte, 1)
            }
            guard count == 1 else { throw SystemError("read", path: "the line", code: EPIPE) }
            response.append(byte)
        }
        return String(decoding: response.dropLast(), as: UTF8.self)
    }
}
