import Glibc
import Platform

/// A concurrent program that is read line by line; it ends with the last reference.
final class Daemon {
    let process: pid_t
    private let line: FileDescriptor
    private var unread: [UInt8] = []

    /// Starts a program with its arguments.
    init(_ words: [String]) throws {
        var ends: [CInt] = [0, 0]
        try retryingInterrupts("socketpair", path: "a program") {
            unsafe socketpair(
                AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        }
        line = FileDescriptor(owning: ends[0])
        let other = FileDescriptor(owning: ends[1])
        let input = try FileDescriptor(opening: "/dev/null", O_RDONLY)
        process = try spawn(
            words[0], Array(words.dropFirst()),
            (input: input.rawValue, output: other.rawValue, error: other.rawValue))
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// Blocks until the program has written a line with `text` in it.
    func wait(for text: String) throws {
        while try !nextLine().contains(text) {}
    }

    /// Blocks until the program has written a line.
    func nextLine() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let count = try retryingInterrupts("read", path: "a program") {
                unsafe read(line.rawValue, &buffer, buffer.count)
            }
            guard count > 0 else { throw SystemError("read", path: "a program", code: EPIPE) }
            unread += buffer[..<count]
        }
    }
}
