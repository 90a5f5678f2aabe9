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

    /// The state before a sync: what the tree has, and what was recorded of the last attempt.
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

    /// Whether files of the day may be requested at `now`; those of a partial day wait for its retry.
    func permitsDownload(at now: Date) -> Bool {
        if case .partial(let retry) = self { retry.next <= now } else { true }
    }

    func retried(_ retry: RetryState) -> DayState {
        hasFiles ? .partial(retry) : .missing(retry)
    }

    /// The state after an attempt; a failure does not make a day with files missing, and no day is given up.
    func after(_ outcome: EntryOutcome, at now: Date) -> DayState {
        switch outcome.result {
        case .downloaded, .returned: return .complete
        case .removed: return .removed
        case .cancelled, .noSpace: return self
        case .edited, .unchanged:
            if case .partial = self, outcome.didRequestFiles { return .complete }
            return self
        case .incomplete(var cause, let reason, _):
            if hasFiles, cause != .partial {
                if self == .complete { return self }
                cause = .partial
            }
            // A transient failure does not change that NASA has no still image.
            if cause.isTransient, let earlier = retry?.cause, earlier.isWithoutStill {
                cause = earlier
            }
            var next = RetryState(
                cause, reason, modified: outcome.modified, after: retry, at: now)
            if outcome.mirrorsRequested { next.mirrorsRequested = now }
            return cause == .partial ? .partial(next) : .missing(next)
        }
    }
}
