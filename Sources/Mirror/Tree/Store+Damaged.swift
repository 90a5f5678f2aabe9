package import APOD
package import Platform

/// Moves items of others out of the way of the mirror's files, and restores the mirror's files from there.
///
/// An item in place of a recorded file goes to `damaged/`: a disk fault may have damaged the file, or a person has edited or
/// replaced it. Any other item goes to `aside/`. In both folders, nothing is overwritten. In `damaged/`, a file is named after
/// its day and its hash, such as `2026-11-20 SHA-256.jpg`. A very large file, and an item that is not a file, keep their names.
///
/// ``damagedFiles(of:)`` says which of these files `--keep` deletes. The mark `mutation test: …` is for Tests/Mutants.
extension Store {
    /// Moves the item at `path` into `damaged/`, durably; does nothing if there is no item.
    ///
    /// `day` is the day of the item; `nil` for an item of no day, which keeps its own name.
    ///
    /// - Throws: ``SystemError`` if the item cannot be read; it stays, because it is not known to be damaged.
    package func moveDamaged(_ path: String, of day: Day?) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath), try folder.status(name) != nil
        else { return }
        let damaged = try tree.root.makeDirectory(Layout.damaged)
        guard let day, let sha256 = try sha256OfFile(at: path) else {
            try folder.moveToFreeName(Array(name.utf8), in: damaged)
            return
        }
        try folder.moveToFreeName(Array(name.utf8), in: damaged) { _, number in
            let label = number == 1 ? "" : "\(number) "
            return Array(FileName.previous(name, day: day, sha256: sha256, label: label).utf8)
        }
    }

    /// Moves a directory, link or device at `path` into `damaged/`, because a file could not replace it.
    func moveNonFile(at path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        try moveDamaged(path, of: day)
    }

    /// Moves a foreign item at `path` into `aside/`, durably; returns its new path, `nil` if its folder is missing.
    @discardableResult
    func moveAside(_ path: String) throws(SystemError) -> String? {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return nil }
        let aside = try tree.root.makeDirectory(Layout.aside)
        let newName = try folder.moveToFreeName(Array(name.utf8), in: aside)
        return "\(Layout.aside)/\(String(decoding: newName, as: UTF8.self))"
    }

    /// The hash of the file at `path`; `nil` if there is no file, or if it is so large that hashing it takes minutes.
    private func sha256OfFile(at path: String) throws(SystemError) -> String? {
        guard let status = try tree.root.status(path), status.kind == .file,
            status.size <= Layout.largestFile
        else { return nil }
        return try tree.root.openToRead(path).sha256(path: path, limit: Layout.largestFile)
    }

    // MARK: Restoring

    /// Publishes `file` again from a copy in `damaged/` that has the recorded contents, and deletes the copy.
    ///
    /// The file may have seemed damaged only while the disk failed, or while a person had changed it.
    ///
    /// - Returns: The path of the former copy; `nil` if there was none.
    package func restoreFromDamaged(
        _ file: RecordedFile, of day: Day
    ) throws(SystemError) -> String? {
        for name in try tree.root.textNames(in: Layout.damaged) where FileName.day(of: name) == day
        {
            let copy = "\(Layout.damaged)/\(name)"
            // mutation test: whole-damaged
            guard try tree.root.hasContents(of: file, at: copy) else { continue }
            try restore(file, of: day, from: copy)
            try remove(copy, provedBy: .record(file))
            return copy
        }
        return nil
    }

    /// Publishes the missing files of `days` again, as far as `damaged/` has intact copies of them.
    ///
    /// A day whose files cannot be read or restored is skipped.
    ///
    /// - Returns: The records of the days that were incomplete, and have all of their files now.
    func restoreMissingFiles(of days: Set<Day>) -> [DayRecord] {
        let names = (try? tree.root.textNames(in: Layout.damaged)) ?? []
        let candidates = Set(names.compactMap { FileName.day(of: $0) }).intersection(days)
        return candidates.sorted(by: >).compactMap { day in
            guard !Task.isCancelled, claims.claim(day) else { return nil }
            defer { claims.release(day) }
            guard let record = try? record(of: day), restoreAnyFile(of: record) else { return nil }
            setMissingTimes(of: record)
            let isComplete = record.files.allSatisfy { (try? tree.hasFile($0)) == true }
            return isComplete ? record : nil
        }
    }

    /// Publishes the missing files of `record` again; returns whether one or more could be restored.
    private func restoreAnyFile(of record: DayRecord) -> Bool {
        let restored = record.files.filter { file in
            let isMissing = (try? tree.hasFile(file)) == false
            return isMissing && (try? restoreFromDamaged(file, of: record.entry.day)) != nil
        }
        return !restored.isEmpty
    }
}
