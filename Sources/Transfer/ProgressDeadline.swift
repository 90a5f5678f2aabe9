/// When a transfer counts as too slow, unless more of it comes; used by one thread.
final class ProgressDeadline {
    private let clock = SuspendingClock()
    private let rate: MinimumRate
    private let start: SuspendingClock.Instant
    /// Passed whatever comes.
    private let latest: SuspendingClock.Instant?
    private var deadline: SuspendingClock.Instant
    /// What is still missing of the bytes of the first period, which extend nothing.
    private var firstBytes: Int

    /// - Parameters:
    ///   - rate: What the transfer must bring.
    ///   - total: The longest that it may take; `nil` for no limit.
    init(_ rate: MinimumRate, total: Duration?) {
        self.rate = rate
        start = clock.now
        latest = total.map { [start] in start + $0 }
        deadline = start + rate.firstPeriod
        firstBytes = rate.firstBytes
    }

    var elapsed: Duration { start.duration(to: clock.now) }

    /// `nil` once the time is up.
    var timeLeft: Duration? {
        let left = clock.now.duration(to: min(deadline, latest ?? deadline))
        return left > .zero ? left : nil
    }

    func received(_ count: Int) {
        let extending = max(count - firstBytes, 0)
        firstBytes = max(firstBytes - count, 0)
        let time = Duration.seconds(Double(extending) / Double(max(rate.bytesPerSecond, 1)))
        deadline = min(deadline + time, max(deadline, clock.now + rate.longestCredit))
    }
}
