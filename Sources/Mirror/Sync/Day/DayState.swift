internal import FoundationEssentials

/// Where a day of the mirror stands.
///
/// Three words have one meaning each: *recorded*, a record is there (``TreeSnapshot/recorded``); *complete*, with all
/// files that the settings ask for (``complete``; files that are here, of a partial day as well: ``hasFiles``); *due*,
/// NASA is to be asked now (``isDue(at:retry:)``, for the days that are wanted: ``SyncPlan``).
package enum DayState: Hashable, Sendable {
    /// Nothing was recorded, and no attempt was made.
    case unknown
    /// Missing, or partial: ``RetryState/hasFiles``; retried.
    ///
    /// Indirect: few days have a retry, and the tables of all days stay small.
    indirect case retried(RetryState)
    /// The record and all files that the settings ask for are here.
    case complete
    /// The record is here without the files that it names: retention or a person deleted them.
    case removed

    /// The state before a sync: what the tree has, and what `state.json` says; files that appeared since the last
    /// attempt end the retry of a missing day.
    init(hasFiles: Bool, isRecorded: Bool, saved: RetryState?) {
        if hasFiles, saved?.hasFiles != true {
            self = .complete
        } else if var retry = saved {
            retry.hasFiles = hasFiles
            self = .retried(retry)
        } else {
            self = isRecorded ? .removed : .unknown
        }
    }

    /// Whether the picture or the video of the day is here.
    package var hasFiles: Bool { self == .complete || retry?.hasFiles == true }

    /// Whether nothing but the still image of a video or of a web page may be missing.
    var hasAllButStill: Bool { self == .complete || retry?.cause.isWithoutStill == true }

    /// The last attempt and the next; `nil` if the day is not retried; setting `nil` has no effect.
    package var retry: RetryState? {
        get { if case .retried(let retry) = self { retry } else { nil } }
        set { if let newValue { self = .retried(newValue) } }
    }

    /// Whether NASA is to be asked now for this day, if it is wanted; `policy` says which days before their time.
    func isDue(at now: Date, retry policy: SyncPlan.Retry = .due) -> Bool {
        switch self {
        case .complete: false
        case .unknown, .removed: true
        case .retried(let retry): retry.next <= now || policy.includes(retry.cause)
        }
    }

    /// Whether files of the day may be requested now; a partial day has one already, and waits until it is due.
    func permitsDownload(at now: Date, retry policy: SyncPlan.Retry = .due) -> Bool {
        retry?.hasFiles == true ? isDue(at: now, retry: policy) : true
    }

    /// The same day, which is requested again as `retry` says.
    func with(_ retry: RetryState) -> DayState {
        var retry = retry
        retry.hasFiles = hasFiles
        return .retried(retry)
    }

    /// The state after an attempt: only the disk shows that files are gone, and no day is given up.
    func after(_ outcome: EntryOutcome, at now: Date) -> DayState {
        switch outcome.result {
        case .downloaded: return .complete
        case .removed: return .removed
        case .cancelled, .noSpace: return self
        case .edited, .unchanged:
            // If all files could be requested, none is missing or has a problem: a person may have put a lost one back.
            return outcome.didRequestFiles ? .complete : self
        case .partial(let problem):
            var retry = nextRetry(problem, outcome, at: now)
            retry.hasFiles = true
            return .retried(retry)
        case .missing(let problem):
            // Whatever the walk found is gone.
            var state = afterFailure(problem, outcome, at: now)
            state.retry?.hasFiles = false
            return state
        case .incomplete(let problem):
            return self == .complete ? self : afterFailure(problem, outcome, at: now)
        }
    }

    private func afterFailure(
        _ problem: DayProblem, _ outcome: EntryOutcome, at now: Date
    ) -> DayState {
        // A transient failure does not change that NASA has no still image.
        let isWithoutStill = retry.map { !$0.hasFiles && $0.cause.isWithoutStill } ?? false
        guard isWithoutStill, problem.cause.isTransient, let retry else {
            return .retried(nextRetry(problem, outcome, at: now))
        }
        return .retried(nextRetry(DayProblem(retry.cause, problem.reason), outcome, at: now))
    }

    private func nextRetry(
        _ problem: DayProblem, _ outcome: EntryOutcome, at now: Date
    ) -> RetryState {
        var next = RetryState(
            problem.cause, problem.reason, modified: outcome.modified,
            neededBytes: problem.size, after: retry, at: now)
        if outcome.mirrorsRequested { next.mirrorsRequested = now }
        return next
    }
}
