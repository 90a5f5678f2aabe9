package import APOD
internal import Glibc
package import Platform

/// Damaged files in `damaged/`, none of which is overwritten: `2026-11-20 SHA-256.jpg`.
///
/// By these names, `--keep` removes them with their day. A file that takes minutes to be hashed, or anything that is not a
/// file, keeps its own name there, and `--keep` leaves it. A file that cannot be read stays where it is, because it is not
/// known to be damaged.
extension Store {
    /// Moves the item at `path` into `damaged/`, durably, if there is one; `day` is `nil` if it belongs to no day.
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

    /// Publishes `file` again from a whole copy in `damaged/`, if there is one.
    ///
    /// The file may have seemed damaged while the disk failed, or while a person had changed it.
    ///
    /// - Returns: The path of the copy, which is gone then; `nil` if there is none.
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

    /// Publishes the files of `days` again that the tree lacks and `damaged/` has whole; an error leaves a day as it is.
    ///
    /// - Returns: The records of the days that got a file back, and have all of their files now.
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

    /// Moves a foreign item at `path` into `aside/`, durably.
    func moveAside(_ path: String) throws(SystemError) {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return }
        let aside = try tree.root.makeDirectory(Layout.aside)
        try folder.moveToFreeName(Array(name.utf8), in: aside)
    }

    /// `nil` if there is no file at `path`, or it takes minutes to be hashed.
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

extension Directory {
    /// Moves `name` into `other`, durably, under the first free name: by default `x`, else `x 2`, `x 3` and so on.
    ///
    /// The names are what `numbered` makes of `name` and the numbers from 1 on.
    package func moveToFreeName(
        _ name: [UInt8], in other: Directory,
        numbered: ([UInt8], Int) -> [UInt8] = {
            $1 == 1 ? $0 : $0.prefix(250) + Array(" \($1)".utf8)
        }
    ) throws(SystemError) {
        // What a damaged disk cannot write is moved nevertheless.
        try? flush(name)
        for number in 1...1_000 {
            do {
                return try renameDurably(name, to: other, as: numbered(name, number))
            } catch {
                guard error.code == EEXIST else { throw error }
            }
        }
        let text = String(decoding: name, as: UTF8.self)
        throw SystemError("rename", path: "\(other.path)/\(text)", code: EEXIST)
    }
}
