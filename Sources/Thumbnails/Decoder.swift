internal import Platform
internal import ThumbnailProtocol

/// The process that decodes, started when it is needed and replaced when it dies.
///
/// It gets another picture only after a proper answer about the one before: what was cancelled, is late
/// or makes no sense costs it its life.
struct Decoder: ~Copyable, Sendable {
    private let program: String
    private let limits: ThumbnailerLimits
    /// The time for one picture, without that of a suspension.
    private let patience: Duration
    private var process: ChildProcess?
    private var lastID: UInt64 = 0

    init(program: String, limits: ThumbnailerLimits, patience: Duration) {
        self.program = program
        self.limits = limits
        self.patience = patience
    }

    /// Makes the thumbnail of `picture`, which bears `stamp`.
    ///
    /// - Parameters:
    ///   - stamp: What it says of itself.
    ///   - picture: Open to be read from its beginning.
    ///   - side: Its long side in pixels.
    /// - Returns: The bytes of the thumbnail, checked.
    /// - Throws: ``ThumbnailFailure``; `.refused` is the verdict of the process, `.crashed` says that it
    ///   gave none.
    mutating func make(
        _ stamp: ThumbnailStamp, of picture: borrowing FileDescriptor, side: Int = 512
    ) async throws(ThumbnailFailure) -> [UInt8] {
        let isFresh = process == nil
        switch try await attempt(stamp, picture, side) {
        case .success(let bytes): return bytes
        case .failure(let death) where isFresh && !death.isForeign: throw .crashed(death.reason)
        case .failure: break
        }
        // Another picture may have brought the process there, or somebody else ended it, who is short of
        // memory for instance: that can happen once.
        switch try await attempt(stamp, picture, side) {
        case .success(let bytes): return bytes
        case .failure(let death): throw .crashed(death.reason)
        }
    }

    /// Why there was no proper answer.
    private enum Death: Error {
        case signal(Int32)
        case exit(code: Int32)
        case late(Duration)
        case nonsense(String)

        /// Whether it may well have been by another hand.
        var isForeign: Bool {
            if case .signal(let number) = self { [1, 2, 9, 15].contains(number) } else { false }
        }

        var reason: String {
            switch self {
            case .signal(24): "it took too much processor time"
            case .signal(let number): "signal \(number)"
            case .exit(let code): "exit code \(code)"
            case .late(let patience): "it took more than \(patience.components.seconds) s"
            case .nonsense(let what): what
            }
        }
    }

    /// Gives the picture to the process, which is gone afterwards unless it answered properly.
    private mutating func attempt(
        _ stamp: ThumbnailStamp, _ picture: borrowing FileDescriptor, _ side: Int
    ) async throws(ThumbnailFailure) -> Result<[UInt8], Death> {
        try await start()
        lastID &+= 1
        let order = ThumbnailOrder(id: lastID, side: side, stamp: "\(stamp)")
        let thumbnail = try Self.emptyFile()
        // It may have died while it had nothing to do.
        guard send(order, picture, thumbnail) else { return .failure(end()) }
        switch try await reply(limit: ThumbnailReply.limit, within: patience) {
        case .message(let bytes): return try verdict(bytes, of: order, thumbnail, stamp)
        case .ended: return .failure(end())
        case .late:
            process = nil
            return .failure(.late(patience))
        }
    }

    private static func emptyFile() throws(ThumbnailFailure) -> FileDescriptor {
        do throws(SystemError) {
            return try FileDescriptor(inMemory: "thumbnail")
        } catch {
            throw .system(error)
        }
    }

    private func send(
        _ order: ThumbnailOrder, _ picture: borrowing FileDescriptor,
        _ thumbnail: borrowing FileDescriptor
    ) -> Bool {
        do throws(SystemError) {
            try process?.limitProcessor(seconds: limits.processorSeconds)
            try process?.send(order.message, picture, thumbnail)
            return true
        } catch {
            return false
        }
    }

    private mutating func verdict(
        _ message: [UInt8], of order: ThumbnailOrder, _ thumbnail: borrowing FileDescriptor,
        _ stamp: ThumbnailStamp
    ) throws(ThumbnailFailure) -> Result<[UInt8], Death> {
        let reply = ThumbnailReply(message: message)
        switch reply.flatMap({ $0.id == order.id ? $0.answer : nil }) {
        case .refused(let reason): throw .refused(reason)
        case .failed(let reason): throw .failed(reason)
        case .made:
            // Copied before it is checked: the process can still write into the file.
            let limit = ThumbnailerLimits.maximumFile
            let bytes = try? thumbnail.readStart(limit: limit + 1, path: "thumbnail")
            if let bytes, bytes.count <= limit,
                ThumbnailFile.isThumbnail(bytes, stamp, side: order.side)
            {
                return .success(bytes)
            }
            process = nil
            return .failure(.nonsense("it made something else than a thumbnail"))
        case .ready, nil:
            process = nil
            return .failure(.nonsense("it answered nonsense"))
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
        let reply = try await reply(limit: ThumbnailAnswer.limit, within: .seconds(30))
        guard reply == .message(ThumbnailAnswer.ready.message) else {
            let ending = process?.end()
            process = nil
            throw .unavailable("\(program) does not start (\(ending.map { "\($0)" } ?? "late"))")
        }
    }

    /// Waits for a message; a process that nobody waits for any more is ended.
    private mutating func reply(
        limit: Int, within patience: Duration
    ) async throws(ThumbnailFailure) -> ChildProcess.Reply {
        // A clock that stands still while the machine is suspended: see CLOCK_MONOTONIC.
        let deadline = SuspendingClock.now + patience
        while true {
            let left = SuspendingClock.now.duration(to: deadline)
            guard left > .zero, process != nil else { return process == nil ? .ended : .late }
            do throws(CancellationError) {
                let reply = try await process?.reply(limit: limit, by: ContinuousClock.now + left)
                if let reply, reply != .late { return reply }
            } catch {
                process = nil
                throw .cancelled
            }
        }
    }

    /// How the process died by itself.
    private mutating func end() -> Death {
        let ending = process?.end() ?? .exit(code: 0)
        process = nil
        switch ending {
        case .signal(let number): return .signal(number)
        case .exit(let code): return .exit(code: code)
        }
    }
}
