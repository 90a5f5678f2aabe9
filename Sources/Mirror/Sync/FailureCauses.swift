package import APOD
internal import Platform
internal import Transfer

// What an error means for a day, for a file, and for the whole sync: HTTP 503 becomes `RetryState.Cause.unreachable`.

extension FeedError {
    /// The outcome of the day that was requested by `route`.
    func outcome(by route: Route) -> EntryOutcome.Result {
        let cause: RetryState.Cause
        var detail = DayProblem.Detail.none
        switch self {
        case .transfer(.cancelled): return .cancelled
        case .transfer(let error):
            let problem = error.dayProblem
            // Nothing is at the address of the day's entry.
            cause = problem.isAbsence ? .unpublished : problem.cause
            if problem.isRefusal { detail = .refusal }
        case .notPublished: cause = .unpublished
        case .unusable, .future: cause = .unusable
        case .noRoute: cause = .unreachable
        }
        return .incomplete(DayProblem(cause.proved(by: route), "\(self)", detail))
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

extension TransferError {
    /// The problem of a day whose file or entry could not be transferred.
    fileprivate var dayProblem: DayProblem {
        let (cause, detail): (RetryState.Cause, DayProblem.Detail) =
            switch self {
            case .refused(_, 404, _), .refused(_, 410, _): (.unusable, .absence)
            case .refused(_, 408, _), .refused(_, 425, _), .refused(_, 429, _),
                .refused(_, 500..., _):
                (.unreachable, .none)
            // Such as 401, 403 and 451, which say nothing about the file.
            case .refused, .blocked, .rejected(_, _, isOtherKind: true): (.unusable, .refusal)
            case .unreachable, .throttled, .broken: (.unreachable, .none)
            case .skipped: (.unreachable, .skip)
            case .noSpace(_, let bytes): (.doesNotFit, .size(bytes))
            case .file: (.localError, .none)
            case .forbidden, .tooLong, .rejected, .cancelled, .notModified: (.unusable, .none)
            }
        return DayProblem(cause, "\(self)", detail)
    }
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

    /// Makes the reason why the day of `entry` has neither picture nor video.
    ///
    /// `picture` and `video` are the problems of requests for its files; `nil` if the file was not requested.
    init(ofDayWithoutFiles entry: Entry, picture: Self?, video: Self?) {
        if let video {
            self = video
            return
        }
        switch (picture, entry.media.video) {
        // The day has at least its video, at NASA or elsewhere.
        case (let picture?, _?) where picture.isOfNASA && entry.mediaProblem == nil:
            self.init(
                .noStill, "a video whose still image is not here: \(picture.reason)",
                picture.detail)
        // Nobody knows whether NASA has the still image: the day counts as missing.
        case (let picture?, _):
            self = picture
        case (nil, let video?):
            self.init(.noImage, "a video without a still image: \(video)", notNamedIn: entry)
        case (nil, nil) where entry.mediaType != "image":
            let type = entry.mediaType
            self.init(.noImage, "no picture: NASA's media type is “\(type)”", notNamedIn: entry)
        case (nil, nil):
            self.init(
                .lost, "NASA has no picture for this day, or only a placeholder",
                notNamedIn: entry)
        }
    }

    /// Makes the problem of a day whose picture or video `entry` does not name.
    ///
    /// If a field was left out that may name it, nobody knows whether NASA has it: this is the problem instead.
    init(_ cause: RetryState.Cause, _ reason: String, notNamedIn entry: Entry) {
        if let mediaProblem = entry.mediaProblem {
            self.init(.unusable, mediaProblem)
        } else {
            self.init(cause, reason)
        }
    }

    /// Whether NASA, and neither the network nor this machine, is the cause.
    private var isOfNASA: Bool { !cause.isTransient && cause != .doesNotFit }
}

extension SystemError {
    /// What to report about a file or directory of the mirror that cannot be read, and what a person can do.
    var textForUnreadable: String {
        guard isNotDirectory else { return advice }
        return
            "\(path) is a link or a file instead of a directory, and nothing is written there; move it away, or put the"
            + " directory itself in its place"
    }
}

extension EntryOutcome.Result {
    /// Makes the outcome of a day whose download ended with `error`.
    ///
    /// After `ENOSPC`, `spaceObstacle` says whether the disk is full: it returns `nil` if only this file was too large. Then
    /// nobody knows how much room there is, as with a quota, and the day fails like after any other error of this machine.
    init(_ error: any Error, spaceObstacle: () -> Obstacle?) {
        let systemError = error as? SystemError
        // After a cancellation, any error may be a consequence of it.
        if error is CancellationError || Task.isCancelled {
            self = .cancelled
        } else if let systemError, systemError.isNoSpace {
            if let obstacle = spaceObstacle() {
                self = .noSpace(obstacle)
            } else {
                // The disk takes smaller files, so that other days need not fail.
                self = .incomplete(DayProblem(.localError, systemError.advice))
            }
        } else if systemError?.cause == .invalid {
            // A person's item is in the place of a file, which is no failure of this machine.
            self = .incomplete(DayProblem(.unusable, "\(error)"))
        } else {
            self = .incomplete(
                DayProblem(.localError, "\(error)", .obstacle(Obstacle(error))))
        }
    }
}

extension Obstacle {
    /// Makes the obstacle of a failed request for NASA's newest entries.
    package init(ofRequest error: FeedError, to feed: FeedKind) {
        if error.ofFirstRoute == .future {
            self.init(.clock, "\(error); set the clock, and switch on its synchronization")
            return
        }
        self.init(
            .network, "\(error); \(feed.advice ?? "check the network, --upstream and --feed")")
    }

    /// Makes the obstacle of an error of this machine.
    init(_ error: any Error) {
        let (kind, remedy): (Kind, String) =
            switch error as? SystemError {
            case let error? where error.isNoSpace:
                (.space, error.remedy ?? "free disk space")
            case let error? where error.isReadOnly: (.disk, "remount it writable")
            case let error? where error.cause == .denied:
                (.rights, "give this user permission there")
            case let error: (.disk, error?.remedy ?? "check the disk and the limits (ulimit -a)")
            }
        self.init(kind, "\(error); \(remedy)")
    }
}
