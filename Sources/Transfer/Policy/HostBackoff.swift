internal import Glibc
internal import Platform

/// The hosts that asked to be left alone, and until when.
///
/// Shared by all who ask, and outliving them where the owner keeps ``notBefore``.
package final class HostBackoff: Sendable {
    private let entries = Monitor<[String: Double]>([:])
    /// Seconds since 1970.
    private let now: @Sendable () -> Double

    package init(
        notBefore: [String: Double] = [:], now: @escaping @Sendable () -> Double = wallClock
    ) {
        self.now = now
        self.notBefore = notBefore
    }

    /// Seconds since 1970 by host, of those only that are still to come.
    package var notBefore: [String: Double] {
        get { entries.withLock { $0.filter { isAhead($0.value) } } }
        set { entries.withLock { $0 = newValue } }
    }

    /// The time before which `host` is not to be asked, `nil` where it may be asked now.
    func closed(_ host: String) -> Double? {
        entries.withLock { $0[host] }.flatMap { isAhead($0) ? $0 : nil }
    }

    /// Notes what a server asked for; of two times the later one counts.
    ///
    /// - Returns: The time before which `host` is not to be asked.
    func close(_ host: String, for pause: RetryAfter) -> Double {
        let until = now() + pause.seconds
        return entries.withLock { entries in
            entries = entries.filter { isAhead($0.value) }
            let latest = max(entries[host] ?? 0, until)
            entries[host] = latest
            return latest
        }
    }

    /// How long `text`, the value of a `Retry-After`, asks for from now on.
    func pause(_ text: String) -> RetryAfter? {
        RetryAfter(text, now: now())
    }

    /// Farther ahead than any pause is granted, a time was noted before the clock was set back.
    private func isAhead(_ time: Double) -> Bool {
        let now = now()
        return time > now && time <= now + RetryAfter.longest
    }

    /// The time of day, in seconds since 1970.
    @Sendable package static func wallClock() -> Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
