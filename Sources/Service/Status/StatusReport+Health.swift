internal import APOD
internal import FoundationEssentials
internal import Maintenance
internal import Mirror

/// Whether all is well with a mirror, and what is not; the exit code of `status` follows from it.
extension StatusReport {
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

    /// The worst that is wrong; an unreachable NASA counts least, because it may be back in a minute.
    package var health: Health {
        if failureOfService != nil { return .failed }
        if let obstacle, obstacle.kind != .network { return .obstructed }
        if isStale { return .stale }
        if !verification.damage.isEmpty { return .damaged }
        if obstacle != nil { return .obstructed }
        let hasUnknown = !wanted.unknown.isEmpty || doubtAboutNewest != nil
        if hasUnknown || !unreadable.isEmpty || !failures.isEmpty { return .unknown }
        return !wanted.missing.isEmpty || lastSuccess == nil ? .missing : .ok
    }

    private static let oneDay = 86_400.0
    /// The seconds for which a published day may be missing when the daemon is gone: no restart takes longer.
    private static let restartTime = 3600.0

    /// Seconds since the start of the newest day with files in UTC.
    package var newestAge: Int? { newest.map { Int(age(of: $0)) } }

    private func age(of day: Day) -> Double { now.timeIntervalSince(day.startInUTC) }

    /// Whether the newest day is older than it may be, and NASA has newer ones or was not reached since.
    ///
    /// - Beside a daemon, and after single runs, the newest day may be two days old: NASA may be late, and a timer may
    ///   start a run once a day, shortly before NASA publishes.
    /// - If a daemon has ended, nothing requests newer days. The newest day must be the one that NASA had published an
    ///   hour ago, unless NASA was late.
    /// - A mirror without a day is not stale: its days are missing. Neither is one of which nobody knows the newest day.
    package var isStale: Bool {
        guard doubtAboutNewest == nil, !unknownParts.contains(.state), let newestFinished else {
            return false
        }
        guard hasLostDaemon else {
            return age(of: newestFinished) > 2 * Self.oneDay
                && !isNewestAtNASA(newestFinished, since: now - Self.oneDay)
        }
        guard let expected = Schedule.newestDay(publishedBy: now - Self.restartTime),
            newestFinished < expected
        else { return false }
        return !isNewestAtNASA(newestFinished, since: Schedule.publication(of: expected))
    }

    /// The newest day with nothing more to download: a day with files, or a video without a still image.
    private var newestFinished: Day? {
        let videos = state.retries.filter(\.value.cause.isWithoutStill).keys
        // A wrong date may have caused a retry of a later day.
        let newestAtNASA = state.newest ?? .last
        return ([newest].compactMap(\.self) + videos).filter { $0 <= newestAtNASA }.max()
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
