/// Computes the pauses that keep the average rate of all transfers at a limit, as a token bucket does.
///
/// ``TransferLoop`` asks it once in each turn, after libcurl has received what was there from all servers, and receives
/// nothing during the pause.
struct BandwidthMeter {
    private let bytesPerSecond: Double
    /// The total at the last call.
    private var totalReceived: Int
    /// The time at which the total is within the limit.
    private var allowedAgain: SuspendingClock.Instant

    /// The unused time that later bytes may make up for: checking and publishing one file takes less.
    private static let burst = Duration.milliseconds(500)

    init(_ limit: Bandwidth, totalReceived: Int, at now: SuspendingClock.Instant) {
        bytesPerSecond = Double(limit.bytesPerSecond)
        self.totalReceived = totalReceived
        allowedAgain = now
    }

    /// The time from `now` on in which nothing may be received.
    ///
    /// `totalReceived` is the bytes of all transfers so far; it never gets less.
    mutating func pause(
        after totalReceived: Int, at now: SuspendingClock.Instant
    ) -> Duration {
        let received = Double(totalReceived - self.totalReceived)
        self.totalReceived = totalReceived
        allowedAgain =
            max(allowedAgain, now - Self.burst) + .seconds(received / bytesPerSecond)
        return max(now.duration(to: allowedAgain), .zero)
    }
}

/// The rate that all transfers of a client together may have: the value of `--limit-rate`.
package struct Bandwidth: Hashable, Sendable {
    /// At least 1.
    package let bytesPerSecond: Int

    /// Returns `nil` for 0, which is no limit.
    package init?(bytesPerSecond: Int) {
        precondition(bytesPerSecond >= 0)
        guard bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = bytesPerSecond
    }

    /// Parses a rate as curl(1) 7.88 does: digits, and b, k, m or g for a power of 1024.
    ///
    /// - Returns: The bytes a second, 0 for no limit; `nil` if `text` is no rate.
    package static func bytesPerSecond(in text: String) -> Int? {
        let shifts: [Character: Int] = ["b": 0, "k": 10, "m": 20, "g": 30]
        let shift = text.last.flatMap { shifts[Character($0.lowercased())] }
        let digits = shift == nil ? text[...] : text.dropLast()
        guard digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(digits) else {
            return nil
        }
        let (rate, overflows) = number.multipliedReportingOverflow(by: 1 << (shift ?? 0))
        return overflows ? nil : rate
    }
}

extension Bandwidth: CustomStringConvertible {
    /// The shortest exact form: `500k`.
    package var description: String {
        for (shift, unit) in [(30, "g"), (20, "m"), (10, "k")]
        where bytesPerSecond.isMultiple(of: 1 << shift) {
            return "\(bytesPerSecond >> shift)\(unit)"
        }
        return "\(bytesPerSecond)"
    }
}
