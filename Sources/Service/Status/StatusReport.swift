internal import APOD
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
/// values are from before a change, and others from after it. If a file cannot be read, the report leaves out what only that file
/// says, and has the reason in ``unreadable``.
package struct StatusReport: Sendable {
    /// A part of the report that is read from a file of its own, or for `favorites`, from a folder.
    package enum Part: Hashable, Sendable {
        case state, favorites, verification
    }

    package let root: String
    package let now: Date
    /// Why files of the mirror or `favorites/` cannot be read, and what to do.
    package let unreadable: [String]
    /// The parts that are empty because their files cannot be read.
    package let unknownParts: Set<Part>

    // MARK: Files

    /// What the last sync saved, corrected by ``DayOverview``; `state.newest` is NASA's newest day.
    package let state: SyncState
    package let days: Days
    package let favorites: FavoriteCounts
    package let thumbnails: ThumbnailCount
    package let sizes: Sizes
    package let verification: VerifyState
    /// Sentences about the items of people that are in the places of generated files, such as pages of the gallery.
    package let inTheWay: [String]

    // MARK: Processes

    /// The process that has the mirror open for writing: the daemon or a command.
    package let writer: FileLock.Holder?
    /// What the last process of `apod-mirror run`, which may still run, wrote into the mirror.
    let lastRun: LastRun?
    /// What the daemon of this mirror wrote outside of it; `nil` if there is no note.
    let service: ServiceNote?
    /// The ID of the daemon that runs, but no longer has this mirror open; `nil` if there is none.
    package let daemonOfExchangedMirror: Int32?
    let schedule: Schedule
    /// The lack of space by the settings of the last run, measured now; `nil` if there is space, or no run is known.
    let lackOfSpace: Obstacle?
    /// What systemd says of a service that could not start; the caller sets it, because only this report shows whether to ask.
    package var failureBySystemd: String?

    /// Reads the status of `tree`; `snapshot` lists its files, if the caller has such a list.
    ///
    /// `service` reads the note of the daemon of this mirror. `built` is when this program was built: a clock that shows an
    /// earlier time is wrong.
    ///
    /// - Throws: An error that concerns every file, such as a disk that is gone.
    package init(
        of tree: Tree, snapshot: TreeSnapshot? = nil,
        service: @autoclosure () throws -> ServiceNote? = nil,
        now: Date = Date(), built: Date = PlausibleDates.builtDate
    ) throws {
        let store = Store(reading: tree)
        var reader = PartialReader()
        root = tree.root.path
        self.now = now
        schedule = Schedule(mirror: tree.id)

        var savedState = try reader.read(.state) { try store.state() } ?? SyncState()
        let note = try reader.read { try service() }
        self.service = note
        writer = Tree.writer(in: tree.root).map { $0.replacing(by: note) }
        lastRun = try reader.read { try LastRun.read(from: tree) }
        if let lastRun, lastRun.process == writer?.process {
            // Until the first sync of the running process ends, the state has the settings of the process before.
            savedState.replaceSettings(by: Settings(root: root, typed: lastRun.settings))
        }
        let snapshot = try snapshot ?? TreeSnapshot(of: tree.root, .media)
        let overview = try DayOverview(of: snapshot, in: store, savedState, at: now, built: built)
        state = overview.state
        days = Days(overview)
        favorites = try FavoriteCounts(of: store, reader: &reader)
        thumbnails = try Thumbnails(store: store)
            .count(in: snapshot, daysWithFiles: overview.withFiles)
        sizes = try Sizes(of: store, recordedBytes: overview.recordedBytes, reader: &reader)
        verification =
            try reader.read(.verification) { try VerifyState.read(from: tree) } ?? VerifyState.none
        daemonOfExchangedMirror = note.flatMap { $0.hasLostMirror(at: tree) ? $0.process : nil }
        unreadable = reader.errors
        unknownParts = reader.unknownParts
        // A person may have moved an item away since the last run found it.
        inTheWay = (lastRun?.inTheWay ?? [])
            .filter { !tree.root.isCertainlyMissing($0) }
            .map { ViewFiles.obstruction(by: $0, in: tree.root) }
        lackOfSpace = try lastRun.flatMap {
            let minimumFree = Settings(root: tree.root.path, typed: $0.settings).minimumFree
            return try Obstacle.space(on: tree.root, minimumFree: minimumFree, at: now)
        }
    }
}

extension StatusReport {
    package struct FavoriteCounts: Sendable {
        /// The number of favorites in each state; a state without favorites may be left out.
        package let byState: [FavoriteList.State: Int]
        /// The number of held favorites that are to be removed, unless their links return.
        package let toBeRemoved: Int
        /// The number of items that refer to no day.
        package let unrecognized: Int

        fileprivate init(of store: Store, reader: inout PartialReader) throws {
            let commands = FavoriteCommands(of: store)
            let list = try reader.read(.favorites) { try commands.list() }
            if let list {
                try reader.read { try commands.checkScannedDirectory() }
                if let error = list.folderError { reader.record("\(error)") }
            }
            let entries = list?.entries ?? []
            byState = Dictionary(entries.map { ($0.state, 1) }, uniquingKeysWith: +)
            toBeRemoved = entries.count { $0.removal != nil }
            unrecognized = list?.unrecognized.count ?? 0
        }
    }

    /// Sizes in bytes.
    package struct Sizes: Sendable {
        /// The pictures and videos that records name, and what edits and damage replaced.
        package let media: Int
        /// The removed favorites that are not deleted yet; `nil` if the trash cannot be read.
        package let trash: Int?
        /// The free space on the disk of the mirror.
        package let free: Int

        fileprivate init(
            of store: Store, recordedBytes: Int, reader: inout PartialReader
        ) throws {
            let replacedBytes = try reader.read { try store.totalSizeOfReplacedItems() } ?? 0
            media = recordedBytes.addingSaturating(replacedBytes)
            trash = try reader.read { try store.trashBytes() }
            free = try store.tree.root.freeBytes()
        }
    }
}

extension FileLock.Holder {
    /// The same process with the ID that its own note has: a restore may have written another one into the locked files.
    fileprivate func replacing(by note: ServiceNote?) -> Self {
        guard role == .daemon, let note, case .running = note.state, note.isAlive else {
            return self
        }
        return Self(process: note.process, role: role)
    }
}

/// Reads the parts of a ``StatusReport``, and collects the errors, because one unreadable file must not hide the other parts.
private struct PartialReader {
    /// Each error with what to do.
    private(set) var errors: [String] = []
    private(set) var unknownParts: Set<StatusReport.Part> = []

    mutating func record(_ error: String) { errors.append(error) }

    /// Returns what `body` reads; `nil` if there is nothing, or if it cannot be read, so that `part` is unknown.
    @discardableResult
    mutating func read<Value>(
        _ part: StatusReport.Part? = nil, _ body: () throws -> Value?
    ) throws -> Value? {
        do {
            return try body()
        } catch let error as SystemError where !error.concernsEveryFile {
            record(error.advice)
            if let part { unknownParts.insert(part) }
            return nil
        }
    }
}
