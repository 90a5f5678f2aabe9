/// The time at which a transfer counts as too slow; received bytes extend it.
struct ProgressDeadline: Sendable {
    private let clock = SuspendingClock()
    private let rate: MinimumRate
    /// The maximum time of the transfer; `nil` for no limit.
    private let total: Duration?
    /// Whether the transfer has a connection.
    private var hasBegun = false
    private var start: SuspendingClock.Instant
    private var deadline: SuspendingClock.Instant
    /// The missing bytes of the first period, which do not extend the deadline.
    private var firstBytes: Int

    init(_ rate: MinimumRate, total: Duration?) {
        self.rate = rate
        self.total = total
        start = clock.now
        deadline = start + rate.firstPeriod
        firstBytes = rate.firstBytes
    }

    /// Starts the time: the first request is sent.
    mutating func begin() {
        restartWait()
        hasBegun = true
    }

    /// Starts the time again if the transfer has no connection yet.
    mutating func restartWait() {
        guard !hasBegun else { return }
        start = clock.now
        deadline = start + rate.firstPeriod
    }

    var elapsed: Duration { start.duration(to: clock.now) }

    /// `nil` once the time is up.
    var timeLeft: Duration? {
        let end = total.map { min(deadline, start + $0) } ?? deadline
        let left = clock.now.duration(to: end)
        return left > .zero ? left : nil
    }

    mutating func received(_ count: Int) {
        let extending = max(count - firstBytes, 0)
        firstBytes = max(firstBytes - count, 0)
        let time = Duration.seconds(Double(extending) / Double(max(rate.bytesPerSecond, 1)))
        deadline = min(deadline + time, max(deadline, clock.now + rate.longestCredit))
    }
}
