package import APOD
package import Mirror
internal import Platform
package import Thumbnails

/// What all views are made from: one state of the tree and the favorites.
package struct ViewInput: Sendable {
    package let store: Store
    package var snapshot: TreeSnapshot
    package let favorites: Set<Day>
    /// The favorites in each directory in `favorites/`, by its path there.
    package let collections: [String: Set<Day>]
    /// Decodes pictures; `nil` if none is to be decoded.
    let thumbnails: Thumbnails?
    /// The days with a record, newest first, from the one that ``Store/newestDay(in:at:)`` decides on.
    let newestDays: [Day]

    /// The tree of `store` is open for writing.
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
        newestDays = snapshot.days.reversed().compactMap { files in
            files.record != nil && newest.map { files.day <= $0 } ?? false ? files.day : nil
        }
    }

    var root: Directory { store.tree.root }

    /// The records of the newest days, newest first.
    var newestRecords: RecordReader {
        RecordReader(store: store, snapshot: snapshot, days: newestDays[...])
    }

    /// Whether there is a file at the `path` that a record names.
    func exists(_ path: String?) throws(SystemError) -> Bool {
        guard let path, path.hasPrefix("\(Layout.pictures)/") else { return false }
        return try root.status(path)?.kind == .file
    }

    /// Writes a file of a view unless it has these contents, or something that the mirror did not write is in its
    /// place.
    func publish(
        _ bytes: [UInt8], as owned: OwnedPath, _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        if try !root.isBeginning(owned.path, of: bytes), try !isFree(owned, &outcome) { return }
        if try store.publish(bytes, at: owned.path) { outcome.written.append(owned.path) }
    }

    /// Whether the view may write there: it does not exist, or the mirror wrote it.
    func isFree(_ owned: OwnedPath, _ outcome: inout ViewOutcome) throws(SystemError) -> Bool {
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

    /// - Throws: ``SystemError``, also if newer days cannot be listed: they are not missing.
    mutating func next() throws(SystemError) -> DayRecord? {
        // mutation test: hidden-days
        if let error = snapshot.obstacle(from: days.first ?? .first) { throw error }
        while let day = days.popFirst() {
            if let record = try store.record(of: day) { return record }
        }
        return nil
    }
}

extension [TreeSnapshot.DayFiles] {
    /// The days that have the same `key`, such as their year, newest first.
    func grouped<Key: Equatable>(by key: (Day) -> Key) -> [ArraySlice<Element>] {
        var groups: [ArraySlice<Element>] = []
        var rest = self[...]
        while let last = rest.last?.day {
            let end = rest.lastIndex { key($0.day) != key(last) }
            let start = end.map { $0 + 1 } ?? rest.startIndex
            groups.append(rest[start...])
            rest = rest[..<start]
        }
        return groups
    }
}
