package import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

// What an error means for a day, for a file, and for the whole sync: HTTP 503 becomes `RetryState.Cause.unreachable`.
//
// Some causes do not follow from an error, and are given where they are noticed: in PictureDownload (a picture that is smaller
// than announced), SyncRound (a rejected entry) and SyncRoundState+Start (a missing file).

extension FeedError {
    /// The outcome of the day that was requested by `route`.
    func outcome(by route: Route) -> EntryOutcome.Result {
        if case .transfer(.cancelled) = self { return .cancelled }
        let cause: RetryState.Cause =
            switch self {
            case .notPublished: .unpublished
            case .transfer(let error) where error.isNotFound: .unpublished
            case .transfer(let error): error.cause
            case .unusable, .future: .unusable
            case .noRoute: .unreachable
            }
        let detail: DayProblem.Detail = isRefusal ? .refusal : .none
        return .incomplete(DayProblem(cause.proved(by: route), "\(self)", detail))
    }

    private var isRefusal: Bool {
        if case .transfer(let error) = self { error.isRefusal } else { false }
    }

    /// Whether all further requests would fail, too; after any other error, a server may still send other lists.
    var endsRequests: Bool {
        if case .transfer(let error) = self { error.endsRequests } else { false }
    }

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
    /// Whether the network is down, the server asks for a pause, or the sync is cancelled.
    fileprivate var endsRequests: Bool {
        switch self {
        case .unreachable, .throttled, .cancelled: true
        case .refused, .broken, .noSpace, .file, .forbidden, .blocked, .tooLong, .rejected,
            .notModified:
            false
        }
    }

    /// Whether the server says that it does not have the resource.
    fileprivate var isNotFound: Bool {
        if case .refused(_, let status, _) = self { [404, 410].contains(status) } else { false }
    }

    /// Whether the host, or the network before it, answers in a way that says nothing about the file: see
    /// ``DayProblem/Detail/refusal``.
    fileprivate var isRefusal: Bool {
        switch self {
        // Such as 401, 403 and 451. Only 404 and 410 are about the file.
        case .refused: cause == .unusable && !isNotFound
        case .blocked: true
        case .unreachable, .throttled, .broken, .noSpace, .file, .forbidden, .tooLong, .rejected,
            .cancelled, .notModified:
            false
        }
    }

    fileprivate var cause: RetryState.Cause {
        switch self {
        case .refused(_, let status, _):
            status >= 500 || [408, 425, 429].contains(status) ? .unreachable : .unusable
        case .unreachable, .throttled, .broken: .unreachable
        case .noSpace: .doesNotFit
        case .file: .localError
        case .forbidden, .blocked, .tooLong, .rejected, .cancelled, .notModified: .unusable
        }
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
                error.cause,
                "\(address) does not fit on the disk beside other downloads; free disk space or"
                    + " lower --min-free", .size(bytes))
        case .unreachable, .throttled, .refused, .broken, .forbidden, .blocked, .tooLong, .rejected,
            .notModified:
            let detail: Detail =
                error.isNotFound ? .absence : error.isRefusal ? .refusal : .none
            self.init(error.cause, "\(error)", detail)
        }
    }

    /// Makes the problem of a day whose record or files cannot be read.
    init(ofReading error: SystemError) {
        self.init(
            .localError, error.textForUnreadable,
            error.cause == .denied ? .obstacle(Obstacle(error)) : .none)
    }

    /// Makes the problem of a download that is no picture or video, or a damaged one.
    init(ofContents refusal: MediaHeader.Refusal, of address: String) {
        self.init(
            .unusable, "\(address) is \(refusal)", refusal.isOtherKind ? .refusal : .none)
    }

    /// The problem of an address that NASA redirected to its logo or to another generic picture.
    static func placeholder(at address: String) -> Self {
        Self(.unusable, "\(address) leads to NASA's placeholder")
    }

    /// Makes the reason why the day of `entry` has neither picture nor video.
    ///
    /// `picture` and `video` are the problems of requests for its files; `nil` if the file was not requested.
    init(ofDayWithoutFiles entry: Entry, picture: Self?, video: Self?) {
        if let video {
            self = video
        } else if let picture {
            // If the network or this machine failed, nobody knows whether NASA has the still image: the day counts as missing.
            guard entry.media.video != nil, !picture.cause.isTransient,
                picture.cause != .doesNotFit
            else {
                self = picture
                return
            }
            // The day has at least its video, at NASA or elsewhere.
            self.init(
                .noStill, "a video whose still image is not here: \(picture.reason)",
                picture.detail)
        } else if let video = entry.media.video {
            self.init(.noImage, "a video without a still image: \(video)")
        } else if entry.mediaType != "image" {
            self.init(.noImage, "no picture: NASA's media type is “\(entry.mediaType)”")
        } else {
            self.init(.lost, "NASA has no picture for this day, or only a placeholder")
        }
    }
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
        let system = error as? SystemError
        // After a cancellation, any error may be a consequence of it.
        if error is CancellationError || Task.isCancelled {
            self = .cancelled
        } else if let system, system.isNoSpace, let obstacle = spaceObstacle() {
            self = .noSpace(obstacle)
        } else {
            let isNoSpace = system?.isNoSpace == true
            // A person's item is in the place of a file, which is no failure of this machine.
            let cause: RetryState.Cause = system?.cause == .invalid ? .unusable : .localError
            // The disk takes smaller files, so that other days need not fail.
            let detail: DayProblem.Detail =
                cause == .localError && !isNoSpace ? .obstacle(Obstacle(error)) : .none
            let reason = isNoSpace ? system?.advice : nil
            self = .incomplete(DayProblem(cause, reason ?? "\(error)", detail))
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
