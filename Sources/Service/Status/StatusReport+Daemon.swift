package import APOD
package import FoundationEssentials
package import Mirror
internal import Platform
package import Transfer

/// What the report says about the daemon and its syncs.
extension StatusReport {
    // MARK: NASA

    /// When NASA was last reached; `nil` if it never was.
    ///
    /// A time in the future was written by a wrong clock: it is returned only if no other time is known.
    package var lastSuccess: Date? {
        let times = [state.lastSuccess, processes.lastRun?.lastSuccess].compactMap(\.self)
        return times.filter { $0 <= now }.max() ?? times.max()
    }

    /// The route by which the newest day came, unless that was NASA's API.
    package var newestRoute: Route? { days.newest.flatMap { state.otherRoutes?[$0] } }

    /// What to do about the feed of the last run, if NASA ended its format or the feed fails; `nil` if nothing is known.
    package var feedAdvice: String? {
        let settings = processes.settingsOfLastRun
        let mayBeEnded = settings.upstream.isNASA || state.lastError != nil
        return mayBeEnded ? settings.feedKind.advice : nil
    }

    // MARK: The daemon

    /// The settings of the last “run”, as the user typed them, by the names of their options.
    package var settings: [String: String] { processes.lastRun?.settings ?? [:] }

    /// Whether the last run was a daemon, and no process writes the mirror any more: nobody requests newer days.
    package var hasLostDaemon: Bool { writer == nil && processes.lastRun?.watcher != nil }

    private var runningDaemon: LastRun? { processes.runningDaemon }

    package var sync: Progress? { runningDaemon?.sync }
    /// How the daemon detects changes of `favorites/`; `nil` if none runs.
    package var watcher: LastRun.Watcher? { runningDaemon?.watcher }
    /// Why the daemon polls `favorites/`, and how to change that; `nil` if it does not poll.
    package var watcherReason: String? { runningDaemon?.reason }
    /// The limit of the daemon's downloads; `nil` if it has none.
    package var bandwidth: Bandwidth? { processes.settingsOfWriter?.bandwidth }

    // MARK: What prevents the work of the daemon

    /// Why favorites, thumbnails or views could not be written, what to do, and since when.
    ///
    /// If the daemon has ended, nobody knows whether they can be written now, and the list is empty.
    package var failures: [SyncState.Failure] {
        guard !hasLostDaemon else { return [] }
        // The note is outside of the mirror: on another disk, the daemon can write it whatever the disk of the mirror refuses.
        let known = processes.noteOfRunningDaemon?.failures ?? processes.lastRun?.failures
        return LastRun.ServiceName.allCases.compactMap { known?[$0] }
    }

    /// Why the service of this mirror has failed, by its own note or by systemd; `nil` if it has not failed.
    package var failureOfService: String? {
        guard writer == nil else { return nil }
        return processes.note?.failure(unlessFollowedBySuccessAt: lastSuccess) ?? failureBySystemd
    }

    /// What keeps all days away now, such as a full disk; `nil` if nothing does.
    ///
    /// An obstacle that the daemon or the last sync knew before lasts since that time.
    package var obstacle: Obstacle? {
        // The note is known even if the disk of the mirror is full or read-only, unless it is on the same disk. If the daemon
        // has ended, nobody knows whether its obstacle is still there.
        let noted = processes.noteOfRunningDaemon?.obstacle
        let known = noted ?? (hasLostDaemon ? nil : state.obstacle)
        let current: Obstacle? =
            switch known?.kind {
            case .disk, .rights: known
            // The free space may have changed since the last sync.
            case .network, .space, .clock, nil: lackOfSpace ?? known
            }
        return current?.following(noted).following(state.obstacle)
    }

    // MARK: The next sync

    /// When the daemon syncs next; `nil` if none runs, or if nobody knows.
    package var nextSync: Date? {
        guard let time = runningDaemon?.nextSync else { return nil }
        if time >= now { return time }
        // While an obstacle lasts, the daemon does not write when it checks again, nor after a poll without news.
        if obstacle != nil { return nil }
        return hasPolledWithoutNews ? schedule.next(afterPollWithoutNewsAt: now, state) : time
    }

    /// Whether the daemon has polled NASA since ``lastSuccess``, and there was nothing new.
    ///
    /// The daemon writes each failure, but not each poll without news. A sync that was due and left no trace is such a
    /// poll.
    package var hasPolledWithoutNews: Bool {
        guard let time = runningDaemon?.nextSync else { return false }
        return time < now && sync == nil && obstacle == nil
    }
}
