internal import Platform
internal import ThumbnailProtocol

/// The process that decodes, started when it is needed and replaced when it dies.
struct Decoder: ~Copyable, Sendable {
    private let program: String
    private let limits: ThumbnailerLimits
    /// The time for one picture.
    private let patience: Duration
    private var process: ChildProcess?

    init(program: String, limits: ThumbnailerLimits, patience: Duration) {
        self.program = program
        self.limits = limits
        self.patience = patience
    }

    /// Has the thumbnail of `picture` written into `thumbnail`, which is empty.
    ///
    /// - Throws: ``ThumbnailFailure``; `.deadly` where the process died of it.
    mutating func make(
        _ order: ThumbnailOrder, of picture: borrowing FileDescriptor,
        into thumbnail: borrowing FileDescriptor
    ) async throws(ThumbnailFailure) {
        var ending = try await attempt(order, picture, thumbnail)
        // Somebody else ended it, who is short of memory for instance: that can happen once.
        if ending?.isForeign == true { ending = try await attempt(order, picture, thumbnail) }
        if let ending { throw .deadly(ending.reason) }
    }

    /// How the process died of a picture.
    private enum Death {
        case signal(Int32)
        case late(Duration)

        /// Whether it may well have been by another hand.
        var isForeign: Bool {
            if case .signal(let number) = self { [1, 2, 9, 15].contains(number) } else { false }
        }

        var reason: String {
            switch self {
            case .signal(24): "it took too much processor time"
            case .signal(let number): "signal \(number)"
            case .late(let patience): "it took more than \(patience.components.seconds) s"
            }
        }
    }

    /// - Returns: How the process died, `nil` where it did what it was asked to.
    private mutating func attempt(
        _ order: ThumbnailOrder, _ picture: borrowing FileDescriptor,
        _ thumbnail: borrowing FileDescriptor
    ) async throws(ThumbnailFailure) -> Death? {
        try await start()
        let reply: ChildProcess.Reply
        do throws(SystemError) {
            try process?.limitProcessor(seconds: limits.processorSeconds)
            try process?.send(order.message, picture, thumbnail)
        } catch {
            // It died while it had nothing to do.
            return try end()
        }
        reply = try await self.reply(within: patience)
        switch reply {
        case .message(let bytes): try Self.check(ThumbnailAnswer(message: bytes))
        case .ended: return try end()
        case .late:
            process = nil
            return .late(patience)
        }
        return nil
    }

    private static func check(_ answer: ThumbnailAnswer?) throws(ThumbnailFailure) {
        switch answer {
        case .made: break
        case .refused(let reason): throw .refused(reason)
        case .failed(let reason): throw .failed(reason)
        case .ready, nil: throw .deadly("it answered nonsense")
        }
    }

    /// Starts the process, and waits until it says that it is ready.
    private mutating func start() async throws(ThumbnailFailure) {
        guard process == nil else { return }
        do throws(SystemError) {
            process = try await ChildProcess(program, limits.words)
        } catch {
            throw .unavailable("\(error)")
        }
        let reply = try await reply(within: .seconds(30))
        guard reply == .message(ThumbnailAnswer.ready.message) else {
            let ending = process?.end()
            process = nil
            throw .unavailable("\(program) does not start (\(ending.map { "\($0)" } ?? "late"))")
        }
    }

    private func reply(
        within patience: Duration
    ) async throws(ThumbnailFailure) -> ChildProcess.Reply {
        do throws(CancellationError) {
            let deadline = ContinuousClock.now + patience
            return try await process?.reply(limit: ThumbnailAnswer.limit, by: deadline) ?? .ended
        } catch {
            throw .cancelled
        }
    }

    /// - Returns: How the process died by itself.
    private mutating func end() throws(ThumbnailFailure) -> Death {
        let ending = process?.end() ?? .exit(code: 0)
        process = nil
        switch ending {
        case .signal(let number): return .signal(number)
        case .exit(let code): throw .unavailable("\(program) ended with code \(code)")
        }
    }
}
