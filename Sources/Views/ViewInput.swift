package import APOD
package import Mirror
internal import Platform
package import Thumbnails

/// What all views are made from: one state of the tree, and the favorites.
package struct ViewInput: Sendable {
    package let store: Store
    package private(set) var snapshot: TreeSnapshot
    package let favorites: Set<Day>
    /// The favorites in each directory in `favorites/`, by its path there.
    package let collections: [String: Set<Day>]
    /// Decodes pictures; `nil` if none is to be decoded.
    let thumbnails: Thumbnails?
    /// The days with a record, newest first; later ones than ``Store/newestDay(in:at:)`` are a user's.
    let newestDays: [Day]

    /// Reads the state of `store`, whose tree must be open for writing.
    package init(
        store: Store, snapshot: TreeSnapshot, favorites: Set<Day> = [],
        collections: [String: Set<Day>] = [:], thumbnails: Thumbnails?
    ) throws {
        self.store = store
        self.snapshot = snapshot
        self.favorites = favorites
        self.collections = collections
        self.thumbnails = thumbnails?.isAvailable == true ? thumbnails : nil
        let days = snapshot.days.reversed().filter { $0.record != nil }.map(\.day)
        let newest = try store.newestDay(in: snapshot)
        newestDays = newest.map { newest in days.filter { $0 <= newest } } ?? []
    }

    /// Lists the files of `day` again, after a view has made its thumbnail; the days with a record stay.
    package mutating func rereadFiles(of day: Day) {
        snapshot.reread(day, in: root)
    }

    var root: Directory { store.tree.root }

    /// The records of the newest days, newest first.
    var newestRecords: RecordReader {
        RecordReader(store: store, snapshot: snapshot, days: newestDays[...])
    }

    /// Whether the picture or video is there that a record names by its `path` in `pictures/`.
    func hasMedia(at path: String?) throws(SystemError) -> Bool {
        guard let path, path.hasPrefix("\(Layout.pictures)/") else { return false }
        return try root.status(path)?.kind == .file
    }

    // MARK: Writing

    /// Writes a file of a view, unless it has these contents or a user's file is in its place.
    func publish(
        _ bytes: [UInt8], as owned: OwnedPath, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) {
        // A beginning of the new contents is a file of the mirror that a power cut made shorter.
        if try !root.isBeginning(owned.path, of: bytes),
            try !mayWrite(owned, reportingTo: &outcome)
        {
            return
        }
        if try store.publish(bytes, at: owned.path) { outcome.changedPaths.append(owned.path) }
    }

    /// Whether the view may write there, as nothing is there or the mirror wrote it; else adds the problem to `outcome`.
    func mayWrite(
        _ owned: OwnedPath, reportingTo outcome: inout ViewOutcome
    ) throws(SystemError) -> Bool {
        guard try root.status(owned.path) != nil, try !owned.isOwn(root) else { return true }
        outcome.addObstruction(by: owned.path, in: root)
        return false
    }
}

/// Reads the records of days, newest first, each when it is needed; a damaged one is left out.
struct RecordReader {
    let store: Store
    let snapshot: TreeSnapshot
    var days: ArraySlice<Day>

    /// The next record, or `nil` after the last; throws also if newer days cannot be listed, as they are not missing.
    mutating func next() throws(SystemError) -> DayRecord? {
        // mutation test: hidden-days
        if let error = snapshot.readError(from: days.first ?? .first) { throw error }
        while let day = days.popFirst() {
            if let record = try store.record(of: day) { return record }
        }
        return nil
    }
}
