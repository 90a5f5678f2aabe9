package import APOD
package import Platform

/// Publishes lost files of a day again, from intact copies in the mirror: in `damaged/`, in `previous/`, or elsewhere.
///
/// An item at the path of the file that is not the lost one may be a person's, and is moved into `damaged/`.
extension Store {
    /// Publishes `file` again from the file at the path `source`, which has its contents.
    package func restore(
        _ file: RecordedFile, of day: Day, from source: String
    ) throws(SystemError) {
        guard try !tree.root.hasContents(of: file, at: file.path) else { return }
        let (folder, name) = Layout.split(file.path)
        let restored = try duplicate(source, as: "\(day).restored")
        try moveDamaged(file.path, of: day)
        try restored.publishNew(in: tree.root.makeDirectory(folder), as: name)
    }

    /// Publishes `file` again from its contents in `previous/`; does nothing if they are not there.
    ///
    /// `successor` is the file that NASA sent in its place. If it is at the same path, it is replaced.
    func restorePrevious(
        _ file: RecordedFile, inPlaceOf successor: RecordedFile?, of day: Day
    ) throws(SystemError) {
        let (folderPath, name) = Layout.split(file.path)
        let archivedName = FileName.archived(name, day: day, sha256: file.sha256)
        let archivedPath = "\(Layout.previous)/\(archivedName)"
        guard try tree.root.hasContents(of: file, at: archivedPath) else { return }
        let folder = try tree.root.makeDirectory(folderPath)
        let restored = try duplicate(archivedPath, as: "\(day).restored")
        var isSuccessor = false
        if let successor {
            isSuccessor = try tree.root.hasContents(of: successor, at: file.path)
        }
        if !isSuccessor { try moveDamaged(file.path, of: day) }
        try restored.publish(in: folder, as: name, isVisible: true)
    }

    // MARK: Copies in `damaged/`

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
            // mutation test: whole-damaged (see Tests/Mutants)
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
        var isAnyRestored = false
        for file in record.files where (try? tree.hasFile(file)) == false {
            let copy = try? restoreFromDamaged(file, of: record.entry.day)
            if copy != nil { isAnyRestored = true }
        }
        return isAnyRestored
    }
}
