internal import APOD
package import FoundationEssentials
internal import Platform

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

    /// Whether files of the day may be requested at `now`: of a partial day not before its retry.
    func permitsDownload(at now: Date) -> Bool {
        if case .partial(let retry) = self { retry.next <= now } else { true }
    }

    /// The state with another retry.
    func retried(_ retry: RetryState) -> DayState {
        hasFiles ? .partial(retry) : .missing(retry)
    }

    /// The state after an attempt.
    ///
    /// What is here is not lost because a later attempt failed, and no day is given up.
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
            let next = RetryState(
                cause, reason, modified: outcome.modified, after: retry, at: now)
            return cause == .partial ? .partial(next) : .missing(next)
        }
    }
}

/// Why a day is missing or incomplete, how often it was tried, and when it is tried next.
package struct RetryState: Hashable, Codable, Sendable {
    /// Why the day is missing; it determines the retry delay.
    package enum Cause: String, Hashable, Codable, Sendable, CaseIterable {
        /// NASA has newer entries, but none of this day; or it has none of a favorite.
        case unpublished
        /// The network or NASA cannot be reached, or NASA is overloaded.
        case unreachable
        /// This machine could not write or read a file.
        case localError = "local-error"
        /// NASA's entry or file is invalid or not available.
        case unusable
        /// The entry of a picture has no picture, as since NASA's migration of 2026, or only a placeholder.
        case lost
        /// A video or a page without a still image.
        case noImage = "no-image"
        /// A video whose still image cannot be downloaded.
        case noStill = "no-still"
        /// A picture or a video of the day is here, and another file is missing or incomplete: a reduced copy,
        /// no video, damage, a replaced picture whose download failed.
        case partial

        /// Whether the cause is temporary: the network or this machine failed.
        package var isTransient: Bool { self == .unreachable || self == .localError }

        /// Whether the day has its video or its web page, so that it is not missing.
        package var isWithoutStill: Bool { self == .noImage || self == .noStill }
    }

    package var cause: Cause
    /// A sentence for people.
    package var reason: String
    package var attempts: Int
    /// When the last attempt was.
    package var last: Date
    package var next: Date
    package var since: Date
    /// The `article:modified_time` of the last attempt with an entry, as the page writes it, unparsed.
    var modified: String?

    /// Whether NASA published no picture for the day, so that the day does not count as missing.
    ///
    /// A picture that NASA lost may come back; after a week it no longer counts as an outage.
    package var hasNoPicture: Bool {
        cause.isWithoutStill || (cause == .lost && last.timeIntervalSince(since) >= 7 * 86_400)
    }

    /// Seconds between the last attempt and the next.
    private var delay: Double { next.timeIntervalSince(last) }

    /// The state with no time later than the delay from `now`, as the clock may have been ahead before.
    func clamped(to now: Date) -> RetryState {
        var state = self
        state.last = min(last, now)
        state.since = min(since, now)
        state.next = min(next, now.addingTimeInterval(delay))
        return state
    }
}

extension RetryState.Cause {
    /// The delays between attempts; no day is ever given up.
    var backoff: Backoff {
        let (first, factor, days): (Int, Int, Int) =
            switch self {
            case .unreachable, .localError: (600, 2, 1)
            case .unpublished: (600, 3, 30)
            case .unusable, .lost, .noStill: (600, 3, 60)
            case .partial: (3600, 3, 60)
            case .noImage: (6 * 3600, 3, 60)
            }
        return Backoff(
            first: .seconds(first), factor: factor, longest: .seconds(days * 86_400))
    }
}

extension RetryState {
    /// The state after one more failed attempt.
    package init(
        _ cause: Cause, _ reason: String, modified: String? = nil, after earlier: RetryState?,
        at now: Date
    ) {
        self.init(dueAt: now, cause, reason, after: earlier)
        // The file may contain any number.
        attempts = attempts.addingSaturating(1)
        last = now
        var delay = cause.backoff.delay(after: 1)
        // A new cause starts with its first delay, and an attempt before its time does not lengthen it.
        if let earlier, earlier.cause == cause {
            let before = Duration.seconds(earlier.delay)
            delay =
                now < earlier.next
                ? cause.backoff.limited(before) : cause.backoff.delay(following: before)
        }
        next = now.addingTimeInterval(delay / .seconds(1))
        self.modified = modified ?? self.modified
    }

    /// The state of a day that is due now; no attempt is counted.
    init(dueAt now: Date, _ cause: Cause, _ reason: String, after earlier: RetryState?) {
        self.init(
            cause: cause, reason: reason, attempts: earlier?.attempts ?? 0,
            last: earlier?.last ?? now, next: now, since: earlier?.since ?? now,
            modified: earlier?.modified)
    }
}
