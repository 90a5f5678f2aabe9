internal import Glibc
internal import Platform
internal import ThumbnailProtocol

/// Runs the thumbnailer, which is started on demand, and killed after a cancellation, a timeout or an invalid
/// response.
struct ThumbnailerProcess: ~Copyable, Sendable {
    let program: String
    let limits: ThumbnailerLimits
    /// The maximum time for one picture, without the time of a suspension.
    let timeout: Duration
    /// `nil` before the start and after the end; releasing it kills the process.
    var child: ChildProcess?
    var lastID: UInt64 = 0

    /// The maximum time until the process is ready; a machine under load takes seconds.
    private static let startTimeout = Duration.seconds(30)

    /// Makes the thumbnail of the open `picture`, with a longer side of `side` pixels.
    ///
    /// - Returns: The validated thumbnail.
    /// - Throws: ``ThumbnailFailure``; `.rejected` by the thumbnailer, or `.crashed` without a
    ///   response.
    mutating func make(
        _ sha256: String, of picture: borrowing FileDescriptor,
        side: Int = ThumbnailRequest.thumbnailSide
    ) async throws(ThumbnailFailure) -> [UInt8] {
        let isFresh = child == nil
        var result = try await attempt(sha256, of: picture, side: side)
        // An earlier picture may have damaged the process, or the kernel killed it when memory was exhausted.
        if case .failure(let failure) = result, !isFresh || failure.mayBeExternal {
            result = try await attempt(sha256, of: picture, side: side)
        }
        switch result {
        case .success(let bytes): return bytes
        case .failure(let failure): throw .crashed(failure.reason)
        }
    }

    /// Why there was no valid response.
    private enum Failure: Error {
        case ended(ChildProcess.Ending)
        case late(Duration)
        case invalidResponse(String)

        /// Whether something other than the picture may be the cause.
        var mayBeExternal: Bool {
            guard case .ended(.signal(let number)) = self else { return false }
            return [SIGHUP, SIGINT, SIGKILL, SIGTERM].contains(number)
        }

        var reason: String {
            switch self {
            case .ended(.signal(SIGXCPU)): "processor time limit exceeded"
            case .ended(.signal(let number)): "signal \(number)"
            case .ended(.exit(let code)): "exit code \(code)"
            case .late(let timeout): "no response within \(timeout.components.seconds) s"
            case .invalidResponse(let what): what
            }
        }
    }

    /// Sends a request; ends the process unless it answers properly.
    ///
    /// - Throws: ``ThumbnailFailure`` if the process does not start, or says why there is no thumbnail.
    private mutating func attempt(
        _ sha256: String, of picture: borrowing FileDescriptor, side: Int
    ) async throws(ThumbnailFailure) -> Result<[UInt8], Failure> {
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
            // The process may have ended while idle.
            return .failure(end())
        }
        switch try await reply(limit: ThumbnailResponse.limit, within: timeout) {
        case .message(let bytes):
            return try result(of: request, message: bytes, thumbnail: thumbnail, sha256: sha256)
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
    ) throws(ThumbnailFailure) -> Result<[UInt8], Failure> {
        let response = ThumbnailResponse(message: message)
        switch response.flatMap({ $0.id == request.id ? $0.outcome : nil }) {
        case .rejected(let reason): throw .rejected(reason)
        case .failed(let reason): throw .failed(reason)
        case .made:
            // Copied before it is checked: the process can still write to the file.
            let size = (try? thumbnail.status(path: "thumbnail"))?.size
            // mutation test: thumbnail-size
            if let size, size <= limits.file,
                let bytes = try? thumbnail.readStart(limit: size, path: "thumbnail"),
                ThumbnailFile.isThumbnail(bytes, of: sha256, side: request.side)
            {
                return .success(bytes)
            }
            child = nil
            return .failure(.invalidResponse("the output is not a valid thumbnail"))
        case .ready, nil:
            child = nil
            return .failure(.invalidResponse("invalid response"))
        }
    }

    /// Starts the process and waits until it is ready.
    private mutating func start() async throws(ThumbnailFailure) {
        guard child == nil else { return }
        do throws(SystemError) {
            child = try await ChildProcess(program, limits.arguments)
        } catch {
            throw .unavailable("\(error)")
        }
        let reply = try await reply(limit: ThumbnailOutcome.limit, within: Self.startTimeout)
        guard reply == .message(ThumbnailOutcome.ready.message) else {
            let ending = end()
            throw .unavailable(
                "\(program) does not start: \(Self.obstacle(reply, ending))")
        }
    }

    /// Why the process does not start, for people.
    private static func obstacle(_ reply: ChildProcess.Reply, _ ending: Failure) -> String {
        switch reply {
        case .message(let bytes):
            if case .failed(let reason) = ThumbnailOutcome(message: bytes) { return reason }
            return "its version is another one; reinstall apod-mirror"
        case .ended: return "\(ending.reason); reinstall apod-mirror, or use “--thumbnails no”"
        case .late:
            let limit = startTimeout.components.seconds
            return "no response within \(limit) s; the system is overloaded"
        }
    }

    /// Waits for a message; a cancelled wait ends the process.
    private mutating func reply(
        limit: Int, within timeout: Duration
    ) async throws(ThumbnailFailure) -> ChildProcess.Reply {
        // This clock stops while the machine is suspended: see CLOCK_MONOTONIC.
        let deadline = SuspendingClock.now + timeout
        while true {
            let left = SuspendingClock.now.duration(to: deadline)
            guard left > .zero, child != nil else { return child == nil ? .ended : .late }
            do throws(CancellationError) {
                let reply = try await child?.reply(limit: limit, by: ContinuousClock.now + left)
                if let reply, reply != .late { return reply }
            } catch {
                child = nil
                throw .cancelled
            }
        }
    }

    /// Releases the process after it failed; returns how it ended.
    private mutating func end() -> Failure {
        defer { child = nil }
        return .ended(child?.end() ?? .exit(code: 0))
    }
}
