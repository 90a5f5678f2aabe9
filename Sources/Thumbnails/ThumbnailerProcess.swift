internal import Glibc
internal import Platform
internal import ThumbnailProtocol

/// Runs apod-mirror-thumbnailer: started on demand, killed after a cancellation, a timeout or an invalid response.
///
/// One process makes many thumbnails, one after the other; releasing this value kills it.
struct ThumbnailerProcess: ~Copyable, Sendable {
    private let program: String
    private let limits: ThumbnailerLimits
    private let timeout: Duration
    /// `nil` while no process runs; releasing it kills the process.
    private var child: ChildProcess?
    private var lastID = ThumbnailResponse.startID

    /// The maximum time until the process is ready; a machine under load takes seconds.
    private static let startTimeout = Duration.seconds(30)

    /// `timeout` is the maximum time for one picture, without the time of a suspension.
    init(program: String, limits: ThumbnailerLimits, timeout: Duration) {
        self.program = program
        self.limits = limits
        self.timeout = timeout
    }

    /// Makes and checks a JPEG of the open `picture`, with a longer side of at most `side` pixels.
    ///
    /// A timeout and an invalid response are `.crashed`, too.
    mutating func make(
        of picture: borrowing FileDescriptor, sha256: String,
        side: Int = ThumbnailRequest.thumbnailSide
    ) async throws(ThumbnailFailure) -> [UInt8] {
        var result = try await attempt(picture, sha256, side)
        switch result {
        case .failure(.ended), .failure(.invalid):
            // An earlier picture may have damaged the process, or the kernel killed it when memory was exhausted.
            result = try await attempt(picture, sha256, side)
        case .failure(.late), .success: break
        }
        switch result {
        case .success(let bytes): return bytes
        case .failure(let cause): throw .crashed(cause.reason)
        }
    }

    /// Why there was no valid response; ``make(of:sha256:side:)`` tries again unless it was late.
    private enum NoResponse: Error {
        case ended(ChildProcess.Ending)
        case late(Duration)
        case invalid(String)

        var reason: String {
            switch self {
            case .ended(.signal(SIGXCPU)): "processor time limit exceeded"
            case .ended(.signal(let number)): "signal \(number)"
            case .ended(.exit(let code)): "exit code \(code)"
            case .late(let timeout): "no response within \(timeout.components.seconds) s"
            case .invalid(let what): what
            }
        }
    }

    /// Sends a request and waits for the response; ends the process unless it is valid.
    ///
    /// - Throws: ``ThumbnailFailure`` if the process does not start, or says why there is no thumbnail.
    private mutating func attempt(
        _ picture: borrowing FileDescriptor, _ sha256: String, _ side: Int
    ) async throws(ThumbnailFailure) -> Result<[UInt8], NoResponse> {
        try await start()
        lastID &+= 1
        let request = ThumbnailRequest(
            id: lastID, side: side, stamp: ThumbnailFile.stamp(of: sha256))
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
            // The process ended while it was idle; how it ended says more than this error.
            return .failure(end())
        }
        switch try await reply(within: timeout) {
        case .message(let bytes):
            return try result(of: request, message: bytes, thumbnail: thumbnail, sha256: sha256)
        case .tooLong:
            child = nil
            return .failure(.invalid("the response is too long"))
        case .ended: return .failure(end())
        case .late:
            child = nil
            return .failure(.late(timeout))
        }
    }

    /// Interprets the response to `request`, for which the process has written `thumbnail`.
    private mutating func result(
        of request: ThumbnailRequest, message: [UInt8], thumbnail: borrowing FileDescriptor,
        sha256: String
    ) throws(ThumbnailFailure) -> Result<[UInt8], NoResponse> {
        let response = ThumbnailResponse(message: message)
        let problem: String
        switch response.flatMap({ $0.id == request.id ? $0.outcome : nil }) {
        case .rejected(let reason): throw .rejected(reason)
        case .failed(let reason): throw .failed(reason)
        case .done:
            // Copied before it is checked: the process can still write to the file.
            let size = (try? thumbnail.status(path: "thumbnail"))?.size
            // mutation test: thumbnail-size
            if let size, size <= limits.file,
                let bytes = try? thumbnail.readStart(limit: size, path: "thumbnail"),
                ThumbnailFile.isThumbnail(bytes, of: sha256)
            {
                return .success(bytes)
            }
            problem = "the output is not a valid thumbnail"
        case nil: problem = "invalid response"
        }
        child = nil
        return .failure(.invalid(problem))
    }

    /// Starts the process, unless it runs, and waits until it is ready.
    private mutating func start() async throws(ThumbnailFailure) {
        guard child == nil else { return }
        do throws(SystemError) {
            child = try await ChildProcess(program, limits.arguments)
        } catch {
            throw .unavailable("\(error)")
        }
        let obstacle: String
        switch try await reply(within: Self.startTimeout) {
        case .message(let bytes):
            let response = ThumbnailResponse(message: bytes)
            switch response.flatMap({ $0.id == ThumbnailResponse.startID ? $0.outcome : nil }) {
            case .done: return
            case .failed(let reason): obstacle = reason
            default: obstacle = "its version is another one; reinstall apod-mirror"
            }
        case .tooLong: obstacle = "its first message is too long; reinstall apod-mirror"
        case .ended:
            obstacle = "\(end().reason); reinstall apod-mirror, or use “--thumbnails no”"
        case .late:
            let limit = Self.startTimeout.components.seconds
            obstacle = "no response within \(limit) s; the system is overloaded"
        }
        child = nil
        throw .unavailable("\(program) does not start: \(obstacle)")
    }

    /// Waits for a message; a cancelled wait ends the process.
    private mutating func reply(
        within timeout: Duration
    ) async throws(ThumbnailFailure) -> ChildProcess.Reply {
        // This clock stops while the machine is suspended, see CLOCK_MONOTONIC. The clock of one wait goes on, so that
        // the wait ends too early, and is repeated.
        let deadline = SuspendingClock.now + timeout
        while true {
            let left = SuspendingClock.now.duration(to: deadline)
            guard left > .zero else { return .late }
            do throws(CancellationError) {
                let reply = try await child?.reply(
                    limit: ThumbnailResponse.maximumSize, by: ContinuousClock.now + left)
                if reply != .late { return reply ?? .ended }
            } catch {
                child = nil
                throw .cancelled
            }
        }
    }

    /// Kills the process if it still runs; returns how it ended.
    private mutating func end() -> NoResponse {
        defer { child = nil }
        return .ended(child?.end() ?? .exit(code: 0))
    }
}
