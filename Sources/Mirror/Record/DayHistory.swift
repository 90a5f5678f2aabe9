package import APOD
package import JSON
package import Platform

/// The revisions of one day: the records that edits by NASA replaced, and the current one.
package struct DayHistory: Sendable {
    package let day: Day
    /// Oldest first; empty if the mirror has no readable record of the day.
    package let revisions: [Revision]
    /// The files in `previous/` that cannot be read as a record of the day, and why.
    package let notes: [String]

    package struct Revision: Sendable {
        package let record: DayRecord
        /// The path of the record, relative to the root.
        package let path: String
        package let isCurrent: Bool
        /// The paths of the existing picture and video of the revision, relative to the root.
        package let files: [String]
        /// The changes since the previous revision; empty for the first one.
        package let changes: [FieldChange]
    }

    package struct FieldChange: Hashable, Sendable {
        package let name: String
        /// `nil` where the key is absent.
        package let before: JSON?
        package let after: JSON?
    }
}

extension Store {
    /// The days with a record in `previous/`.
    package func editedDays() throws(SystemError) -> Set<Day> {
        Set(
            try previousNames().filter { $0.hasSuffix(".json") }.compactMap { FileName.day(of: $0) }
        )
    }

    /// The history of `day`, read from the current record and those in `previous/`.
    package func history(of day: Day) throws(SystemError) -> DayHistory {
        let names = Set(try previousNames().filter { FileName.day(of: $0) == day })
        var records: [(record: DayRecord, path: String)] = []
        var notes: [String] = []
        func addRecord(at path: String) {
            let problem: String
            do {
                let bytes = try tree.root.read(path, limit: 16 << 20)
                let record = bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0) }
                if let record, record.entry.day == day { return records.append((record, path)) }
                problem =
                    record.map { "it is the record of \($0.entry.day)" } ?? "it is not a record"
            } catch {
                problem = "\(error)"
            }
            notes.append("\(path) is skipped: \(problem)")
        }
        for name in names.sorted() where name.hasSuffix(".json") {
            addRecord(at: "\(Layout.previous)/\(name)")
        }
        records.sort {
            ($0.record.revision, $0.record.fetched) < ($1.record.revision, $1.record.fetched)
        }
        let current = Layout.recordPath(of: day)
        if try tree.root.status(current) != nil { addRecord(at: current) }
        var revisions: [DayHistory.Revision] = []
        for (record, path) in records {
            revisions.append(
                DayHistory.Revision(
                    record: record, path: path, isCurrent: path == current,
                    files: try files(of: record, previous: names),
                    changes: revisions.last.map { record.changes(since: $0.record) } ?? []))
        }
        return DayHistory(day: day, revisions: revisions, notes: notes)
    }

    /// The highest revision of `day` in `previous/`; 0 if there is none.
    func archivedRevision(of day: Day) throws(SystemError) -> Int {
        let start = "\(day) r"
        return try previousNames().lazy.filter { $0.hasPrefix(start) }
            .compactMap { Int($0.dropFirst(start.count).prefix { $0 != " " }) }.max() ?? 0
    }

    package func previousNames() throws(SystemError) -> [String] {
        try tree.root.folder(Layout.previous)?.textNames() ?? []
    }

    /// The files that `record` names: in `previous/` if they were replaced, else in the tree.
    private func files(
        of record: DayRecord, previous names: Set<String>
    ) throws(SystemError) -> [String] {
        let day = record.entry.day
        let current = try self.record(of: day)?.files ?? []
        var paths: [String] = []
        for file in record.files {
            let name = FileName.previous(
                Layout.split(file.path).name, day: day, sha256: file.sha256)
            if names.contains(name) {
                paths.append("\(Layout.previous)/\(name)")
            } else if current.contains(file), try tree.exists(file.path) {
                paths.append(file.path)
            }
        }
        return paths
    }
}

extension DayRecord {
    /// The keys, except `source`, whose values differ, in the order of the record.
    func changes(since earlier: DayRecord) -> [DayHistory.FieldChange] {
        let (before, after) = (earlier.json, json)
        var names: [String] = []
        for member in after.members + before.members
        where member.key != "source" && !names.contains(member.key) {
            names.append(member.key)
        }
        return names.filter { before[$0] != after[$0] }.map {
            DayHistory.FieldChange(name: $0, before: before[$0], after: after[$0])
        }
    }
}
