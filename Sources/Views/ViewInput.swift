package import APOD
package import Mirror
package import Platform
package import Thumbnails

/// What all views are made from: one state of the tree, and the favorites.
package struct ViewInput: Sendable {
    package let store: Store
    package private(set) var snapshot: TreeSnapshot
    /// Empty if they cannot be read: see ``favoritesError``.
    package let favorites: Set<Day>
    /// The favorites in each directory in `favorites/`, by the path of the directory there.
    package let collections: [String: Set<Day>]
    /// Why the favorites cannot be read, so that views that show them are not updated; `nil` if they were read.
    package let favoritesError: SystemError?
    /// Makes small pictures; `nil` if the settings want no thumbnails, or no thumbnailer is installed.
    let thumbnails: Thumbnails?
    /// The days with a record, newest first; a record after ``Store/newestDay(in:at:)`` is left out: its date is wrong.
    let recordedDays: [Day]
    /// The days with a ``Rendition``, a smaller copy of the picture; if they cannot be listed, views show the originals.
    let renditions: Set<Day>

    /// The tree of `store` must be open for writing, because views write their files there.
    package init(
        store: Store, snapshot: TreeSnapshot, favorites: Set<Day> = [],
        collections: [String: Set<Day>] = [:], favoritesError: SystemError? = nil,
        thumbnails: Thumbnails?
    ) throws {
        self.store = store
        self.snapshot = snapshot
        self.favorites = favorites
        self.collections = collections
        self.favoritesError = favoritesError
        self.thumbnails = if let thumbnails, thumbnails.isAvailable { thumbnails } else { nil }
        recordedDays = try Self.recordedDays(in: snapshot, of: store)
        renditions = Self.daysWithRendition(in: store.tree.root)
    }

    private static func recordedDays(
        in snapshot: TreeSnapshot, of store: Store
    ) throws -> [Day] {
        guard let newest = try store.newestDay(in: snapshot) else { return [] }
        return Array(snapshot.recordedInOrder.reversed().drop { $0 > newest })
    }

    private static func daysWithRendition(in root: Directory) -> Set<Day> {
        let names = (try? root.folder(Rendition.folder)?.textNames()) ?? []
        let days = names.compactMap { name -> Day? in
            guard let day = FileName.day(of: name) else { return nil }
            return Rendition.path(of: day) == "\(Rendition.folder)/\(name)" ? day : nil
        }
        return Set(days)
    }

    /// Lists the files of `day` again, after a view has made its thumbnail.
    package mutating func rereadFiles(of day: Day) {
        snapshot.reread(day, in: root)
    }

    var root: Directory { store.tree.root }

    /// The files of `view`, which it writes and removes only through this.
    func files(of view: ViewName) -> ViewFiles { ViewFiles(of: view, in: store) }

    /// Removes the directory at `path` if it is empty after an update that removed files; `outcome` is that of the update.
    func removeFolder(_ path: String, ifEmptiedBy outcome: ViewOutcome) throws(SystemError) {
        guard !outcome.changedPaths.isEmpty, let folder = try root.folder(path),
            try folder.names().isEmpty
        else { return }
        try root.removeDirectory(path)
    }

    /// Reads the records of any days, for views of many days.
    var recordReader: RecordReader { RecordReader(store: store) }

    /// The records of the newest ``recordedDays``, for views of many days: a record that cannot be read is left out.
    func records(atMost limit: Int) -> RecordIterator {
        RecordIterator(reader: recordReader, days: recordedDays[...], limit: limit)
    }

    /// The records of ``recordedDays``, for views of the newest day: a record that cannot be read is an error.
    var newestRecords: NewestRecordIterator {
        NewestRecordIterator(store: store, snapshot: snapshot, days: recordedDays[...])
    }

    /// Whether the picture or video of a record is at its `path` in `pictures/`.
    func hasMedia(at path: String?) throws(SystemError) -> Bool {
        guard let path, path.hasPrefix("\(Layout.pictures)/") else { return false }
        return try root.status(path)?.kind == .file
    }
}
