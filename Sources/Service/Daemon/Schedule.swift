internal import APOD
package import FoundationEssentials
package import Mirror

/// When to look at NASA next: a pure value, no clock in it.
///
/// A new entry appears at 00:05 in New York, which is 04:05 or 05:05 in Greenwich, and now and then hours
/// late. So the mirror looks a few minutes after both, and from then on ever more rarely until the new
/// entry is there. It needs no time zone for that.
package struct Schedule: Hashable, Sendable {
    /// Minutes after midnight in Greenwich at which a look may bring the day's entry.
    private static let looks = [250, 310, 330, 370, 430, 550, 730, 970, 1210, 1390]

    /// Seconds after these minutes, so that not all mirrors come at once; less than 300.
    private let offset: Int

    /// - Parameter id: That of the mirror: it looks at the same time every day.
    package init(mirror id: String) {
        offset = Int(id.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % 300)
    }

    /// The moment of the next look.
    ///
    /// - Parameters:
    ///   - now: The end of the last one.
    ///   - outcome: What it came to.
    ///   - failures: How many looks in a row, the last one included, could not reach NASA.
    /// - Returns: A moment later than `now`.
    package func next(after now: Date, _ outcome: SyncSummary, failures: Int) -> Date {
        if case .noSpace = outcome.obstacle { return now.addingTimeInterval(60) }
        var next = self.nextPublication(after: now, newest: outcome.newest)
        if failures > 0 { next = min(next, now.addingTimeInterval(Self.pause(failures))) }
        if let look = outcome.nextLook {
            next = min(next, max(look, now.addingTimeInterval(60)))
        }
        return next
    }

    /// Seconds to wait when NASA is out of reach: soon again at first, then four times an hour.
    private static func pause(_ failures: Int) -> Double {
        min(30 * Double(1 << min(failures - 1, 10)), 900)
    }

    private func nextPublication(after now: Date, newest: Day?) -> Date {
        let today = Int((now.timeIntervalSince1970 / 86_400).rounded(.down))
        let isHere = newest.map { $0.number >= today } ?? false
        if !isHere, let look = moments(on: today).first(where: { $0 > now }) { return look }
        return moments(on: today + 1)[0]
    }

    private func moments(on day: Int) -> [Date] {
        Self.looks.map { Date(timeIntervalSince1970: Double(day * 86_400 + $0 * 60 + offset)) }
    }
}
