package import FoundationEssentials
internal import Platform

/// Why a day is missing or partial, how often it was tried, and when it is tried next.
package struct RetryState: Hashable, Codable, Sendable {
    /// The kind of the reason, which determines the delays.
    package enum Cause: String, Hashable, Codable, Sendable, CaseIterable {
        /// NASA has newer entries, but none of this day; or it has none of a favorite.
        case unpublished
        /// The network or NASA cannot be reached, or NASA is overloaded.
        case unreachable
        /// This machine could not write or read a file.
        case localError = "local-error"
        /// NASA's entry or file is invalid or not available.
        case unusable
        /// The entry of a picture has none, or only a placeholder, as since NASA's migration of 2026.
        case lost
        /// A video or a page without a still image.
        case noImage = "no-image"
        /// A video whose still image cannot be downloaded.
        case noStill = "no-still"
        /// NASA serves a smaller picture than it announces or than is here, or a video is still to be downloaded.
        case reduced
        /// This file is larger than the room on the disk, which has room for others.
        case doesNotFit = "does-not-fit"
        /// Two processes ended during its download: see ``UnfinishedDownloads``.
        case unfinished

        /// Whether the network or this machine failed, and may work again at any time.
        package var isTransient: Bool { self == .unreachable || self == .localError }

        /// Whether the day has its video or its web page, so that it is not missing.
        package var isWithoutStill: Bool { self == .noImage || self == .noStill }

        /// The delays between attempts; no day is ever given up.
        var backoff: Backoff {
            switch self {
            case .unreachable, .localError: .transientDay
            case .unpublished: .unpublishedDay
            case .unusable, .lost, .noStill: .unusableDay
            case .reduced, .doesNotFit: .partialDay
            case .noImage: .dayWithoutImage
            case .unfinished: .unfinishedDay
            }
        }
    }

    package var cause: Cause
    /// A sentence for people.
    package var reason: String
    /// The number of failed attempts, of any cause.
    package var attempts: Int
    /// The time of the last attempt.
    package var last: Date
    /// The time of the next attempt.
    package var next: Date
    /// When the day was first missing or partial, for any cause.
    package var since: Date
    /// Whether the day is partial: it has a picture or video, and another file is missing, damaged or a reduced copy.
    package var hasFiles = false
    /// When NASA had last changed the entry of the last attempt, as its web page writes it.
    var modified: String?
    /// When the picture was last requested from classic mirrors of APOD; `nil` if it never was.
    var mirrorsRequested: Date?
    /// The bytes of the file that did not fit on the disk; `nil` for other causes.
    var neededBytes: Int?
    /// The path of the missing file that made a partial day due at once; each walk finds the file missing again.
    var lostFile: String?

    private static let secondsPerDay = 86_400.0

    /// The state without times of a clock that was ahead of `now`.
    func clamped(to now: Date) -> RetryState {
        var state = self
        state.last = min(last, now)
        state.since = min(since, now)
        state.mirrorsRequested = mirrorsRequested.map { min($0, now) }
        state.next = min(next, now.addingTimeInterval(delay))
        return state
    }

    /// Seconds between the last attempt and the next.
    private var delay: Double { next.timeIntervalSince(last) }

    /// Whether a sync begins for the next attempt alone; after a delay of more than a day, it waits for a poll.
    var hasOwnSync: Bool { delay <= Self.secondsPerDay }

    /// Whether classic mirrors are not requested again yet.
    func skipsMirrors(at now: Date) -> Bool {
        guard let mirrorsRequested else { return false }
        return now.timeIntervalSince(mirrorsRequested) < RetryDelay.classicMirrors / .seconds(1)
    }

    /// Whether NASA has no picture for the day, so that the day does not count as missing.
    ///
    /// A picture that NASA lost counts as missing for a week.
    package var hasNoPicture: Bool {
        cause.isWithoutStill
            || (cause == .lost && last.timeIntervalSince(since) >= 7 * Self.secondsPerDay)
    }

    /// Whether NASA published the day without a usable picture in the last two days: it is tried at every poll.
    func isExpectedSoon(at now: Date) -> Bool {
        [.unusable, .lost, .unreachable].contains(cause) && !hasFiles
            && now.timeIntervalSince(since) < 2 * Self.secondsPerDay
    }

    /// Whether a day that is expected soon may be tried at a poll at `now`: syncs may follow each other within seconds.
    func permitsTry(atPoll now: Date) -> Bool {
        isExpectedSoon(at: now)
            && now.timeIntervalSince(last) >= cause.backoff.delay(after: 1) / .seconds(1)
    }
}

// MARK: Making a state

extension RetryState {
    /// The state after one more failed attempt.
    package init(
        _ cause: Cause, _ reason: String, modified: String? = nil, neededBytes: Int? = nil,
        after earlier: RetryState?, at now: Date
    ) {
        self.init(dueAt: now, cause, reason, after: earlier)
        // A person may have edited `state.json`, so that it has any number.
        attempts = attempts.addingSaturating(1)
        last = now
        let backoff = cause.backoff
        var delay = backoff.delay(after: 1)
        // A new cause starts with its first delay; an attempt before its time does not lengthen the delay.
        if let earlier, earlier.cause == cause {
            let before = Duration.seconds(earlier.delay)
            let isEarly = now < earlier.next
            delay = isEarly ? backoff.limited(before) : backoff.delay(following: before)
        }
        next = now.addingTimeInterval(delay / .seconds(1))
        self.modified = modified ?? self.modified
        self.neededBytes = cause == .doesNotFit ? neededBytes : nil
    }

    /// The state of a day that is due now; no attempt is counted.
    init(dueAt now: Date, _ cause: Cause, _ reason: String, after earlier: RetryState?) {
        self.init(
            cause: cause, reason: reason, attempts: earlier?.attempts ?? 0,
            last: earlier?.last ?? now, next: now, since: earlier?.since ?? now,
            hasFiles: earlier?.hasFiles ?? false, modified: earlier?.modified,
            mirrorsRequested: earlier?.mirrorsRequested, lostFile: earlier?.lostFile)
    }
}
