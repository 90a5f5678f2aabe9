internal import CLinux
internal import Glibc

/// A child process that exchanges messages with this one by a socket: the program that makes thumbnails.
///
/// The standard input of the child is its end of the socket. It inherits no other descriptor, and no environment variables. It
/// is killed when this value is released. If this process ends before that, the child reads the end of its socket, and the
/// kernel kills it, for which the child has asked, see PR_SET_PDEATHSIG in prctl(2).
package struct ChildProcess: ~Copyable, Sendable {
    /// How a child has ended.
    package enum Ending: Hashable, Sendable, CustomStringConvertible {
        case exit(code: Int32)
        case signal(Int32)

        package var description: String {
            switch self {
            case .exit(let code): "exit code \(code)"
            case .signal(let number): "signal \(number)"
            }
        }

        /// Decodes a status of wait(2): the low seven bits are the signal, the next byte is the code.
        init(status: Int32) {
            self = status & 0x7f == 0 ? .exit(code: status >> 8 & 0xff) : .signal(status & 0x7f)
        }
    }

    private let path: String
    private let socket: FileDescriptor
    /// The ID of the child; `nil` after its end.
    private var processID: pid_t?

    /// Starts the program at `path`.
    package init(_ path: String, _ arguments: [String]) async throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        try retryingInterrupts("socketpair", path: path) {
            unsafe socketpair(AF_UNIX, kind, 0, &ends)
        }
        let ownEnd = FileDescriptor(owning: ends[0])
        let childEnd = FileDescriptor(owning: ends[1])
        let streams = ChildStreams(input: childEnd.rawValue)
        processID = try await spawn(
            path, arguments, environment: [:], streams: streams, ownGroup: true)
        // The child has a copy now. The original stays open until here, and is closed at the end of this initializer.
        withExtendedLifetime(childEnd) {}
        self.socket = ownEnd
        self.path = path
    }

    deinit { if let processID { _ = Self.end(processID) } }

    /// Kills the child, unless it has ended, and waits for its end.
    ///
    /// - Returns: How it has ended; `nil` in a second call.
    package mutating func end() -> Ending? {
        defer { processID = nil }
        return processID.flatMap(Self.end)
    }

    /// Kills a child, and waits for its end.
    private static func end(_ processID: pid_t) -> Ending? {
        kill(processID, SIGKILL)
        return reap(processID)
    }

    /// Lets the kernel send the child `SIGXCPU` after it has used `seconds` more of processor time.
    package func limitProcessor(seconds: Int) throws(SystemError) {
        guard let processID else { throw SystemError("prlimit", path: path, code: ESRCH) }
        try retryingInterrupts("prlimit", path: path) {
            clinux_limit_processor(processID, UInt(seconds))
        }
    }

    /// Sends a message with two open files, of which the child gets descriptors of its own, in this order.
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

    /// What came from the child, or why nothing came.
    package enum Reply: Hashable, Sendable {
        case message([UInt8])
        /// The message was longer than the limit, and is lost.
        case tooLong
        /// The child has ended, or has closed its socket, or the socket has failed.
        case ended
        /// No message came before the deadline.
        case late
    }

    /// Waits for a message of at most `limit` bytes.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; there is no other error.
    package func reply(
        limit: Int, by deadline: ContinuousClock.Instant
    ) async throws -> Reply {
        try await CancellableContinuation().wait(onReadable: socket.rawValue, by: deadline)
        var bytes = [UInt8](repeating: 0, count: limit)
        // With MSG_TRUNC, the result is the length of the message, even if it does not fit.
        let flags = CInt(MSG_DONTWAIT | MSG_TRUNC)
        let count = unsafe recv(socket.rawValue, &bytes, bytes.count, flags)
        if count < 0, errno == EAGAIN { return .late }
        if count > limit { return .tooLong }
        return count > 0 ? .message(Array(bytes[..<count])) : .ended
    }
}
