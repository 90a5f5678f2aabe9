internal import APOD
package import FoundationEssentials
package import Maintenance
package import Mirror
internal import Platform
package import Thumbnails

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

    // MARK: The daemon

    let processes: Processes
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
        processes = try Processes(of: tree, service: service, reader: &reader)
        if let settings = processes.settingsOfWriter {
            // Until the first sync of the running process ends, the state has the settings of the process before.
            savedState.replaceSettings(by: settings)
        }

        let snapshot = try snapshot ?? TreeSnapshot(of: tree.root, .media)
        let overview = try DayOverview(of: snapshot, in: store, savedState, at: now, built: built)
        state = overview.state
        days = Days(overview)
        favorites = try FavoriteCounts(of: store, reader: &reader)
        for error in snapshot.thumbnailErrors { reader.record(error.advice) }
        thumbnails = try Thumbnails(store: store)
            .count(in: snapshot, daysWithFiles: overview.withFiles)
        sizes = try Sizes(of: store, recordedBytes: overview.recordedBytes, reader: &reader)
        verification =
            try reader.read(.verification) { try VerifyState.read(from: tree) } ?? VerifyState.none
        inTheWay = Self.textsAboutItems(at: processes.lastRun?.inTheWay ?? [], in: tree.root)
        let minimumFree = processes.lastRun == nil ? nil : processes.settingsOfLastRun.minimumFree
        lackOfSpace = try minimumFree.flatMap {
            try Obstacle.space(on: tree.root, minimumFree: $0, at: now)
        }
        unreadable = reader.errors
        unknownParts = reader.unknownParts
    }

    /// Sentences about the items at `paths`, which the last run found in the places of generated files.
    private static func textsAboutItems(at paths: [String], in root: Directory) -> [String] {
        // A person may have moved an item away since.
        paths.filter { !root.isCertainlyMissing($0) }
            .map { ViewFiles.obstruction(by: $0, in: root) }
    }
}

extension SyncState {
    /// Replaces the settings of the process that saved the state, and drops the days that were computed from them.
    fileprivate mutating func replaceSettings(by settings: Settings) {
        if since != settings.since { missingFrom = nil }
        since = settings.since
        keep = settings.keep
        if keep == .all { keptFrom = nil }
    }
}
