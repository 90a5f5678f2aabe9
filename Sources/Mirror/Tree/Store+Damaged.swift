package import APOD
package import Platform

/// Damaged files in `damaged/`, none of which is overwritten: named by their day and the SHA-256 of their contents, so that
/// `--keep` removes them with the day.
///
/// A file that would take minutes, and anything that is not a file, keeps its name there, and `--keep` leaves it. What
/// cannot be read is not known to be damaged, and stays where it is.
extension Store {
    /// Moves the item at `path` into `damaged/`, durably, if there is one; `day` is `nil` for one that is of no day.
    package func moveDamaged(_ path: String, of day: Day?) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath), try folder.status(name) != nil
        else { return }
        let damaged = try tree.root.makeDirectory(Layout.damaged)
        guard let day, let sha256 = try hashOfFile(at: path) else {
            return try folder.moveToFreeName(Array(name.utf8), in: damaged)
        }
        try folder.moveToFreeName(Array(name.utf8), in: damaged) { _, number in
            let label = number == 1 ? "" : "\(number) "
            return Array(FileName.previous(name, day: day, sha256: sha256, label: label).utf8)
        }
    }

    /// Publishes `file` again from a copy of it in `damaged/` that is whole: a disk that failed for a while, or a person, may
    /// have let it seem damaged.
    ///
    /// - Returns: The path of that copy, which is gone then; `nil` if there is none.
    package func restoreFromDamaged(
        _ file: RecordedFile, of day: Day
    ) throws(SystemError) -> String? {
        for name in try tree.root.textNames(in: Layout.damaged) where FileName.day(of: name) == day
        {
            let copy = "\(Layout.damaged)/\(name)"
            // mutation test: whole-damaged
            guard try tree.root.hasContents(of: file, at: copy) == true else { continue }
            try restore(file, of: day, from: copy)
            try remove(copy, provedBy: .record(file))
            return copy
        }
        return nil
    }

    /// Publishes what the records of `days` name, the tree lacks, and `damaged/` has whole; an error leaves a day as it is.
    ///
    /// - Returns: The records of the days that got a file back, and have all of them now.
    func restoreFromDamaged(_ days: Set<Day>) -> [DayRecord] {
        let names = (try? tree.root.textNames(in: Layout.damaged)) ?? []
        let candidates = Set(names.compactMap { FileName.day(of: $0) }).intersection(days)
        return candidates.sorted(by: >).compactMap { day in
            guard !Task.isCancelled, claims.claim(day) else { return nil }
            defer { claims.release(day) }
            guard let record = try? record(of: day) else { return nil }
            let restored = record.files.filter { file in
                guard (try? tree.hasFile(file)) == false else { return false }
                return (try? restoreFromDamaged(file, of: day)) != nil
            }
            guard !restored.isEmpty else { return nil }
            setMissingTimes(of: record)
            return record.files.allSatisfy { (try? tree.hasFile($0)) == true } ? record : nil
        }
    }

    /// Moves the item at `path`, which is none of the mirror's, into `aside/`, durably.
    func moveAside(_ path: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return }
        let aside = try tree.root.makeDirectory(Layout.aside)
        try folder.moveToFreeName(Array(name.utf8), in: aside)
    }

    /// The SHA-256 of the file at `path`; `nil` if that is no file, or takes minutes to be hashed.
    private func hashOfFile(at path: String) throws(SystemError) -> String? {
        guard let status = try tree.root.status(path), status.kind == .file,
            status.size <= Layout.largestFile
        else { return nil }
        return try tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile)
    }

    /// Moves an item at `path` into `damaged/`, unless it is a file.
    func makeRoom(for path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        try moveDamaged(path, of: day)
    }
}
