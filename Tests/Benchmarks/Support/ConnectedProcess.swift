import Glibc
import Platform
import TestSupport

/// A second process that is read line by line; it ends with the last reference.
final class ConnectedProcess {
    let process: pid_t
    private let line: FileDescriptor
    private var unread: [UInt8] = []

    /// Starts a program with its arguments; its errors are among its lines only if `readsErrors`.
    init(_ words: [String], readsErrors: Bool) throws(SystemError) {
        var ends: [CInt] = [0, 0]
        try retryingInterrupts("socketpair", path: words[0]) {
            unsafe socketpair(
                AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
        }
        line = FileDescriptor(owning: ends[0])
        let other = FileDescriptor(owning: ends[1])
        process = try spawn(
            words, environment: [],
            (
                input: other.rawValue, output: other.rawValue,
                error: readsErrors ? other.rawValue : 2
            ))
    }

    /// Starts this program in another role.
    convenience init(role: String, _ path: String) throws(SystemError) {
        try self.init(["/proc/self/exe", role, path], readsErrors: false)
    }

    deinit {
        kill(process, SIGTERM)
        waitpid(process, nil, 0)
    }

    /// Blocks until the program has written a line with `text` in it.
    func wait(for text: String) throws(SystemError) {
        while try !response().contains(text) {}
    }

    /// The next line of its output.
    func response() throws(SystemError) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let count = try retryingInterrupts("read", path: "the line") {
                unsafe read(line.rawValue, &buffer, buffer.count)
            }
            guard count > 0 else { throw SystemError("read", path: "the line", code: EPIPE) }
            unread += buffer[..<count]
        }
    }

    /// The numbers of the next line of its output.
    func figures(_ count: Int) throws -> [Double] {
        let response = try response()
        let figures = response.split(separator: " ").compactMap { Double($0) }
        guard figures.count == count else {
            throw Failure("the helper printed \(response)", log: "/dev/null")
        }
        return figures
    }
}
