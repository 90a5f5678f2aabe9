/// The time at which a transfer counts as too slow; received bytes extend it.
///
/// It stands still while a request waits for its connection: that is no fault of the server.
struct ProgressDeadline: Sendable {
    private let clock = SuspendingClock()
    private let rate: MinimumRate
    /// The maximum time of the transfer; `nil` for no limit.
    private let total: Duration?
    private var start: SuspendingClock.Instant
    private var deadline: SuspendingClock.Instant
    /// Since when the transfer has waited for a connection; `nil` while it has one.
    private var waitStart: SuspendingClock.Instant?
    /// The missing bytes of the first period, which do not extend the deadline.
    private var firstBytes: Int
    private var bytes = 0

    init(_ rate: MinimumRate, total: Duration?) {
        self.rate = rate
        self.total = total
        start = clock.now
        deadline = start + rate.firstPeriod
        firstBytes = rate.firstBytes
    }

    /// Stops the time: the next request has no connection yet.
    mutating func wait() {
        waitStart = clock.now
    }

    /// Continues the time: the request is sent.
    mutating func begin() {
        restartWait()
        waitStart = nil
    }

    /// Starts the wait for a connection again, if there is one.
    mutating func restartWait() {
        guard let waitStart else { return }
        let time = waitStart.duration(to: clock.now)
        start += time
        deadline += time
        self.waitStart = waitStart + time
    }

    var isWaiting: Bool { waitStart != nil }

    /// Whether nothing has happened during the wait for as long as a first period.
    ///
    /// libcurl limits the time to connect, but not that of a transfer that it forgot.
    var hasWaitedTooLong: Bool {
        waitStart.map { $0.duration(to: clock.now) >= rate.firstPeriod } ?? false
    }

    /// The time so far, without the current wait.
    var elapsed: Duration { start.duration(to: waitStart ?? clock.now) }

    /// Whether it is below the minimum rate so far, a few seconds after its start: it may still become faster.
    var isSlow: Bool {
        elapsed >= rate.grace
            && Double(bytes) < elapsed / .seconds(1) * Double(rate.bytesPerSecond)
    }

    /// The time after which it may be up; `nil` once it is.
    var timeLeft: Duration? {
        let end = total.map { min(deadline, start + $0) } ?? deadline
        let left = (waitStart ?? clock.now).duration(to: end)
        return left > .zero && !hasWaitedTooLong ? left : nil
    }

    mutating func received(_ count: Int) {
        bytes += count
        let extending = max(count - firstBytes, 0)
        firstBytes = max(firstBytes - count, 0)
        let time = Duration.seconds(Double(extending) / Double(max(rate.bytesPerSecond, 1)))
        deadline = min(deadline + time, max(deadline, clock.now + rate.longestCredit))
    }
}
