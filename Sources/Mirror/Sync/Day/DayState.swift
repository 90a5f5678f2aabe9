internal import FoundationEssentials

/// Where a day of the mirror stands.
///
/// Three words have one meaning each: *recorded*, a record is there (``TreeSnapshot/recorded``); *complete*, with all
/// files that the settings ask for (``complete``; files that are here, of a partial day as well: ``hasFiles``); *due*,
/// NASA is to be asked now (``isDue(at:retry:)``, for the days that are wanted: ``SyncPlan``).
package enum DayState: Hashable, Sendable {
    /// Nothing was recorded, and no attempt was made.
    case unknown
    /// Not here; retried.
    ///
    /// Indirect, as the next one: few days have a retry, and the tables of all days stay small.
    indirect case missing(RetryState)
    /// A picture or a video is here, and another file is missing, damaged or a reduced copy; retried.
    indirect case partial(RetryState)
    /// The record and all files that the settings ask for are here.
    case complete
    /// The record is here without the files that it names: retention deleted them.
    case removed

    /// The state before a sync: what the tree has, and what `state.json` says; files that appeared since the last
    /// attempt end the retry of a missing day.
    init(hasFiles: Bool, isRecorded: Bool, saved: DayState?) {
        switch (hasFiles, saved) {
        case (true, .partial(let retry)): self = .partial(retry)
        case (true, _): self = .complete
        case (false, let saved):
            self = saved?.retry.map(DayState.missing) ?? (isRecorded ? .removed : .unknown)
        }
    }

    /// Whether the picture or the video of the day is here.
    package var hasFiles: Bool {
        switch self {
        case .partial, .complete: true
        case .unknown, .missing, .removed: false
        }
    }

    /// Whether nothing but the still image of a video or of a web page may be missing.
    var hasAllButStill: Bool { self == .complete || retry?.cause.isWithoutStill == true }

    /// The last attempt and the next; `nil` if the day is not retried.
    package var retry: RetryState? {
        switch self {
        case .missing(let retry), .partial(let retry): retry
        case .unknown, .complete, .removed: nil
        }
    }

    /// Whether NASA is to be asked now for this day, if it is wanted; `policy` says which days before their time.
    func isDue(at now: Date, retry policy: SyncPlan.Retry = .due) -> Bool {
        switch self {
        case .complete: false
        case .unknown, .removed: true
        case .missing(let retry), .partial(let retry):
            retry.next <= now || policy.includes(retry.cause)
        }
    }

    /// Whether files of the day may be requested now; a partial day has one already, and waits until it is due.
    func permitsDownload(at now: Date, retry policy: SyncPlan.Retry = .due) -> Bool {
        if case .partial = self { isDue(at: now, retry: policy) } else { true }
    }

    /// The same day, which is requested again as `retry` says.
    package func with(_ retry: RetryState) -> DayState {
        hasFiles ? .partial(retry) : .missing(retry)
    }

    /// The state after an attempt: a day that has files never becomes missing, and no day is given up.
    func after(_ outcome: EntryOutcome, at now: Date) -> DayState {
        switch outcome.result {
        case .downloaded: return .complete
        case .removed: return .removed
        case .cancelled, .noSpace: return self
        case .edited, .unchanged:
            // If all files could be requested, none is missing or has a problem: a person may have put a lost one back.
            return outcome.didRequestFiles ? .complete : self
        case .partial(let cause, let reason, _):
            return .partial(nextRetry(cause, reason, outcome, at: now))
        case .incomplete(let cause, let reason, _):
            switch self {
            case .complete: return self
            case .missing(let retry) where cause.isTransient && retry.cause.isWithoutStill:
                // A transient failure does not change that NASA has no still image.
                return .missing(nextRetry(retry.cause, reason, outcome, at: now))
            case .partial, .missing, .unknown, .removed:
                return with(nextRetry(cause, reason, outcome, at: now))
            }
        }
    }

    private func nextRetry(
        _ cause: RetryState.Cause, _ reason: String, _ outcome: EntryOutcome, at now: Date
    ) -> RetryState {
        var next = RetryState(
            cause, reason, modified: outcome.modified, neededBytes: outcome.neededBytes,
            after: retry, at: now)
        if outcome.mirrorsRequested { next.mirrorsRequested = now }
        return next
    }
}

/// In `state.json`, which has only the days that are retried: the keys of the retry, and whether a file is here.
extension DayState: Codable {
    private enum CodingKeys: String, CodingKey { case isPartial = "partial" }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let retry = try RetryState(from: decoder)
        self =
            try container.decode(Bool.self, forKey: .isPartial) ? .partial(retry) : .missing(retry)
    }

    package func encode(to encoder: any Encoder) throws {
        try retry?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(hasFiles, forKey: .isPartial)
    }
}
