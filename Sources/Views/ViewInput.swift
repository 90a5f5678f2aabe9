package import APOD
package import Mirror
internal import Platform
package import Thumbnails

/// What all views are made from: one state of the tree, and the favorites.
package struct ViewInput: Sendable {
    package let store: Store
    package private(set) var snapshot: TreeSnapshot
    package let favorites: Set<Day>
    /// The favorites in each directory in `favorites/`, by the path of the directory there.
    package let collections: [String: Set<Day>]
    /// Makes small pictures; `nil` if the settings want none, or no thumbnailer is installed.
    let thumbnails: Thumbnails?
    /// The days with a record, newest first; a record after ``Store/newestDay(in:at:)`` is a mistake and left out.
    let recordedDays: [Day]
    /// The days with a ``Rendition``; none if they cannot be listed, and then the originals are shown.
    let renditions: Set<Day>

    /// The tree of `store` must be open for writing, because views write their files there.
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

    /// Lists the files of `day` again, after a view has made its thumbnail.
    package mutating func rereadFiles(of day: Day) {
        snapshot.reread(day, in: root)
    }

    var root: Directory { store.tree.root }

    /// The only way for `view` to write files.
    func files(of view: ViewName) -> ViewFiles { ViewFiles(of: view, in: store) }

    /// Removes the directory at `path` if the view that has this `outcome` made it empty.
    func removeIfEmptied(_ path: String, by outcome: ViewOutcome) throws(SystemError) {
        guard !outcome.changedPaths.isEmpty, try root.folder(path)?.names().isEmpty == true else {
            return
        }
        try root.removeFolder(path)
    }

    /// The records of ``recordedDays``, for views of many days.
    var records: RecordIterator { RecordIterator(store: store, days: recordedDays[...]) }

    /// The records of ``recordedDays``, for views of the newest day.
    var newestRecords: NewestRecordIterator {
        NewestRecordIterator(store: store, snapshot: snapshot, days: recordedDays[...])
    }

    /// Whether the picture or video of a record is at its `path` in `pictures/`.
    func hasMedia(at path: String?) throws(SystemError) -> Bool {
        guard let path, path.hasPrefix("\(Layout.pictures)/") else { return false }
        return try root.status(path)?.kind == .file
    }
}

/// Reads the records of days one after the other, newest first, and leaves out those that are damaged or cannot be read.
///
/// It is no `IteratorProtocol`, because reading can fail.
struct RecordIterator {
    let store: Store
    var days: ArraySlice<Day>
    /// Why days were left out; the files that were made of their records before must stay.
    private(set) var errors: [Day: SystemError] = [:]

    init(store: Store, days: ArraySlice<Day>) { (self.store, self.days) = (store, days) }

    /// The next record; `nil` after the last one, or after `limit` ``errors``, because all records may be unreadable.
    ///
    /// - Throws: If memory or descriptors are used up, because then all days would be left out.
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

/// Reads the records of days, newest first, for views of the newest day.
///
/// It fails rather than to skip a day, because then an older day would pass for the newest one.
struct NewestRecordIterator {
    let store: Store
    let snapshot: TreeSnapshot
    var days: ArraySlice<Day>

    /// The next record that is not damaged; `nil` after the last one.
    ///
    /// - Throws: If the record cannot be read, or if the directory of its day or of a newer day cannot be listed.
    mutating func next() throws(SystemError) -> DayRecord? {
        // mutation test: hidden-days
        if let error = snapshot.readError(from: days.first ?? .first) { throw error }
        while let day = days.popFirst() {
            if let record = try store.record(of: day) { return record }
        }
        return nil
    }
}

extension [TreeSnapshot.DayFiles] {
    /// The days of each month, newest month first; the days of a month stay in ascending order.
    var months: [ArraySlice<Element>] {
        var months: [ArraySlice<Element>] = []
        var rest = self[...]
        while let last = rest.last {
            let firstOfMonth = Month(of: last.day).first
            // The search is by position: a copy of each day would take most of the time.
            let start = rest.indices.last { rest[$0].day < firstOfMonth }.map { $0 + 1 } ?? 0
            months.append(rest[start...])
            rest = rest[..<start]
        }
        return months
    }
}
