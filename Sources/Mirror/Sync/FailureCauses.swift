internal import APOD
internal import Platform
internal import Transfer

// What an error means for a day: its `RetryState.Cause`, which decides when the day is tried again. For example, the HTTP status
// 503 becomes `unreachable`. What an error means for a whole sync is in Obstacle.swift.
//
// There are three types of errors: a `FeedError` if NASA's entry of a day does not come, a `TransferError` if a picture or a
// video does not come, and a `SystemError` if this machine cannot write or read a file.

extension FeedError {
    /// The outcome of a day whose entry was requested by `route`, and did not come.
    func outcome(by route: Route) -> EntryOutcome.Result {
        let cause: RetryState.Cause
        var isRefusal = false
        switch self {
        case .transfer(.cancelled): return .cancelled
        case .transfer(let error):
            let problem = error.dayProblem
            isRefusal = problem.isRefusal
            // Nothing is at the address of the day's entry.
            cause = problem.isAbsence ? .unpublished : problem.cause
        case .notPublished: cause = .unpublished
        case .unusable, .future: cause = .unusable
        case .noRoute: cause = .unreachable
        }
        return .incomplete(
            DayProblem(cause.proved(by: route), "\(self)", isRefusal ? .refusal : .none))
    }

    /// Whether all further requests would fail, too: the server asks for a pause, or the sync is cancelled.
    ///
    /// After any other error, a server may still send other lists, even if this one did not come at all.
    var endsRequests: Bool {
        switch self {
        case .transfer(.throttled), .transfer(.cancelled): true
        case .transfer, .notPublished, .unusable, .future, .noRoute: false
        }
    }

    /// Whether the server did not answer, perhaps because the network is down.
    var isWithoutAnswer: Bool { if case .transfer(.unreachable) = self { true } else { false } }

    /// The error of the first route, which is NASA's API, if all of several routes failed; otherwise this error.
    var ofFirstRoute: FeedError {
        if case .noRoute(let first, _) = self { first } else { self }
    }
}

extension RetryState.Cause {
    /// The cause that an answer by `route` proves: only the API can prove that NASA has no entry.
    func proved(by route: Route) -> Self { route == .api ? self : .unreachable }
}

extension DayProblem {
    /// Makes the problem of the file at `address`.
    ///
    /// - Throws: An error of this machine, or `CancellationError`, because these concern the whole day.
    init(_ error: TransferError, of address: String) throws {
        switch error {
        case .file(let error): throw error
        case .cancelled: throw CancellationError()
        case .noSpace(_, let bytes):
            self.init(
                .doesNotFit,
                "\(address) does not fit on the disk beside other downloads; free disk space or"
                    + " lower --min-free", .size(bytes))
        case .unreachable, .skipped, .throttled, .refused, .broken, .forbidden, .blocked, .tooLong,
            .rejected, .notModified:
            self = error.dayProblem
        }
    }
}

extension TransferError {
    /// The problem of a day whose file or entry could not be transferred.
    fileprivate var dayProblem: DayProblem {
        switch self {
        case .refused(_, let status, _): problem(ofStatus: status)
        case .blocked, .rejected(_, _, isOtherKind: true):
            DayProblem(.unusable, "\(self)", .refusal)
        case .forbidden, .tooLong, .rejected, .cancelled, .notModified:
            DayProblem(.unusable, "\(self)")
        case .unreachable, .throttled, .broken: DayProblem(.unreachable, "\(self)")
        case .skipped: DayProblem(.unreachable, "\(self)", .skip)
        case .noSpace: DayProblem(.doesNotFit, "\(self)")
        case .file: DayProblem(.localError, "\(self)")
        }
    }

    /// The problem of a response with an HTTP `status` that is no success.
    private func problem(ofStatus status: Int) -> DayProblem {
        switch status {
        case 404, 410: DayProblem(.unusable, "\(self)", .absence)
        // The server is overloaded or defective.
        case 408, 425, 429, 500...: DayProblem(.unreachable, "\(self)")
        // Such as 401, 403 and 451, which say nothing about the file.
        default: DayProblem(.unusable, "\(self)", .refusal)
        }
    }
}

extension EntryOutcome.Result {
    /// Makes the outcome of a day whose download ended with `error`.
    ///
    /// If the disk had no room, only this file may have been too large. So `spaceObstacle` is called, which returns why the disk
    /// takes no picture of a usual size, or `nil` if it takes one.
    init(_ error: any Error, spaceObstacle: () -> Obstacle?) {
        let systemError = error as? SystemError
        // After a cancellation, any error may be a consequence of it.
        if error is CancellationError || Task.isCancelled {
            self = .cancelled
        } else if let systemError, systemError.isNoSpace {
            if let obstacle = spaceObstacle() {
                self = .noSpace(obstacle)
            } else {
                // Nobody knows how much room there is, as with a quota. Other days need not fail.
                self = .incomplete(DayProblem(.localError, systemError.advice))
            }
        } else if systemError?.cause == .invalid {
            // A person's item is in the place of a file, which is no failure of this machine.
            self = .incomplete(DayProblem(.unusable, "\(error)"))
        } else {
            self = .incomplete(DayProblem(.localError, "\(error)", .obstacle(Obstacle(error))))
        }
    }
}
