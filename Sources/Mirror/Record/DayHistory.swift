package import APOD
package import JSON
package import Platform

/// The revisions of one day: the records that edits by NASA replaced, and the current one.
package struct DayHistory: Sendable {
    package let day: Day
    /// Oldest first; empty if the mirror has no readable record of the day.
    package let revisions: [Revision]
    /// The records that are skipped because they cannot be read, and why.
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
        var notes: [String] = []
        func readRecord(at path: String) -> (record: DayRecord, path: String)? {
            do {
                if let bytes = try tree.root.read(path, limit: 16 << 20),
                    let record = DayRecord(bytes, of: day)
                {
                    return (record, path)
                }
                notes.append("\(path) is skipped: it is not a record of \(day)")
            } catch {
                notes.append("\(path) is skipped: \(error)")
            }
            return nil
        }
        let previous = names.sorted().filter { $0.hasSuffix(".json") }
        var records = previous.compactMap { readRecord(at: "\(Layout.previous)/\($0)") }
        records.sort {
            ($0.record.revision, $0.record.fetched) < ($1.record.revision, $1.record.fetched)
        }
        // The current record is the last one, whatever revision somebody wrote into it.
        let currentPath = Layout.recordPath(of: day)
        let isRecorded = try tree.root.status(currentPath) != nil
        let current = isRecorded ? readRecord(at: currentPath) : nil
        if let current { records.append(current) }
        var revisions: [DayHistory.Revision] = []
        for (record, path) in records {
            revisions.append(
                DayHistory.Revision(
                    record: record, path: path, isCurrent: path == currentPath,
                    files: try files(of: record, previous: names, current: current?.record),
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

    /// The names in `previous/`; those of the mirror are made by ``FileName/previous(_:day:sha256:label:)``.
    package func previousNames() throws(SystemError) -> [String] {
        try tree.root.folder(Layout.previous)?.textNames() ?? []
    }

    /// The files that `record` names: in `previous/` if they were replaced, else in the tree.
    private func files(
        of record: DayRecord, previous names: Set<String>, current: DayRecord?
    ) throws(SystemError) -> [String] {
        let day = record.entry.day
        var paths: [String] = []
        for file in record.files {
            let name = FileName.previous(
                Layout.split(file.path).name, day: day, sha256: file.sha256)
            if names.contains(name) {
                paths.append("\(Layout.previous)/\(name)")
            } else if current?.files.contains(file) == true, try tree.exists(file.path) {
                paths.append(file.path)
            }
        }
        return paths
    }
}

extension DayRecord {
    /// The keys whose values differ, in the order of the record, except `source`: its times change with each edit.
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
