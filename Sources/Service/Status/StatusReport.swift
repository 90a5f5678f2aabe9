package import APOD
package import Favorites
package import FoundationEssentials
package import Maintenance
package import Mirror
package import Platform
package import Thumbnails
internal import Transfer

/// The status of a mirror, as `apod-mirror status` prints it: its days, favorites and damage, and what prevents downloads.
///
/// The report is read from the files of the mirror, so that no daemon has to run. If a daemon changes files meanwhile, some
/// values are from before a change, and others from after it. A file that cannot be read does not prevent the report:
/// ``unreadable`` says why, and the values that only this file has are left out.
package struct StatusReport: Sendable {
    /// A part of the report that has a file of its own.
    package enum Part: Hashable, Sendable {
        case state, favorites, verification
    }

    package let root: String
    package let now: Date
    /// Why internal files or `favorites/` cannot be read, and what to do.
    package let unreadable: [String]
    /// The parts of the report that are empty because of ``unreadable``.
    package let unknownParts: Set<Part>

    // MARK: Days

    /// The newest day with files; the newest day at NASA is `state.newest`.
    package let newest: Day?
    /// The error because of which ``newest`` is `nil`, although there may be a newest day; `nil` if there was none.
    package let newestDayError: SystemError?
    /// What the last sync saved; a newest day in the future is replaced.
    package let state: SyncState
    package let wantedDays: Days
    /// All days that the mirror knows: wanted days, days with a retry, such as favorites, and older days that are here or whose
    /// files are gone.
    package let allDays: Days
    /// The days whose picture or video is here, but another file or a better picture is requested again; newest first.
    package let partialDays: [IncompleteDay]
    package let removedDayCount: Int

    // MARK: Files

    package let favorites: FavoriteCounts
    package let thumbnails: ThumbnailCount
    package let verification: VerifyState
    /// Sentences about the items that are still in the places of generated files.
    package let inTheWay: [String]
    /// The bytes of pictures and videos that records name, and of what edits and damage replaced.
    package let mediaBytes: Int
    /// The bytes of removed favorites that are not deleted yet; `nil` if the trash cannot be read.
    package let trashBytes: Int?
    package let freeBytes: Int

    // MARK: Processes

    /// The ID of the process that has the mirror open for writing: the daemon or a command.
    package let writer: Int32?
    /// What the last process of `apod-mirror run`, which may still run, wrote into the mirror.
    let lastRun: LastRun?
    /// What the daemon of this mirror wrote outside of it; `nil` if there is no note.
    let service: ServiceNote?
    let schedule: Schedule
    /// What keeps all days away now; `nil` if nothing does.
    package private(set) var obstacle: Obstacle?
    /// What systemd says of a service that could not start; the caller asks systemd.
    package var failureBySystemd: String?

    /// Reads the status of `tree`; `snapshot` has its files, if the caller has listed them.
    ///
    /// `service` reads the note of the daemon of this mirror. `built` is when this program was built: a clock that shows an
    /// earlier time is wrong.
    ///
    /// - Throws: An error that concerns every file, such as a disk that is gone.
    package init(
        of tree: Tree, days snapshot: TreeSnapshot? = nil,
        service: @autoclosure () throws -> ServiceNote? = nil,
        now: Date = Date(), built: Date = PlausibleDates.builtDate
    ) throws {
        let store = Store(reading: tree)
        var reader = PartialReader()
        root = tree.root.path
        self.now = now
        schedule = Schedule(mirror: tree.id)

        var savedState = try reader.read(.state) { try store.state() } ?? SyncState()
        writer = tree.writer
        lastRun = try reader.read { try LastRun.read(from: tree) }
        if let lastRun, lastRun.process == writer {
            // Until the first sync of the running process ends, the state has the settings of the process before.
            savedState.replaceSettings(by: Settings(root: root, typed: lastRun.settings))
        }
        let snapshot = try snapshot ?? TreeSnapshot(of: tree.root, .media)
        let days = try DayOverview(of: snapshot, in: store, savedState, at: now, built: built)
        state = days.state
        newestDayError = days.newestDayError
        newest = newestDayError == nil ? days.newestWithFiles : nil
        wantedDays = Days(days.wanted, in: days)
        allDays = Days(days.all, in: days)
        partialDays = days.partial
        removedDayCount = days.removed.count

        favorites = try FavoriteCounts(of: store, reader: &reader)
        thumbnails = try Thumbnails(store: store)
            .count(in: snapshot, daysWithFiles: days.withFiles)
        let replacedBytes = try reader.read { try store.totalSizeOfReplacedItems() } ?? 0
        mediaBytes = days.recordedBytes.addingSaturating(replacedBytes)
        trashBytes = try reader.read { try store.trashBytes() }
        freeBytes = try tree.root.freeBytes()
        verification =
            try reader.read(.verification) { try VerifyState.read(from: tree) } ?? VerifyState.none
        self.service = try reader.read { try service() }
        unreadable = reader.errors
        unknownParts = reader.unknownParts
        // A person may have moved an item away since the views were updated.
        inTheWay = (lastRun?.inTheWay ?? [])
            .filter { !tree.root.isCertainlyMissing($0) }
            .map { ViewFiles.obstruction(by: $0, in: tree.root) }
        obstacle = try currentObstacle(on: tree)
    }
}

extension StatusReport {
    package struct FavoriteCounts: Sendable {
        /// The number of favorites in each state; a state without favorites may be left out.
        package let byState: [FavoriteList.State: Int]
        /// The number of held favorites that are removed soon, unless their links return.
        package let removedSoon: Int
        /// The number of items that refer to no day.
        package let unrecognized: Int

        fileprivate init(of store: Store, reader: inout PartialReader) throws {
            let commands = FavoriteCommands(of: store)
            let list = try reader.read(.favorites) { try commands.list() }
            if let list {
                try reader.read { try commands.checkScannedDirectory() }
                if let error = list.folderError { reader.errors.append("\(error)") }
            }
            let entries = list?.entries ?? []
            byState = Dictionary(entries.map { ($0.state, 1) }, uniquingKeysWith: +)
            removedSoon = entries.count { $0.secondsUntilRemoval != nil }
            unrecognized = list?.unrecognized.count ?? 0
        }
    }
}

/// Reads the parts of a ``StatusReport``, and collects the errors, because one unreadable file must not hide the other parts.
private struct PartialReader {
    var errors: [String] = []
    private(set) var unknownParts: Set<StatusReport.Part> = []

    /// Returns what `body` reads; `nil` if there is nothing, or if it cannot be read, so that `part` is unknown.
    @discardableResult
    mutating func read<Value>(
        _ part: StatusReport.Part? = nil, _ body: () throws -> Value?
    ) throws -> Value? {
        do {
            return try body()
        } catch let error as SystemError where !error.concernsEveryFile {
            errors.append(error.advice)
            if let part { unknownParts.insert(part) }
            return nil
        }
    }
}

extension SyncState {
    fileprivate mutating func replaceSettings(by settings: Settings) {
        if since != settings.since { missingFrom = nil }
        since = settings.since
        keep = settings.keep
        if keep == .all { keptFrom = nil }
    }
}
