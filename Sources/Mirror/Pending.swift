package import FoundationEssentials

/// A day that is wanted and not had: why, how often it was looked for, when it is again.
package struct Pending: Hashable, Sendable {
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
        case noStill = "no-still"
        /// The day is had, but not all of it: a smaller copy, or the poster without its video.
        case partial

        /// Whether trying again soon may help: the fault lay with the network or this machine.
        package var mayPass: Bool { self == .unreachable || self == .failed }
    }

    package var cause: Cause
    /// A sentence for a person.
    package var reason: String
    package var attempts: Int
    package var next: Date
    package var since: Date

    /// The state after one more look that brought nothing.
    package init(
        _ cause: Cause, _ reason: String, after earlier: Pending?, at now: Date
    ) {
        self.cause = cause
        self.reason = reason
        attempts = (earlier?.attempts ?? 0) + 1
        // A cause that is new starts its own curve; the count of looks goes on.
        let looks = earlier?.cause == cause ? attempts : 1
        next = now.addingTimeInterval(Self.delay(cause, looks: looks))
        since = earlier?.since ?? now
    }

    /// Seconds until the next look: ever more rarely, never never.
    package static func delay(_ cause: Cause, looks: Int) -> Double {
        let (first, most): (Double, Double) =
            switch cause {
            case .unreachable, .failed: (600, 86_400)
            case .unpublished: (6 * 3600, 30 * 86_400)
            case .unusable, .lost, .noStill, .partial: (86_400, 60 * 86_400)
            }
        let doublings = min(max(looks - 1, 0), 20)
        return min(first * Double(1 << doublings), most)
    }
}

extension Pending {
    var json: JSON {
        [
            "reason": .string(reason), "cause": .string(cause.rawValue),
            "attempts": .integer(attempts), "next": .string(next.timestamp),
            "since": .string(since.timestamp),
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
    }
}
