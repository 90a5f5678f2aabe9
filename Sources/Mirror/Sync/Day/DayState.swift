internal import APOD
internal import FoundationEssentials

/// How far a day of the mirror has come: whether it is complete, and when it is requested again if it is not.
///
/// A day is *recorded* if the tree has a record of it, *complete* if it also has all files that the settings ask for, and
/// *due* if NASA is to be asked for it now (``isDue(at:retry:)``).
package enum DayState: Hashable, Sendable {
    /// There is no record, and no attempt was made.
    case unknown
    /// The day is missing, or partial if ``RetryState/hasFiles``, and is tried again later.
    ///
    /// The case is indirect, because few days have a retry, and all others then need little memory.
    indirect case retried(RetryState)
    case complete
    /// The record is in the tree without its files, which `--keep` or a person has deleted.
    case removed

    /// Makes the state before a sync, from the tree and from the retry that `state.json` has `saved`.
    init(hasFiles: Bool, isRecorded: Bool, saved: RetryState?) {
        // If the day was missing, and its files have appeared since the last attempt, its retry ends.
        let haveFilesAppeared = hasFiles && saved?.hasFiles == false
        if let saved, !haveFilesAppeared {
            self = .retried(saved)
            retry?.hasFiles = hasFiles
        } else if hasFiles {
            self = .complete
        } else {
            self = isRecorded ? .removed : .unknown
        }
    }

    /// Whether the picture or the video of the day is in the tree.
    package var hasFiles: Bool { self == .complete || retry?.hasFiles == true }

    /// Whether nothing is missing, or only the still image of a video or of a web page.
    var hasAllButStill: Bool { self == .complete || retry?.cause.isWithoutStill == true }

    /// The last attempt and the next one; `nil` if the day is not retried; setting `nil` has no effect.
    package var retry: RetryState? {
        get { if case .retried(let retry) = self { retry } else { nil } }
        set { if let newValue { self = .retried(newValue) } }
    }

    /// Whether NASA is to be asked for this day now, if the mirror is to have it.
    ///
    /// `policy` makes some days due before the time of their retry.
    func isDue(at now: Date, retry policy: SyncPlan.Retry = .due) -> Bool {
        switch self {
        case .complete: false
        case .unknown, .removed: true
        case .retried(let retry): retry.next <= now || policy.includes(retry)
        }
    }

    /// Whether files of the day may be requested now: a partial day, which has one file already, waits until it is due.
    func permitsDownload(at now: Date, retry policy: SyncPlan.Retry) -> Bool {
        retry?.hasFiles == true ? isDue(at: now, retry: policy) : true
    }

    /// The state of the day with `retry`, and with its files as they are.
    func with(_ retry: RetryState) -> DayState {
        var retry = retry
        retry.hasFiles = hasFiles
        return .retried(retry)
    }

    /// The state after an attempt with this `outcome`.
    ///
    /// A complete day stays complete until the disk shows that its files are gone. No day is ever given up.
    func after(_ outcome: EntryOutcome, at now: Date) -> DayState {
        switch outcome.result {
        case .downloaded: return .complete
        case .removed: return .removed
        case .cancelled, .noSpace: return self
        case .edited, .unchanged:
            // If files were requested and nothing changed, none is missing: a person may have put a lost one back.
            return outcome.didRequestFiles ? .complete : self
        case .partial(let problem, _, _):
            return retried(because: problem, outcome, hasFiles: true, at: now)
        case .missing(let problem):
            return retried(because: lastingProblem(problem), outcome, hasFiles: false, at: now)
        // The attempt failed before it was known which files are in the tree.
        case .incomplete(let problem):
            guard self != .complete else { return self }
            return retried(because: lastingProblem(problem), outcome, hasFiles: hasFiles, at: now)
        }
    }

    /// The problem that decides the next retry.
    ///
    /// If NASA had no still image before, a failure of the network does not change that.
    private func lastingProblem(_ problem: DayProblem) -> DayProblem {
        guard let retry, !retry.hasFiles, retry.cause.isWithoutStill, problem.cause.isTransient
        else { return problem }
        let detail: DayProblem.Detail = retry.isRefused == true ? .refusal : .none
        return DayProblem(retry.cause, problem.reason, problem.isSkip ? .skip : detail)
    }

    private func retried(
        because problem: DayProblem, _ outcome: EntryOutcome, hasFiles: Bool, at now: Date
    ) -> DayState {
        // Without a request, nothing is known that was not known before.
        let isRefused = problem.isSkip ? retry?.isRefused == true : problem.isRefusal
        var next = RetryState(
            problem.cause, problem.reason, isAttempt: !problem.isSkip, isRefused: isRefused,
            modified: outcome.modified, neededBytes: problem.size, after: retry, at: now)
        next.hasFiles = hasFiles
        // Classic mirrors are hours behind NASA, so that an attempt at a new day does not prove that they lack the picture.
        let isNew = now.timeIntervalSince(outcome.day.startInUTC) < 2 * Date.secondsPerDay
        if outcome.mirrorsRequested, !isNew { next.mirrorsRequested = now }
        return .retried(next)
    }
}
