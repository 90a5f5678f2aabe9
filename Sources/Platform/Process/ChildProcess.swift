internal import CLinux
internal import Glibc

/// A child process that exchanges messages with this one.
///
/// The child has an empty environment and one end of a socket as its standard input; it inherits no other
/// descriptor. It is killed when this value is released.
package struct ChildProcess: ~Copyable, Sendable {
    package enum Ending: Hashable, Sendable {
        case exit(code: Int32)
        case signal(Int32)

        /// Decodes a status of wait(2): the low seven bits are the signal, the next byte is the code.
        init(status: Int32) {
            self = status & 0x7f == 0 ? .exit(code: status >> 8 & 0xff) : .signal(status & 0x7f)
        }
    }

    private let path: String
    private let socket: FileDescriptor
    /// The ID of the child; 0 after its end.
    private var process: Int32

    /// Starts the program at `path`.
    ///
    /// - Throws: ``SystemError`` if the program cannot be started.
    package init(_ path: String, _ arguments: [String]) async throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try retryingInterrupts("socketpair", path: path) {
            unsafe socketpair(AF_UNIX, kind, 0, &ends)
        }
        let ours = FileDescriptor(owning: ends[0])
        let theirs = FileDescriptor(owning: ends[1])
        let socket = theirs.rawValue
        process = try await spawn(path, arguments, [:], streams: [socket, -1, -1], ownGroup: true)
        withExtendedLifetime(theirs) {}
        self.socket = ours
        self.path = path
    }

    deinit { _ = Self.end(process) }

    /// Kills the child, unless it has ended, and waits for its end.
    package mutating func end() -> Ending {
        defer { process = 0 }
        return Self.end(process)
    }

    private static func end(_ process: pid_t) -> Ending {
        guard process > 0 else { return .exit(code: 0) }
        kill(process, SIGKILL)
        return reap(process) ?? .exit(code: 0)
    }

    /// Lets the child get `SIGXCPU` after `seconds` of processor time from now on.
    package func limitProcessor(seconds: Int) throws(SystemError) {
        try retryingInterrupts("prlimit", path: path) {
            clinux_limit_processor(process, UInt(seconds))
        }
    }

    /// Sends a message with two files, which the child receives as descriptors of its own.
    ///
    /// - Throws: ``SystemError``; `EPIPE` if the child has ended.
    package func send(
        _ message: [UInt8], _ first: borrowing FileDescriptor, _ second: borrowing FileDescriptor
    ) throws(SystemError) {
        let files = [first.rawValue, second.rawValue]
        try retryingInterrupts("sendmsg", path: path) {
            unsafe clinux_send(socket.rawValue, message, message.count, files)
        }
    }

    package enum Reply: Hashable, Sendable {
        case message([UInt8])
        /// The child has ended or closed its socket.
        case ended
        case late
    }

    /// Waits for a message of at most `limit` bytes.
    package func reply(
        limit: Int, by deadline: ContinuousClock.Instant
    ) async throws(CancellationError) -> Reply {
        try await EventLoop.shared.wait(toRead: socket.rawValue, until: deadline)
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe recv(
            socket.rawValue, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        if count > 0 { return .message(Array(bytes[..<count])) }
        return count < 0 && [EAGAIN, EINTR].contains(errno) ? .late : .ended
    }
}

/// Waits for the end of a child; with `WNOHANG`, returns `nil` if it still runs.
func reap(_ process: pid_t, _ options: CInt = 0) -> ChildProcess.Ending? {
    var status: CInt = 0
    let result = try? retryingInterrupts("waitpid", path: "\(process)") {
        unsafe waitpid(process, &status, options)
    }
    return result == process ? ChildProcess.Ending(status: status) : nil
}

/// Starts a child process, which gets SIGTERM when this process ends.
///
/// The arguments are without the name of the program. The child has the variables of this process if
/// `environment` is `nil`. `streams` become its standard input, output and error, -1 is /dev/null; all other
/// files are closed. `ownGroup` puts it in a process group of its own.
///
/// - Returns: The ID of the child.
/// - Throws: ``SystemError`` if it does not start.
func spawn(
    _ path: String, _ arguments: [String], _ environment: [String: String]?, streams: [CInt],
    ownGroup: Bool
) async throws(SystemError) -> pid_t {
    // The thread that starts the child must live as long as this process: see PR_SET_PDEATHSIG in prctl(2).
    let result: Result<pid_t, SystemError> = await EventLoop.shared.run {
        let words = unsafe cStrings([path] + arguments)
        let variables = unsafe environment.map { unsafe cStrings($0.map { "\($0)=\($1)" }) }
        defer { unsafe (words + (variables ?? [])).forEach { unsafe free($0) } }
        var process = pid_t()
        let code =
            if let variables = unsafe variables {
                unsafe clinux_spawn(&process, path, words, variables, streams, ownGroup ? 1 : 0)
            } else {
                unsafe clinux_spawn(&process, path, words, environ, streams, ownGroup ? 1 : 0)
            }
        guard code == 0 else { return .failure(SystemError("spawn", path: path, code: errno)) }
        return .success(process)
    }
    return try result.get()
}

/// Copies of `texts` for the caller to free, and a null pointer.
private func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
}
