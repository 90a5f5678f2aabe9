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
/// No daemon is needed. If a daemon writes meanwhile, the parts of the report may be from before and after a change.
package struct StatusReport: Sendable {
    package let root: String
    /// The newest day with files; the newest day at NASA is `state.newest`.
    package let newest: Day?
    /// Why nobody knows which day is the newest with files, so that ``newest`` is `nil`; `nil` if that is known.
    package let doubtAboutNewest: SystemError?
    /// A part of the report that has a file of its own.
    package enum Part: Hashable, Sendable {
        case state, favorites, verification
    }

    /// Why internal files or `favorites/` cannot be read, and what to do; what only they say is left out of the report.
    package let unreadable: [String]
    /// The parts of the report that are empty because of ``unreadable``.
    package let unknownParts: Set<Part>
    /// What the last sync saved; a newest day in the future is replaced.
    package let state: SyncState
    /// The days that `--since` and `--keep` ask for.
    package let wanted: Days
    /// All days that the mirror knows: wanted days, days with a retry, such as favorites, and older days that are here or whose
    /// files are gone.
    package let all: Days
    /// The days whose picture or video is here, but another file or a better picture is requested again; newest first.
    package let partial: [IncompleteDay]
    /// The number of favorites in each state.
    package let favorites: [FavoriteList.State: Int]
    /// The number of held favorites that are removed soon, unless their links return.
    package let favoritesAboutToGo: Int
    /// The number of items in `favorites/` that refer to no day.
    package let unrecognized: Int
    package let thumbnails: ThumbnailCount
    /// The bytes of pictures and videos that records name, and of what edits and damage replaced.
    package let bytes: Int
    /// The number of days whose picture `--keep` removed.
    package let removed: Int
    /// The bytes of removed favorites that are not deleted yet; `nil` if the trash cannot be read.
    package let trashBytes: Int?
    package let freeBytes: Int
    /// The ID of the process that has the mirror open for writing: the daemon or a command.
    package let writer: Int32?
    package let verification: VerifyState
    /// Sentences about the items that are still in the places of generated files.
    package let inTheWay: [String]
    /// What keeps all days away now; `nil` if nothing does.
    package private(set) var obstacle: Obstacle?
    /// What the last process of `apod-mirror run`, which may still run, wrote into the mirror.
    let lastRun: LastRun?
    /// What the daemon of this mirror wrote outside of it; `nil` if there is no note.
    private let service: ServiceNote?
    private let schedule: Schedule
    package let now: Date

    /// What systemd says of a service that could not start; the caller asks systemd.
    package var failureBySystemd: String?

    /// Reads the status of `tree`; `snapshot` has its files, if the caller has listed them.
    ///
    /// `service` reads the note of its daemon; `built` is when this program was built, before which no right clock can be.
    package init(
        of tree: Tree, days snapshot: TreeSnapshot? = nil,
        service: @autoclosure () throws -> ServiceNote? = nil,
        now: Date = Date(), built: Date = PlausibleDates.builtDate
    ) throws {
        let store = Store(reading: tree)
        root = tree.root.path
        var unreadable: [String] = []
        /// What `body` reads; `nil` if that cannot be read.
        @discardableResult
        func contents<Value>(_ body: () throws -> Value) throws -> Value? {
            do {
                return try body()
            } catch let error as SystemError where !error.concernsEveryFile {
                unreadable.append(error.advice)
                return nil
            }
        }
        var unknownParts: Set<Part> = []
        let savedState = try contents { try store.state() }
        if savedState == nil { unknownParts.insert(.state) }
        var state = savedState ?? SyncState()
        writer = tree.writer
        let lastRun = try contents { try LastRun.read(from: tree) } ?? nil
        self.lastRun = lastRun
        schedule = Schedule(mirror: tree.id)
        if let lastRun, lastRun.process == writer {
            // Until the first sync of the running process ends, the state has the settings of the process before.
            state.replaceSettings(by: Settings(root: tree.root.path, typed: lastRun.settings))
        }
        let snapshot = try snapshot ?? TreeSnapshot(of: tree.root, .media)
        let recordedDays = try store.recordedDays(in: snapshot)
        let daysWithFiles = recordedDays.withFiles
        let doubt = { (day: Day) in snapshot.doubt(about: day, recordedDays.unreadable) }
        let dates = try store.plausibleDates(state, recorded: daysWithFiles, at: now, built: built)
        // A wrong clock or a wrong entry may have recorded a day in the future.
        if let newest = state.newest, !dates.contains(newest) {
            state.newest = state.newest(of: daysWithFiles, dates)
        }
        let newest = state.newest(of: daysWithFiles, dates)
        doubtAboutNewest =
            if let newest {
                // A day after the newest known one may be here, too.
                state.newest.flatMap { (newest...max(newest, $0)).dropFirst() }?
                    .lazy.compactMap(doubt).first
            } else {
                snapshot.readErrors.first
            }
        self.newest = doubtAboutNewest == nil ? newest : nil
        self.state = state
        let (removedDays, lostDays) = try store.daysWithoutRecordedFiles(
            in: snapshot, daysWithFiles: daysWithFiles)
        // A file that a person has edited is not gone.
        let lost = lostDays.subtracting(recordedDays.editedFiles.keys)
        let wanted = Set(state.range.map(Array.init) ?? []).subtracting(Day.neverPublished)
        self.wanted = Days(
            wanted, withFiles: daysWithFiles, lost: lost, retries: state.retries, doubt: doubt)
        all = Days(
            daysWithFiles.union(wanted).union(state.retries.keys).union(lost),
            withFiles: daysWithFiles, lost: lost, retries: state.retries, doubt: doubt)
        partial = daysWithFiles.filter { state.retries[$0]?.hasFiles == true && doubt($0) == nil }
            .sorted(by: >)
            .map { [state] in IncompleteDay(day: $0, retry: state.retries[$0], readError: nil) }
        let commands = FavoriteCommands(of: store)
        let list = try contents { try commands.list() }
        if list == nil {
            unknownParts.insert(.favorites)
        } else {
            try contents { try commands.checkScannedDirectory() }
            if let error = list?.folderError { unreadable.append("\(error)") }
        }
        let entries = list?.entries ?? []
        favorites = Dictionary(entries.map { ($0.state, 1) }, uniquingKeysWith: +)
        favoritesAboutToGo = entries.count { $0.secondsUntilRemoval != nil }
        unrecognized = list?.unrecognized.count ?? 0
        thumbnails = try Thumbnails(store: store)
            .count(in: snapshot, daysWithFiles: daysWithFiles)
        let bytesOfReplacedItems = try contents { try store.bytesOfReplacedItems() }
        bytes = recordedDays.bytes(in: snapshot).addingSaturating(bytesOfReplacedItems ?? 0)
        removed = removedDays.count
        trashBytes = try contents { try store.trashBytes() }
        freeBytes = try tree.root.freeBytes()
        let verification = try contents { try VerifyState.read(from: tree) }
        if verification == nil { unknownParts.insert(.verification) }
        self.verification = verification ?? VerifyState.none
        self.service = try contents(service) ?? nil
        self.unreadable = unreadable
        self.unknownParts = unknownParts
        // A person may have moved an item away since the views were updated.
        inTheWay = (lastRun?.inTheWay ?? [])
            .filter { !tree.root.isCertainlyMissing($0) }
            .map { ViewFiles.obstruction(by: $0, in: tree.root) }
        self.now = now
        obstacle = try currentObstacle(on: tree)
    }

    private func currentObstacle(on tree: Tree) throws -> Obstacle? {
        // The free space is measured here: a daemon on a full disk may be unable to record that it is full.
        if let lastRun {
            let minimumFree = Settings(root: root, typed: lastRun.settings).minimumFree
            let space = try Obstacle.space(on: tree.root, minimumFree: minimumFree, at: now)
            if let space { return space.following(state.obstacle) }
        }
        // The note is on another disk: the daemon writes it even if the disk of the mirror is read-only.
        if let obstacle = service?.obstacle { return obstacle.following(state.obstacle) }
        // If the daemon has ended, nobody knows whether its obstacle is still there.
        return hasLostDaemon ? nil : state.obstacle
    }

    /// When NASA was last reached; `nil` if it never was.
    ///
    /// A time in the future was written by a wrong clock: it is returned only if no other time is known.
    package var lastSuccess: Date? {
        let times = [state.lastSuccess, lastRun?.lastSuccess].compactMap(\.self)
        return times.filter { $0 <= now }.max() ?? times.max()
    }

    /// The route by which the newest day came, unless that was NASA's API.
    package var newestRoute: Route? { newest.flatMap { state.otherRoutes?[$0] } }

    /// Whether the last run was a daemon, and no process writes the mirror any more: nobody requests newer days.
    package var hasLostDaemon: Bool { writer == nil && lastRun?.watcher != nil }

    /// Why favorites, thumbnails or views could not be written, what to do, and since when.
    ///
    /// If the daemon has ended, nobody knows whether they can be written now, and the list is empty.
    package var failures: [SyncState.Failure] {
        guard !hasLostDaemon else { return [] }
        return LastRun.ServiceName.allCases.compactMap { lastRun?.failures?[$0] }
    }

    /// The settings of the last “run”, as the user typed them, by the names of their options.
    package var settings: [String: String] { lastRun?.settings ?? [:] }

    /// What to do about the feed of the last run, if NASA ended its format or the feed fails; `nil` if nothing is known.
    package var feedAdvice: String? {
        let settings = Settings(root: root, typed: self.settings)
        let mayBeEnded = settings.upstream.isNASA || state.lastError != nil
        return mayBeEnded ? settings.feedKind.advice : nil
    }

    private var runningDaemon: LastRun? {
        lastRun.flatMap { $0.process == writer ? $0 : nil }
    }

    /// The running sync of the daemon; `nil` if there is none.
    package var sync: Progress? { runningDaemon?.sync }
    /// How the daemon detects changes of `favorites/`; `nil` if none runs.
    package var watcher: LastRun.Watcher? { runningDaemon?.watcher }
    /// Why the daemon polls `favorites/`, and how to change that; `nil` if it does not poll.
    package var watcherReason: String? { runningDaemon?.reason }
    /// The limit of the daemon's downloads; `nil` if it has none.
    package var bandwidth: Bandwidth? {
        runningDaemon.flatMap { Settings(root: root, typed: $0.settings).bandwidth }
    }

    /// When the daemon syncs next; `nil` if none runs.
    package var nextSync: Date? {
        guard hasPolledWithoutNews else {
            // While an obstacle lasts, the daemon does not write when it checks again: a time that has passed says nothing.
            return runningDaemon?.nextSync.flatMap { obstacle == nil || $0 >= now ? $0 : nil }
        }
        // The daemon did not write when it syncs next: the schedule says it.
        var summary = SyncSummary()
        summary.newest = state.newest
        // Every day with a retry counts as a favorite here, so that the plan includes it, wanted or not.
        let plan = SyncPlan(range: nil, favorites: Set(state.retries.keys), now: now) { day in
            state.retries[day].map(DayState.retried) ?? .unknown
        }
        summary.nextRetry = plan.nextRetry
        summary.awaitsPicture = plan.awaitsPicture
        return schedule.next(after: now, summary, failures: 0)
    }

    /// Whether the daemon has polled NASA since ``lastSuccess``, and there was nothing new.
    ///
    /// The daemon writes each failure, but not each poll without news. A sync that was due and left no trace is such a
    /// poll.
    package var hasPolledWithoutNews: Bool {
        guard let next = runningDaemon?.nextSync else { return false }
        return next < now && sync == nil && obstacle == nil
    }

    /// Why the service of this mirror has failed, by its own note or by systemd; `nil` if it has not failed.
    package var failureOfService: String? {
        writer == nil ? service?.failure(unlessBefore: lastSuccess) ?? failureBySystemd : nil
    }
}

extension SyncState {
    fileprivate mutating func replaceSettings(by settings: Settings) {
        since = settings.since
        keep = settings.keep
        if keep == .all { keptFrom = nil }
    }
}
