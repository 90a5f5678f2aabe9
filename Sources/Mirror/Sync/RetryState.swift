package import FoundationEssentials
internal import JSON

/// A day that is wanted and not had: why, how often it was looked for, when it is again.
package struct RetryState: Hashable, Sendable {
    /// What stands in the way; it decides how soon to look again.
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// NASA has no entry for that day, or not yet.
        case unpublished
        /// The network, or NASA, is away or overloaded.
        case unreachable
        /// What came could not be written here.
        case failed
        /// What NASA serves for the day is no entry, no picture, or not to be had.
        case unusable
        /// NASA names no picture: lost in the move of 2026, or only a stand-in.
        case lost
        /// A video or a page without a still picture that could be kept.
        case noImage = "no-still"
        /// The day is had, but not all of it: a smaller copy, or the poster without its video.
        case partial

        /// Whether trying again soon may help: the fault lay with the network or this machine.
        package var mayPass: Bool { self == .unreachable || self == .failed }

        /// Whether NASA has an entry for the day, which is recorded.
        var hasRecord: Bool { self == .lost || self == .noImage }
    }

    package var cause: Cause
    /// A sentence for a person.
    package var reason: String
    package var attempts: Int
    /// When the last attempt was.
    package var last: Date
    package var next: Date
    package var since: Date

    /// Whether NASA published no picture for the day, as far as can be known: it is not missing.
    ///
    /// What NASA lost may come back; after a week it is no outage.
    package var hasNoPicture: Bool {
        cause == .noImage || (cause == .lost && last.timeIntervalSince(since) >= 7 * 86_400)
    }

    /// The state after one more attempt that brought nothing.
    package init(
        _ cause: Cause, _ reason: String, after earlier: RetryState?, at now: Date
    ) {
        self.cause = cause
        self.reason = reason
        attempts = (earlier?.attempts ?? 0) + 1
        last = now
        // A cause that is new starts with its own first delay.
        let same = earlier.flatMap { $0.cause == cause ? $0 : nil }
        next = now.addingTimeInterval(Self.delay(cause, after: same?.delay))
        since = earlier?.since ?? now
    }

    /// Seconds between the last attempt and the next.
    private var delay: Double { next.timeIntervalSince(last) }

    /// The same, with the next attempt no farther from `now` than its delay: a clock that was ahead
    /// sets times that are far away.
    func within(_ now: Date) -> RetryState {
        var pending = self
        pending.last = min(last, now)
        pending.since = min(since, now)
        pending.next = min(next, now.addingTimeInterval(delay))
        return pending
    }

    /// Seconds until the attempt after `looks` attempts.
    package static func delay(_ cause: Cause, looks: Int) -> Double {
        (0..<min(max(looks, 1), 40)).reduce(nil) { delay, _ in Self.delay(cause, after: delay) }
            ?? 0
    }

    /// Seconds until the next attempt: minutes at first, for most troubles pass, then days.
    ///
    /// No day is given up.
    private static func delay(_ cause: Cause, after earlier: Double?) -> Double {
        let (first, factor, most): (Double, Double, Double) =
            switch cause {
            case .unreachable, .failed: (600, 2, 86_400)
            case .unpublished: (600, 3, 30 * 86_400)
            case .unusable, .lost: (600, 3, 60 * 86_400)
            case .partial: (3600, 3, 60 * 86_400)
            case .noImage: (6 * 3600, 3, 60 * 86_400)
            }
        return earlier.map { min(max($0 * factor, first), most) } ?? first
    }
}

extension RetryState {
    var json: JSON {
        [
            "reason": .string(reason), "cause": .string(cause.rawValue),
            "attempts": .integer(attempts), "last": .string(last.timestamp),
            "next": .string(next.timestamp), "since": .string(since.timestamp),
        ]
    }

    init?(_ json: JSON) {
        guard let cause = json["cause"]?.string.flatMap(Cause.init(rawValue:)),
            let reason = json["reason"]?.string, let attempts = json["attempts"]?.integer,
            let next = json["next"]?.string.flatMap(Date.init(timestamp:)),
            let since = json["since"]?.string.flatMap(Date.init(timestamp:))
        else { return nil }
        self.cause = cause
        self.reason = reason
        // A file may say anything.
        self.attempts = min(max(attempts, 0), 1_000_000)
        self.next = next
        self.since = since
        let last = json["last"]?.string.flatMap(Date.init(timestamp:))
        self.last = last ?? next.addingTimeInterval(-Self.delay(cause, looks: attempts))
    }
}
