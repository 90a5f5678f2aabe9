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
    /// Makes small pictures; `nil` if the settings want no thumbnails, or no thumbnailer is installed.
    let thumbnails: Thumbnails?
    /// The days with a record, newest first; a record after ``Store/newestDay(in:at:)`` is left out: its date is wrong.
    let recordedDays: [Day]
    /// The days with a ``Rendition``, a smaller copy of the picture; if they cannot be listed, views show the originals.
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

    /// Removes the directory at `path` if it is empty after an update that removed files; `outcome` is that of the update.
    func removeFolder(_ path: String, ifEmptiedBy outcome: ViewOutcome) throws(SystemError) {
        guard !outcome.changedPaths.isEmpty, try root.folder(path)?.names().isEmpty == true else {
            return
        }
        try root.removeFolder(path)
    }

    /// The records of ``recordedDays``, for views of many days: a record that cannot be read is left out.
    var records: RecordIterator { RecordIterator(store: store, days: recordedDays[...]) }

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

/// Reads the records of days one after the other, newest first, and leaves out those that are damaged or cannot be read.
///
/// It is no `IteratorProtocol`, because reading can fail.
struct RecordIterator {
    let store: Store
    /// The days whose records are not read yet.
    var days: ArraySlice<Day>
    /// Why each of these days was left out; the files that were made from their records before must stay.
    private(set) var errors: [Day: SystemError] = [:]

    /// The next record; `nil` after the last one, or once `limit` records could not be read, because no other may be readable.
    ///
    /// - Throws: The error of the disk, if memory or descriptors are used up: all days would be left out.
    mutating func next(untilErrors limit: Int) throws(SystemError) -> DayRecord? {
        while errors.count < limit, let day = days.popFirst() {
            if let record = try record(of: day) { return record }
        }
        return nil
    }

    /// The record of any day; `nil` if it is damaged or cannot be read, which ``errors`` then says.
    mutating func record(of day: Day) throws(SystemError) -> DayRecord? {
        do {
            return try store.record(of: day)
        } catch {
            guard !error.concernsEveryFile else { throw error }
            errors[day] = error
            return nil
        }
    }
}

/// Reads the records of days, newest first, for views of the newest day.
///
/// If it cannot read a record, it throws: if it skipped the day, an older day would be presented as the newest.
struct NewestRecordIterator {
    let store: Store
    let snapshot: TreeSnapshot
    var days: ArraySlice<Day>

    /// The next record that is not damaged; `nil` after the last one.
    ///
    /// - Throws: The error of the disk, if the record cannot be read, or the directory of its day or of a newer day.
    mutating func next() throws(SystemError) -> DayRecord? {
        // The tests in Tests/Mutants must fail without the next line.
        // mutation test: hidden-days
        if let error = snapshot.errorHidingDays(from: days.first ?? .first) { throw error }
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
            // The search goes by position, because copying the files of each day would take most of the time.
            let start = rest.indices.last { rest[$0].day < firstOfMonth }.map { $0 + 1 } ?? 0
            months.append(rest[start...])
            rest = rest[..<start]
        }
        return months
    }
}
