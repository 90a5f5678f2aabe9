/// Computes the pauses that keep the average rate of all transfers at a limit, as a token bucket does.
///
/// ``TransferThread`` asks it once in each turn, after libcurl has received what was there from all servers, and receives
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
