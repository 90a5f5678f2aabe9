/// A limit for the rate of all transfers together: the value of `--limit-rate`.
package struct Bandwidth: Hashable, Sendable {
    /// At least 1.
    package let bytesPerSecond: Int

    /// Fails for 0, which means that there is no limit.
    package init?(bytesPerSecond: Int) {
        precondition(bytesPerSecond >= 0, "a negative rate")
        guard bytesPerSecond > 0 else { return nil }
        self.bytesPerSecond = bytesPerSecond
    }

    /// Parses a rate as curl(1) 7.88 does: "500k" is 512000 bytes a second, "0" is no limit; `nil` if `text` is no rate.
    package static func bytesPerSecond(in text: String) -> Int? {
        let units: [String: Int] = ["b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = text.last.flatMap { units[$0.lowercased()] }
        let digits = unit == nil ? text[...] : text.dropLast()
        // `Int` would also read a sign.
        guard digits.utf8.allSatisfy("0123456789".utf8.contains), let number = Int(digits) else {
            return nil
        }
        let (rate, overflows) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflows ? nil : rate
    }
}

extension Bandwidth: CustomStringConvertible {
    /// The shortest exact form: `500k` for 512000.
    package var description: String {
        for (shift, unit) in [(30, "g"), (20, "m"), (10, "k")]
        where bytesPerSecond.isMultiple(of: 1 << shift) {
            return "\(bytesPerSecond >> shift)\(unit)"
        }
        return "\(bytesPerSecond)"
    }
}

/// Computes the pauses that keep the average rate of all transfers at a limit, as a token bucket does.
///
/// ``TransferThread`` asks for a pause in each turn of its loop, after libcurl has received what all servers sent. If 1 MB
/// came at once, and the limit is 500 kB a second, the pause is 1.5 to 2 seconds, depending on how long nothing came before.
struct BandwidthMeter {
    private let bytesPerSecond: Double
    /// The number of bytes that all transfers had received at the last call.
    private var totalReceived: Int
    /// When the average rate is within the limit again.
    private var endOfPause: SuspendingClock.Instant

    /// For how much time without transfers, as while a file is checked, later transfers may make up.
    private static let maximumCredit = Duration.milliseconds(500)

    init(_ limit: Bandwidth, totalReceived: Int, at now: SuspendingClock.Instant) {
        bytesPerSecond = Double(limit.bytesPerSecond)
        self.totalReceived = totalReceived
        endOfPause = now
    }

    /// How long nothing may be received from `now` on; `totalReceived` is the number of bytes of all transfers so far.
    mutating func pause(
        after totalReceived: Int, at now: SuspendingClock.Instant
    ) -> Duration {
        let received = Double(totalReceived - self.totalReceived)
        self.totalReceived = totalReceived
        endOfPause = max(endOfPause, now - Self.maximumCredit) + .seconds(received / bytesPerSecond)
        return max(now.duration(to: endOfPause), .zero)
    }
}
