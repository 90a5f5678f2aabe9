package import FoundationEssentials
internal import Platform

/// Why a day is missing or partial, how often it was tried, and when it is tried next.
///
/// ``DayState`` makes a new one after each failed attempt, with a delay that grows. `state.json` stores one for each missing
/// day, and for each *partial* one, which has a picture or a video, and lacks another file or a better one.
package struct RetryState: Hashable, Codable, Sendable {
    /// The kind of the reason, which decides the delays between attempts.
    package enum Cause: String, Hashable, Codable, Sendable, CaseIterable {
        /// NASA has no entry of this day, although it has newer ones, or although the day is a favorite.
        case unpublished
        /// The network or NASA cannot be reached, or NASA is overloaded.
        case unreachable
        /// This machine could not write or read a file.
        case localError = "local-error"
        /// NASA's entry or file is invalid or not available, or the address of the file redirects to a placeholder.
        case unusable
        /// NASA's entry names no picture, or only that of a placeholder, as many entries do since NASA's migration of 2026.
        case lost
        /// The day has a video or a web page, and NASA names no still image of it.
        case noImage = "no-image"
        /// The day has a video whose still image NASA has lost, or serves as something invalid.
        case noStill = "no-still"
        /// NASA serves a smaller picture than it announces or than the mirror has, or the video is not downloaded yet.
        case reduced
        /// The file is larger than the free space on the disk, which has room for smaller files.
        case doesNotFit = "does-not-fit"
        /// Two processes ended during the download of the day: see ``UnfinishedDownloads``.
        case unfinished

        /// Whether the network or this machine failed.
        package var isTransient: Bool { self == .unreachable || self == .localError }

        /// Whether the day has its video or its web page, so that it is not missing.
        package var isWithoutStill: Bool { self == .noImage || self == .noStill }

        /// The growing delays between attempts; no day that the mirror is to have is ever given up.
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

    package private(set) var cause: Cause
    /// What failed, for people.
    package internal(set) var reason: String
    /// The number of failed attempts, by any cause; a sync in which other days kept this one from being requested is none.
    package private(set) var attempts: Int
    /// The time of the last attempt.
    package var last: Date
    /// The time of the next attempt.
    package var next: Date
    /// When the day was first found missing or partial, by any cause.
    package private(set) var since: Date
    /// Whether the day is partial: its picture or video is here, and a file is missing, damaged, or a reduced copy.
    package var hasFiles = false
    /// The time of NASA's last change of the article, as the article stated it at the last attempt; `nil` if it is not known.
    var modified: String?
    /// When the picture was last requested from classic mirrors, since the day was two days old; `nil` if it never was.
    var mirrorsRequested: Date?
    /// `true` if the host, or the network before it, refused the file, which says nothing about it; otherwise `nil`.
    var isRefused: Bool?
    /// The size of the file that did not fit on the disk; `nil` for any other cause.
    var neededBytes: Int?
    /// The path of the lost file because of which the day was due at once; `nil` if no file got lost.
    ///
    /// Each walk finds the file missing again, which must not make the day due again.
    var lostFile: String?

    /// The number of seconds between the last attempt and the next one.
    private var delay: Double { next.timeIntervalSince(last) }

    /// For how many days, in the sense of 24 hours, the day had been missing or partial at `time`.
    private func daysMissing(at time: Date) -> Double {
        time.timeIntervalSince(since) / Date.secondsPerDay
    }
}

// MARK: What follows for the day

extension RetryState {
    /// Whether NASA has no picture for the day, so that the day does not count as missing.
    ///
    /// A picture that NASA has lost counts as missing in the first week, in which NASA may bring it back.
    package var hasNoPicture: Bool {
        cause.isWithoutStill || (cause == .lost && daysMissing(at: last) >= 7)
    }

    /// Whether NASA may still send the picture of a missing day, so that the day stays wanted when it gets older than `--since`.
    var mayStillCome: Bool {
        guard !hasNoPicture else { return false }
        return switch cause {
        // NASA has newer days without it: after a pause, it may never publish the day.
        case .unpublished: false
        // NASA has two months to correct its entry, and a server has a year to work again.
        case .unusable: daysMissing(at: last) < 60
        case .unreachable: daysMissing(at: last) < 365
        case .localError, .lost, .noImage, .noStill, .reduced, .doesNotFit, .unfinished: true
        }
    }

    // MARK: When it is tried again

    /// Whether the next attempt may succeed at any time, because the last one proved nothing about NASA's files.
    var maySucceedAtAnyTime: Bool { cause.isTransient || isRefused == true }

    /// Whether a sync begins just for the next attempt; after a delay of more than a day, the attempt waits for a poll.
    var hasOwnSync: Bool { delay <= Date.secondsPerDay }

    /// Whether NASA published the day without a usable picture in the last two days, and is expected to add it soon.
    func isExpectedSoon(at now: Date) -> Bool {
        [.unusable, .lost, .unreachable].contains(cause) && !hasFiles && daysMissing(at: now) < 2
    }

    /// Whether a day that is expected soon may be tried with a poll at `now`.
    ///
    /// Each poll tries it, but not within the first delay of its cause, because syncs may follow each other within seconds.
    func permitsTry(atPoll now: Date) -> Bool {
        let firstDelay = cause.backoff.delay(after: 1) / .seconds(1)
        return isExpectedSoon(at: now) && now.timeIntervalSince(last) >= firstDelay
    }

    /// Whether it is too early to ask classic mirrors again.
    func skipsMirrors(at now: Date) -> Bool {
        guard let mirrorsRequested else { return false }
        return now.timeIntervalSince(mirrorsRequested) < RetryDelay.classicMirrors / .seconds(1)
    }
}

// MARK: Making a state

extension RetryState {
    /// Makes the state after one more failed attempt; `earlier` is the state before it.
    ///
    /// If not `isAttempt`, the day was to be requested, and no request was sent.
    package init(
        _ cause: Cause, _ reason: String, isAttempt: Bool = true, isRefused: Bool = false,
        modified: String? = nil, neededBytes: Int? = nil, after earlier: RetryState?, at now: Date
    ) {
        self.init(dueAt: now, cause: cause, reason: reason, after: earlier)
        // A person may have edited `state.json`, and the number may be the largest one.
        if isAttempt { attempts = attempts.addingSaturating(1) }
        last = now
        // A host that refuses a file for a month may have lost it. From then on, the delays are those of a lost file.
        self.isRefused = isRefused && daysMissing(at: now) < 30 ? true : nil
        self.modified = modified ?? self.modified
        self.neededBytes = cause == .doesNotFit ? neededBytes : nil
        next = now.addingTimeInterval(nextDelay(after: earlier) / .seconds(1))
    }

    /// The delay after the last attempt, which grows as long as attempts fail by the same cause.
    private func nextDelay(after earlier: RetryState?) -> Duration {
        let backoff = isRefused == true ? .transientDay : cause.backoff
        guard let earlier, earlier.cause == cause, earlier.isRefused == isRefused
        else { return backoff.delay(after: 1) }
        let before = Duration.seconds(earlier.delay)
        // An attempt before its time, as a person may request, does not lengthen the delay.
        return last < earlier.next ? backoff.limited(before) : backoff.delay(following: before)
    }

    /// Makes the state of a day that is due now, without counting an attempt; what `earlier` has counted stays.
    init(dueAt now: Date, cause: Cause, reason: String, after earlier: RetryState?) {
        self.init(
            cause: cause, reason: reason, attempts: earlier?.attempts ?? 0,
            last: earlier?.last ?? now, next: now, since: earlier?.since ?? now,
            hasFiles: earlier?.hasFiles ?? false, modified: earlier?.modified,
            mirrorsRequested: earlier?.mirrorsRequested, lostFile: earlier?.lostFile)
    }

    /// The state without times after `now`, which a clock that was ahead has recorded.
    func clamped(to now: Date) -> RetryState {
        var state = self
        state.last = min(last, now)
        state.since = min(since, now)
        state.mirrorsRequested = mirrorsRequested.map { min($0, now) }
        state.next = min(next, now.addingTimeInterval(delay))
        return state
    }
}
