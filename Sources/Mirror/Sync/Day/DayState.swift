internal import FoundationEssentials

/// Where a day of the mirror stands.
package enum DayState: Hashable, Sendable {
    /// Nothing was recorded, and no attempt was made.
    case unknown
    /// Not here; retried.
    case missing(RetryState)
    /// A picture or a video is here, and another file is missing, damaged or a reduced copy; retried.
    case partial(RetryState)
    /// The record and all files that the settings ask for are here.
    case complete
    /// The record is here without the files that it names: retention moved them to the trash.
    case removed

    /// The state before a sync: what the tree has, and the retry in `state.json`; files that appeared since the last
    /// attempt end the retry of a missing day.
    init(hasFiles: Bool, isRecorded: Bool, retry: RetryState?) {
        switch (hasFiles, retry) {
        case (true, let retry?) where retry.cause == .partial: self = .partial(retry)
        case (true, _): self = .complete
        case (false, let retry?): self = .missing(retry)
        case (false, nil): self = isRecorded ? .removed : .unknown
        }
    }

    /// Whether the picture or the video of the day is here.
    package var hasFiles: Bool {
        switch self {
        case .partial, .complete: true
        case .unknown, .missing, .removed: false
        }
    }

    /// The last attempt and the next; `nil` if the day is not retried.
    package var retry: RetryState? {
        switch self {
        case .missing(let retry), .partial(let retry): retry
        case .unknown, .complete, .removed: nil
        }
    }

    /// Whether files of the day may be requested at `now`; a partial day has one already, and waits for its retry.
    func permitsDownload(at now: Date) -> Bool {
        if case .partial(let retry) = self { retry.next <= now } else { true }
    }

    /// The same day, which is requested again as `retry` says.
    func with(_ retry: RetryState) -> DayState {
        hasFiles ? .partial(retry) : .missing(retry)
    }

    /// The state after an attempt: a day that has files never becomes missing, and no day is given up.
    func after(_ outcome: EntryOutcome, at now: Date) -> DayState {
        switch outcome.result {
        case .downloaded, .returned: return .complete
        case .removed: return .removed
        case .cancelled, .noSpace: return self
        case .edited, .unchanged:
            // All files were requested, and none has a problem any more.
            if case .partial = self, outcome.didRequestFiles { return .complete }
            return self
        case .incomplete(var cause, let reason, _):
            switch self {
            case .complete where cause != .partial: return self
            case .partial: cause = .partial
            case .missing(let retry) where cause.isTransient && retry.cause.isWithoutStill:
                // A transient failure does not change that NASA has no still image.
                cause = retry.cause
            default: break
            }
            var next = RetryState(
                cause, reason, modified: outcome.modified, after: retry, at: now)
            if outcome.mirrorsRequested { next.mirrorsRequested = now }
            return cause == .partial ? .partial(next) : .missing(next)
        }
    }
}
