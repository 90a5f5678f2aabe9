internal import APOD
internal import FoundationEssentials
internal import Maintenance
internal import Mirror

/// Whether all is well with a mirror, and what is not; the exit code of `status` follows from it.
extension StatusReport {
    /// From best to worst; only an obstacle of the network counts less than ``stale`` and ``damaged``.
    package enum Health: String, Hashable, Sendable {
        case ok
        /// Days are missing, or NASA was never reached.
        case missing
        /// Something cannot be read, so that days or favorites are unknown, or ``StatusReport/unreadable`` names it; or
        /// something cannot be written, and ``StatusReport/failures`` says what.
        case unknown
        /// Files are damaged and not repaired yet.
        case damaged
        /// The newest day is too old: ``StatusReport/isStale``.
        case stale
        /// All days are kept away: ``StatusReport/obstacle``.
        case obstructed
        /// The service of the mirror has failed; nothing is mirrored until a person helps.
        case failed
    }

    /// The worst that is wrong; the first check that applies counts.
    package var health: Health {
        if failureOfService != nil { return .failed }
        if let obstacle, obstacle.kind != .network { return .obstructed }
        if isStale { return .stale }
        if !verification.damage.isEmpty { return .damaged }
        // The network comes only here, because it may work again in a minute.
        if obstacle != nil { return .obstructed }
        if hasUnknown || !failures.isEmpty { return .unknown }
        if !days.wanted.missing.isEmpty || lastSuccess == nil { return .missing }
        return .ok
    }

    /// Whether something cannot be read.
    private var hasUnknown: Bool {
        !days.wanted.unknown.isEmpty || days.newestError != nil || !unreadable.isEmpty
    }

    // MARK: The age of the newest day

    private static let oneDay = 86_400.0
    /// The seconds for which a published day may be missing when the daemon is gone: no restart takes longer.
    private static let restartTime = 3600.0

    /// Seconds since the start of the newest day with files in UTC.
    package var newestAge: Int? { days.newest.map { Int(age(of: $0)) } }

    private func age(of day: Day) -> Double { now.timeIntervalSince(day.startInUTC) }

    /// Whether the newest day is older than it may be, and NASA has newer ones or was not reached since.
    ///
    /// A mirror without a day is not stale, because its days are missing. A mirror whose newest day is unknown is not stale,
    /// either, because the newest day may be a recent one.
    package var isStale: Bool {
        guard days.newestError == nil, !unknownParts.contains(.state), let day = newestSettledDay
        else { return false }
        return hasLostDaemon ? isTooOldWithoutDaemon(day) : isTooOldWhileRunning(day)
    }

    /// Beside a daemon, and after single runs, the newest day may be two days old.
    ///
    /// NASA may be late, and a timer may start a run once a day, shortly before NASA publishes.
    private func isTooOldWhileRunning(_ day: Day) -> Bool {
        age(of: day) > 2 * Self.oneDay && !isNewestAtNASA(day, since: now - Self.oneDay)
    }

    /// If a daemon has ended, the newest day must be the one that NASA had published an hour ago, unless NASA was late.
    ///
    /// Nothing requests newer days then.
    private func isTooOldWithoutDaemon(_ day: Day) -> Bool {
        guard let expected = Schedule.newestDay(publishedBy: now - Self.restartTime),
            day < expected
        else { return false }
        return !isNewestAtNASA(day, since: Schedule.publication(of: expected))
    }

    /// The newest day for which the mirror has all that NASA published: a day with files, or a video without a still image.
    private var newestSettledDay: Day? {
        var settledDays = state.retries.filter(\.value.cause.isWithoutStill).map(\.key)
        if let newest = days.newest { settledDays.append(newest) }
        // A day after NASA's newest one can only come from an entry with a wrong date.
        let newestAtNASA = state.newest ?? .last
        return settledDays.filter { $0 <= newestAtNASA }.max()
    }

    /// Whether NASA was reached after `time`, and is not known to have published anything newer than `day`.
    private func isNewestAtNASA(_ day: Day, since time: Date) -> Bool {
        // Up to a day ahead of `now` counts, because the clock may have been set back a little since.
        guard let lastSuccess, time < lastSuccess, lastSuccess < now + Self.oneDay else {
            return false
        }
        return (state.newest ?? day) <= day
    }
}
