package import APOD
internal import Glibc
package import Platform

/// The folder `damaged/`: an item in the place of a file of the mirror is moved there before the right file is published.
///
/// The item may be a damaged file, or what a person edited or put there, so no item in `damaged/` is overwritten. A file gets
/// its day and its hash as name, such as `2026-11-20 SHA-256.jpg`. `--keep` deletes it with its day only if it has the size of
/// the file whose place it had, because a disk fault keeps the size, and almost no edit does. A copy of a file that was published again is deleted, too.
/// A very large file, and an item that is not a file, keep their own names. The mark `mutation test: …` is for Tests/Mutants.
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

    /// Moves a directory, link or device at `path` into `damaged/`, because a file could not replace it.
    func moveNonFile(at path: String, of day: Day) throws(SystemError) {
        guard let kind = try tree.root.status(path)?.kind, kind != .file else { return }
        try moveDamaged(path, of: day)
    }
}

extension Directory {
    /// Moves the item `name` into the directory `other`, durably, under the first free name.
    ///
    /// `numbered` makes the names that are tried, from `name` and the numbers from 1 on: by default `x`, `x 2`, `x 3` …
    ///
    /// - Returns: The new name.
    @discardableResult
    package func moveToFreeName(
        _ name: [UInt8], in other: Directory,
        numbered: ([UInt8], Int) -> [UInt8] = {
            $1 == 1 ? $0 : $0.prefix(250) + Array(" \($1)".utf8)
        }
    ) throws(SystemError) -> [UInt8] {
        // If a failing disk cannot write the contents, the item is moved nevertheless.
        try? flush(name)
        for number in 1...1_000 {
            do {
                let newName = numbered(name, number)
                try renameDurably(name, to: other, as: newName)
                return newName
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        let text = String(decoding: name, as: UTF8.self)
        throw SystemError("rename", path: "\(other.path)/\(text)", code: EEXIST)
    }
}
