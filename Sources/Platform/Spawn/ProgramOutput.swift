internal import Glibc

/// What an ``ExternalProgram`` prints into a pipe: its first bytes are kept, and the others are read and dropped.
final class ProgramOutput: Sendable {
    /// The end of the pipe that is read; reading it does not block.
    private let pipe: FileDescriptor
    /// How many bytes are kept.
    private let limit: Int
    /// The first bytes that were read, at most ``limit``.
    private let kept = SharedValue<[UInt8]>([])

    init(from pipe: consuming FileDescriptor, limit: Int) {
        self.pipe = pipe
        self.limit = limit
    }

    /// The first bytes, as far as they were read.
    var beginning: [UInt8] { kept.withLock(\.self) }

    /// Reads whenever the program has printed something, until the registration is cancelled.
    ///
    /// The pipe must not be closed at its other end, because it could then be read for ever.
    func startReading() -> EventLoop.Registration {
        // The loop may call this once more after the end of the registration. The closure keeps the pipe open until then.
        EventLoop.shared.onReadable(pipe.rawValue) { _ = self.read() }
    }

    /// Reads what is in the pipe, at most 64 KiB.
    ///
    /// - Returns: The number of bytes; 0 if the pipe is closed at its other end; -1 if it is empty.
    @discardableResult
    func read() -> Int {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe Glibc.read(pipe.rawValue, &buffer, buffer.count)
        kept.withLock { $0 += buffer.prefix(max(0, min(count, limit - $0.count))) }
        return count
    }

    /// Reads until the pipe is closed at its other end, because a program that prints without a reader is killed by SIGPIPE.
    func readToEnd() async throws {
        while read() != 0 {
            try await CancellableContinuation().wait(onReadable: pipe.rawValue)
        }
    }
}
