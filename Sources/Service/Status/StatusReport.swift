package import APOD
package import Favorites
package import FoundationEssentials
package import Maintenance
package import Mirror
package import Platform
package import Thumbnails
package import Transfer

/// The status of a mirror for `apod-mirror status`, read from its files.
///
/// It does not need the daemon, and can be made while the daemon writes: then a part read later may be newer.
package struct StatusReport: Sendable {
    package let root: String
    /// The newest day with files; that of NASA is `state.newest`.
    package let newest: Day?
    /// Why it is not known which days are here; `nil` if that is known of all.
    package let readError: SystemError?
    /// What the last sync saved, without a newest day in the future.
    package let state: SyncState
    /// The days that `--since` and `--keep` ask for.
    package let wanted: Days
    /// All days that the mirror knows: wanted ones, those with a retry, as of a favorite, and older ones that are here.
    package let all: Days
    /// The days whose picture or video is here, and another of their files, or a better picture, is requested again; newest
    /// first.
    package let partial: [IncompleteDay]
    package let favorites: [FavoriteList.State: Int]
    /// The held favorites that are removed soon, unless their links return.
    package let favoritesAboutToGo: Int
    /// The number of items in `favorites/` that refer to no day.
    package let unrecognized: Int
    package let thumbnails: ThumbnailCount
    /// The bytes of pictures and videos, and of what edits and damage replaced.
    package let bytes: Int
    /// The number of days whose picture `--keep` removed.
    package let removed: Int
    /// The bytes of removed favorites that are not deleted yet.
    package let trashBytes: Int
    package let freeBytes: Int
    /// The ID of the process that has the mirror open for writing: the daemon or a command.
    package let writer: Int32?
    package let verification: VerifyState
    /// What keeps all days away: the space as it is now, else what the last sync met; `nil` if nothing does.
    package private(set) var obstacle: Obstacle?
    /// What the last process of “run”, which may still run, wrote into `service.json`.
    let lastRun: LastRun?
    /// What the daemon of this mirror left outside of it; `nil` if it left nothing.
    let service: ServiceNote?
    private let schedule: Schedule
    package let now: Date

    /// What the service manager says of a service that could not start; the caller asks it.
    package var failureBySystemd: String?

    // MARK: Reading

    /// Reads the status of `tree`; `snapshot` is what the tree holds, if the caller has listed it.
    ///
    /// `service` is the note of its daemon. `built` is when this program was built: a clock that shows an earlier time is
    /// wrong.
    package init(
        of tree: Tree, days snapshot: TreeSnapshot? = nil, service: ServiceNote? = nil,
        now: Date = Date(),
        built: Date = PlausibleDates.builtDate
    ) throws {
        let store = Store(reading: tree)
        root = tree.root.path
        var state = try store.state()
        writer = tree.writer
        lastRun = try LastRun.read(from: tree)
        schedule = Schedule(mirror: tree.id)
        if let lastRun, lastRun.process == writer {
            // Until the first sync of that process ends, the state has the settings of the process before.
            state.take(Settings(root: tree.root.path, typed: lastRun.settings))
        }
        let snapshot = try snapshot ?? TreeSnapshot(of: tree.root, .media)
        let daysWithFiles = try store.daysWithFiles(snapshot)
        let dates = try store.plausibleDates(state, recorded: daysWithFiles, at: now, built: built)
        // A wrong clock or a wrong entry may have recorded a day in the future.
        if let newest = state.newest, !dates.contains(newest) {
            state.newest = state.newest(of: daysWithFiles, dates)
        }
        newest = state.newest(of: daysWithFiles, dates)
        readError = snapshot.readErrors.first
        self.state = state
        let wanted = Set(state.range.map(Array.init) ?? []).subtracting(Day.neverPublished)
        self.wanted = Days(
            wanted, withFiles: daysWithFiles, retries: state.retries, in: snapshot)
        all = Days(
            daysWithFiles.union(wanted).union(state.retries.keys), withFiles: daysWithFiles,
            retries: state.retries, in: snapshot)
        partial = daysWithFiles.filter { state.retries[$0]?.hasFiles == true }.sorted(by: >)
            .map { [state] in IncompleteDay(day: $0, retry: state.retries[$0], readError: nil) }
        let list = try FavoriteCommands(of: store).list()
        favorites = Dictionary(list.entries.map { ($0.state, 1) }, uniquingKeysWith: +)
        favoritesAboutToGo = list.entries.count { $0.secondsUntilRemoval != nil }
        unrecognized = list.unrecognized.count
        thumbnails = try Thumbnails(store: store)
            .count(in: snapshot, daysWithFiles: daysWithFiles)
        bytes = snapshot.bytes.addingSaturating(try store.replacedBytes().values.saturatingSum())
        removed = try store.removedDays(in: snapshot, daysWithFiles: daysWithFiles).count
        // A trash that cannot be read is no error of the mirror.
        trashBytes = (try? store.trashBytes()) ?? 0
        freeBytes = try tree.root.freeBytes()
        verification = try VerifyState.read(from: tree)
        self.service = service
        self.now = now
        obstacle = try currentObstacle(on: tree)
    }

    private func currentObstacle(on tree: Tree) throws -> Obstacle? {
        if let lastRun {
            // A daemon on a full disk may be unable to say so.
            let minimumFree = Settings(root: root, typed: lastRun.settings).minimumFree
            let space = try Obstacle.space(on: tree.root, minimumFree: minimumFree, at: now)
            if let space { return space.following(state.obstacle) }
        }
        // A disk that is read-only, or a quota, may keep the daemon from saving the state.
        if let obstacle = service?.obstacle { return obstacle.following(state.obstacle) }
        // What a daemon met that is gone says nothing of now.
        return hasLostDaemon ? nil : state.obstacle
    }

    /// The route by which the newest day came if it was not NASA's API.
    package var newestRoute: Route? { newest.flatMap { state.otherRoutes?[$0] } }

    // MARK: The daemon and its syncs

    /// When NASA was last reached; `nil` if it never was.
    ///
    /// A time in the future was written by a wrong clock: it is returned only if no other time is known.
    package var lastSuccess: Date? {
        let times = [state.lastSuccess, lastRun?.lastSuccess].compactMap(\.self)
        return times.filter { $0 <= now }.max() ?? times.max()
    }

    /// Whether the last run was a daemon, and no process writes the mirror any more: nobody requests newer days.
    package var hasLostDaemon: Bool { writer == nil && lastRun?.watcher != nil }

    /// The settings of the last “run”, as the user typed them, by the names of their options.
    package var settings: [String: String] { lastRun?.settings ?? [:] }

    /// What to do about the feed of the last process, if its format has advice: if NASA ended it, or if it fails.
    package var feedAdvice: String? {
        let settings = Settings(root: root, typed: self.settings)
        let mayBeEnded = settings.upstream.isNASA || state.lastError != nil
        return mayBeEnded ? settings.feedKind.advice : nil
    }

    /// What the running daemon wrote; `nil` if none runs.
    private var runningDaemon: LastRun? {
        lastRun.flatMap { $0.process == writer ? $0 : nil }
    }

    /// The running sync of the daemon; `nil` if there is none.
    package var sync: Progress? { runningDaemon?.sync }
    /// How the daemon detects changes of `favorites/`; `nil` if none runs.
    package var watcher: LastRun.Watcher? { runningDaemon?.watcher }
    /// Why the daemon polls `favorites/`, and how to change that; `nil` if it does not poll.
    package var watcherReason: String? { runningDaemon?.reason }
    /// When the daemon syncs next; `nil` if none runs.
    ///
    /// After polls that are not written, it is the one of the schedule, or for a retry.
    package var nextSync: Date? {
        guard hasPolledWithoutNews else {
            // A daemon that waits for the end of an obstacle does not write each of its checks.
            return runningDaemon?.nextSync.flatMap { obstacle == nil || $0 >= now ? $0 : nil }
        }
        var summary = SyncSummary()
        summary.newest = state.newest
        // All days with a retry are wanted, some of them as favorites.
        let plan = SyncPlan(range: nil, favorites: Set(state.retries.keys), now: now) { day in
            state.retries[day].map(DayState.retried) ?? .unknown
        }
        (summary.nextRetry, summary.awaitsPicture) = (plan.nextRetry, plan.awaitsPicture)
        return schedule.next(after: now, summary, failures: 0)
    }
    /// Whether the daemon has polled since ``lastSuccess``: it does not write that a poll had no news, but each failure.
    package var hasPolledWithoutNews: Bool {
        guard let next = runningDaemon?.nextSync else { return false }
        return next < now && sync == nil && obstacle == nil
    }
    /// The limit of the daemon's downloads; `nil` if it has none.
    package var bandwidth: Bandwidth? {
        runningDaemon.flatMap { Settings(root: root, typed: $0.settings).bandwidth }
    }
}

extension SyncState {
    /// Takes over the days that `settings` ask for.
    fileprivate mutating func take(_ settings: Settings) {
        (since, keep) = (settings.since, settings.keep)
        if keep == .all { keptFrom = nil }
    }
}
