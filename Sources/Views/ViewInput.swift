package import APOD
package import Mirror
internal import Platform
package import Thumbnails

/// What all views are made from: one state of the tree, and the favorites; `ViewService` passes it to each ``View``.
package struct ViewInput: Sendable {
    package let store: Store
    package private(set) var snapshot: TreeSnapshot
    package let favorites: Set<Day>
    /// The favorites in each directory in `favorites/`, by its path there.
    package let collections: [String: Set<Day>]
    /// Decodes pictures; `nil` if the settings want no thumbnails, or no thumbnailer is installed.
    let thumbnails: Thumbnails?
    /// The days with a record, newest first, up to ``Store/newestDay(in:at:)``: a record of a later day is a mistake.
    let recordedDays: [Day]
    /// The days with a ``Rendition``; none if they cannot be listed, so that the originals are shown.
    let renditions: Set<Day>

    /// `store` has a tree that is open for writing, as views write their files there.
    package init(
        store: Store, snapshot: TreeSnapshot, favorites: Set<Day> = [],
        collections: [String: Set<Day>] = [:], thumbnails: Thumbnails?
    ) throws {
        self.store = store
        self.snapshot = snapshot
        self.favorites = favorites
        self.collections = collections
        self.thumbnails = thumbnails?.isAvailable == true ? thumbnails : nil
        let newest = try store.newestDay(in: snapshot)
        recordedDays =
            newest.map { newest in
                Array(snapshot.recordedInOrder.reversed().drop { $0 > newest })
            } ?? []
        let names = (try? store.tree.root.folder(Rendition.folder)?.textNames()) ?? []
        renditions = Set(
            names.compactMap { name in
                FileName.day(of: name).flatMap { day in
                    Rendition.path(of: day) == "\(Rendition.folder)/\(name)" ? day : nil
                }
            })
    }

    /// Lists the files of `day` again, after a view has made its thumbnail; the days with a record stay.
    package mutating func rereadFiles(of day: Day) {
        snapshot.reread(day, in: root)
    }

    var root: Directory { store.tree.root }

    /// The files of `view`, through which alone it writes.
    func files(of view: ViewName) -> ViewFiles { ViewFiles(of: view, in: store) }

    /// Removes the directory of a view at `path` if it is empty now because of what the view removed.
    func removeIfEmptied(_ path: String, by outcome: ViewOutcome) throws(SystemError) {
        guard !outcome.changedPaths.isEmpty, try root.folder(path)?.names().isEmpty == true else {
            return
        }
        try root.removeFolder(path)
    }

    /// The records of ``recordedDays``, newest first, for views of many days.
    var records: RecordIterator { RecordIterator(store: store, days: recordedDays[...]) }

    /// The records of ``recordedDays``, newest first, for views of the newest day alone.
    var newestRecords: NewestRecordIterator {
        NewestRecordIterator(store: store, snapshot: snapshot, days: recordedDays[...])
    }

    /// Whether the picture or video is there that a record names by its `path` in `pictures/`.
    func hasMedia(at path: String?) throws(SystemError) -> Bool {
        guard let path, path.hasPrefix("\(Layout.pictures)/") else { return false }
        return try root.status(path)?.kind == .file
    }
}

/// Reads the records of days, newest first, each when it is needed, for views that show what they can: it leaves out
/// records that are damaged or cannot be read.
///
/// It is no `IteratorProtocol`, as reading can fail.
struct RecordIterator {
    let store: Store
    var days: ArraySlice<Day>
    /// Why days were left out; what is made of them must stay.
    private(set) var errors: [Day: SystemError] = [:]

    init(store: Store, days: ArraySlice<Day>) { (self.store, self.days) = (store, days) }

    /// The next record, or `nil` after the last, and once there are `limit` ``errors``: all records may be unreadable.
    ///
    /// - Throws: If memory or descriptors are used up, as all days would be left out.
    mutating func next(untilErrors limit: Int) throws(SystemError) -> DayRecord? {
        while errors.count < limit, let day = days.popFirst() {
            if let record = try record(of: day) { return record }
        }
        return nil
    }

    /// The record of any day; `nil` if it is damaged or cannot be read.
    mutating func record(of day: Day) throws(SystemError) -> DayRecord? {
        do {
            return try store.record(of: day)
        } catch {
            guard error.cause != .shortage else { throw error }
            errors[day] = error
            return nil
        }
    }
}

/// Reads the records of days, newest first, for views of the newest day: it fails where an older day would pass for it.
struct NewestRecordIterator {
    let store: Store
    let snapshot: TreeSnapshot
    var days: ArraySlice<Day>

    /// The next record that is not damaged, or `nil` after the last.
    ///
    /// - Throws: If it cannot be read, or the directory of this or a newer day cannot be listed; after the last day, if any
    ///   cannot.
    mutating func next() throws(SystemError) -> DayRecord? {
        // mutation test: hidden-days
        if let error = snapshot.readError(from: days.first ?? .first) { throw error }
        while let day = days.popFirst() {
            if let record = try store.record(of: day) { return record }
        }
        return nil
    }
}
