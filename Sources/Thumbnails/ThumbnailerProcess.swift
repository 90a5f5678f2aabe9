internal import Glibc
internal import Mirror
internal import Platform
internal import ThumbnailProtocol

/// Runs apod-mirror-thumbnailer, which makes many thumbnails, one after the other.
///
/// The process starts with the first picture. It is killed after a cancellation, a timeout or an invalid response, and when
/// this value is released.
struct ThumbnailerProcess: ~Copyable, Sendable {
    private let program: String
    private let limits: ThumbnailerLimits
    private let timeout: Duration
    /// `nil` while no process runs; releasing it kills the process.
    private var child: ChildProcess?

    /// The maximum time until the process is ready: on a busy machine, a start takes seconds.
    private static let startTimeout = Duration.seconds(30)

    /// `timeout` is the maximum time of each of two attempts at a picture; the machine may be suspended during one of them.
    init(program: String, limits: ThumbnailerLimits, timeout: Duration) {
        self.program = program
        self.limits = limits
        self.timeout = timeout
    }

    /// Makes and checks a JPEG of the open file `picture`, with a longer side of at most `side` pixels.
    ///
    /// After a crash, a timeout or an invalid response, which are all `.crashed`, another process tries once more.
    mutating func makeJPEG(
        of picture: borrowing FileDescriptor, sha256: String,
        side: Int = ThumbnailRequest.thumbnailSide
    ) async throws(ThumbnailFailure) -> [UInt8] {
        do {
            return try await attempt(picture, sha256: sha256, side: side)
        } catch .crashed {
            // This picture may not be the cause: an earlier one may have damaged the process, or the kernel needed memory.
            return try await attempt(picture, sha256: sha256, side: side)
        }
    }

    /// Sends a request and waits for the response; if that is not valid, kills the process.
    private mutating func attempt(
        _ picture: borrowing FileDescriptor, sha256: String, side: Int
    ) async throws(ThumbnailFailure) -> [UInt8] {
        try await start()
        let request = ThumbnailRequest(side: side, stamp: ThumbnailFile.stamp(of: sha256))
        let thumbnail: FileDescriptor
        do throws(SystemError) {
            thumbnail = try FileDescriptor(inMemory: "thumbnail")
        } catch {
            throw .system(error)
        }
        do throws(SystemError) {
            try child?.limitProcessor(seconds: limits.processorSeconds)
            try child?.send(request.message, picture, thumbnail)
        } catch {
            // The process ended while it was idle: the way in which it ended says more than this error.
            throw .crashed(reason: killAndDescribeEnd())
        }
        switch try await reply(within: timeout) {
        case .message(let message):
            switch ThumbnailResponse(message: message) {
            case .rejected(let reason): throw .rejected(reason: reason)
            case .failed(let reason): throw .notDecoded(reason: reason)
            case .done:
                if let bytes = validJPEG(in: thumbnail, of: sha256) { return bytes }
                throw kill(because: "the output is not a valid thumbnail")
            case nil: throw kill(because: "invalid response")
            }
        case .tooLong: throw kill(because: "the response is too long")
        case .ended: throw .crashed(reason: killAndDescribeEnd())
        case .late: throw kill(because: "no response within \(timeout.components.seconds) s")
        }
    }

    /// The contents of `file`; `nil` if they are no thumbnail of this picture, or cannot be read.
    ///
    /// They are copied before they are checked, because the process could still change the file.
    private func validJPEG(in file: borrowing FileDescriptor, of sha256: String) -> [UInt8]? {
        let size = (try? file.status(path: "thumbnail"))?.size
        // mutation test: thumbnail-size (see Tests/Mutants)
        guard let size, size <= limits.outputSize,
            let bytes = try? file.readStart(limit: size, path: "thumbnail"),
            ThumbnailFile.isThumbnail(bytes, of: sha256)
        else { return nil }
        return bytes
    }

    /// Kills the process, which does not work as it must, and returns the failure to throw.
    private mutating func kill(because problem: String) -> ThumbnailFailure {
        child = nil
        return .crashed(reason: problem)
    }

    /// Starts the process, unless it runs, and waits until it is ready.
    private mutating func start() async throws(ThumbnailFailure) {
        guard child == nil else { return }
        do throws(SystemError) {
            child = try await ChildProcess(program, limits.arguments)
        } catch {
            throw .unavailable(reason: "\(error)")
        }
        let problem: String
        switch try await reply(within: Self.startTimeout) {
        case .message(let message):
            switch ThumbnailResponse(message: message) {
            case .done: return
            case .failed(let reason): problem = reason
            case .rejected, nil:
                problem = "its version is another one; restart apod-mirror, or reinstall it"
            }
        case .tooLong: problem = "its first message is too long; reinstall apod-mirror"
        case .ended:
            problem = "\(killAndDescribeEnd()); reinstall apod-mirror, or use “--thumbnails no”"
        case .late:
            let limit = Self.startTimeout.components.seconds
            problem = "no response within \(limit) s; the system is overloaded"
        }
        child = nil
        throw .unavailable(reason: "\(program) does not start: \(problem)")
    }

    /// Waits for a message; a cancellation kills the process.
    private mutating func reply(
        within timeout: Duration
    ) async throws(ThumbnailFailure) -> ChildProcess.Reply {
        do {
            let reply = try await child?.reply(
                limit: ThumbnailResponse.maximumSize, by: ContinuousClock.now + timeout)
            return reply ?? .ended
        } catch {
            child = nil
            throw .cancelled
        }
    }

    /// Kills the process if it still runs, and says how it ended.
    private mutating func killAndDescribeEnd() -> String {
        defer { child = nil }
        let ending = child?.end() ?? .exit(code: 0)
        return ending == .signal(SIGXCPU) ? "processor time limit exceeded" : "\(ending)"
    }
}
