package import APOD
internal import Platform
internal import Transfer

// What failures of requests, downloads and this machine mean for a day and for a sync: decided here alone.

extension FeedError {
    /// The outcome for the requested day.
    var outcome: EntryOutcome.Result {
        if case .transfer(.cancelled) = self { return .cancelled }
        let cause: RetryState.Cause =
            switch self {
            case .notPublished: .unpublished
            case .transfer(let error) where error.isAbsence: .unpublished
            case .transfer(.file): .localError
            case .transfer(let error): error.isOfServer ? .unreachable : .unusable
            case .unusable: .unusable
            }
        return .incomplete(cause, reason: "\(self)", record: nil)
    }

    /// Whether every other request would fail now, too.
    var isOfNetwork: Bool {
        switch self {
        case .transfer(.unreachable), .transfer(.throttled), .transfer(.cancelled): true
        default: false
        }
    }
}

extension TransferError {
    /// Whether the server says that it does not have the resource.
    fileprivate var isAbsence: Bool {
        if case .refused(_, let status, _) = self { [404, 410].contains(status) } else { false }
    }

    /// Whether the network or the server failed, so that nothing is known about the requested resource.
    fileprivate var isOfServer: Bool {
        switch self {
        case .refused(_, let status, _): status >= 500 || [408, 425, 429].contains(status)
        case .unreachable, .throttled, .broken: true
        case .forbidden, .tooLong, .noSpace, .file, .cancelled, .notModified: false
        }
    }
}

extension EntryDownloader.Problem {
    /// The problem of one file; throws an error of this machine or a cancellation, which concern the day.
    init(_ error: TransferError, of address: String) throws {
        switch error {
        case .file(let error): throw error
        case .cancelled: throw CancellationError()
        case .noSpace:
            self.init(
                cause: .localError,
                reason:
                    "\(address) does not fit on the disk beside other downloads; free disk space or"
                    + " lower --min-free")
        default:
            self.init(
                cause: error.isOfServer ? .unreachable : .unusable, reason: "\(error)",
                isAbsence: error.isAbsence)
        }
    }
}

extension EntryOutcome.Result {
    /// The outcome of a day whose download ended with `error`; `isDiskFull` is called only for `ENOSPC`.
    init(_ error: any Error, isDiskFull: () -> Bool) {
        let system = error as? SystemError
        // Any error may be a consequence of the cancellation.
        if error is CancellationError || Task.isCancelled {
            self = .cancelled
        } else if let system, system.isNoSpace, isDiskFull() {
            self = .noSpace("\(system)")
        } else {
            // Something else in the place of a file is no failure of this machine.
            let cause: RetryState.Cause =
                system?.isInvalidFile ?? false ? .unusable : .localError
            self = .incomplete(cause, reason: "\(error)", record: nil)
        }
    }
}

extension SyncSummary.Obstacle {
    /// The failure of the request for the newest entries of a feed.
    package init(ofRequest error: FeedError, to feed: FeedKind) {
        let isOfTransfer = if case .transfer = error { true } else { false }
        let advice = feed.advice.map { "; \($0)" } ?? ""
        self.init(isOfTransfer ? .unreachable : .unusable, "\(error)\(advice)")
    }

    /// An error of this machine.
    init(_ error: any Error) {
        let kind: Kind =
            switch error as? SystemError {
            case let error? where error.isNoSpace: .noSpace
            case let error? where error.isReadOnly: .readOnly
            default: .localError
            }
        self.init(kind, "\(error)")
    }
}

/// What a sync reports of failures, and which of them are its obstacle.
extension SyncRound {
    /// Reports a failed request, and records it as the obstacle of the sync if it is one; others are reported at
    /// its end, unless the obstacle explains them.
    func recordFailure(_ error: FeedError, isObstacle: Bool) {
        guard error != .transfer(.cancelled), !Task.isCancelled else { return }
        if case .unusable = error { synchronizer.transferMetrics.add(.unusable) }
        guard isObstacle else { return failedRequests.append("\(error)") }
        let obstacle = SyncSummary.Obstacle(ofRequest: error, to: synchronizer.feed.kind)
        reportProblem(obstacle.text)
        state.record(obstacle)
    }

    func reportProblem(_ message: String) {
        state.record(message)
        report(.problem(message))
    }

    /// Reports an error of `body`; a disk that is full or read-only is an obstacle of the sync in any case.
    func attempt(isObstacle: Bool = true, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let isNoSpace = (error as? SystemError)?.isNoSpace ?? false
            synchronizer.transferMetrics.add(isNoSpace ? .noSpace : .disk)
            reportProblem("\(error)")
            let obstacle = SyncSummary.Obstacle(error)
            if isObstacle || obstacle.kind != .localError { state.record(obstacle) }
        }
    }
}
