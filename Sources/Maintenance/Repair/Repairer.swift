internal import APOD
internal import Mirror
internal import Platform

/// Repairs what a verification found, in a mirror that is open for writing.
///
/// A damaged file other than a record is moved to `damaged/`. It is replaced at once if the mirror has an intact copy, and
/// otherwise by the next sync or scan. A file that cannot be read is left as it is, because it may be intact.
struct Repairer {
    let store: Store

    /// Repairs the file of `finding`, which a verification of this mirror has just found.
    func repair(_ finding: VerifyFinding) -> Repair {
        // Even if the repair fails halfway, the files of the day may have changed.
        defer { if let day = finding.day { store.snapshots.recordChange(of: day) } }
        do throws(SystemError) {
            return Repair(finding: finding, action: try action(for: finding))
        } catch {
            let remedy = store.tree.remedy(for: error).map { "; \($0)" } ?? ""
            return Repair(finding: finding, action: .failed("\(error)\(remedy)"))
        }
    }

    private func action(for finding: VerifyFinding) throws(SystemError) -> Repair.Action {
        guard let day = finding.day, finding.kind != .unreadable else { return .leftToUser }
        switch finding.item {
        case .folder:
            return .leftToUser
        case .record:
            // A damaged record stays until a sync replaces it, because it may have keys that a person added.
            return .leftToSync
        case .media(let file):
            try moveIfDamaged(finding, of: day)
            return try restore(file, of: day)
        case .page:
            try moveIfDamaged(finding, of: day)
            return try restorePage(of: day)
        case .thumbnail:
            // A missing thumbnail is not a finding. So there is always a file to move.
            try moveIfDamaged(finding, of: day)
            return .done("moved to \(Layout.damaged), to be made again")
        case .pin:
            try moveIfDamaged(finding, of: day)
            return .leftToScan
        }
    }

    /// Moves the file of `finding` to `damaged/` if it is damaged, because it may be all that is left of a picture.
    private func moveIfDamaged(_ finding: VerifyFinding, of day: Day) throws(SystemError) {
        // mutation test: keep-damaged (see Tests/Mutants)
        if finding.kind == .damaged { try store.moveDamaged(finding.path, of: day) }
    }

    /// Restores a picture or video from an intact copy in the mirror; without one, the next sync downloads it.
    private func restore(_ file: RecordedFile, of day: Day) throws(SystemError) -> Repair.Action {
        guard let source = try publishIntactCopy(of: file, of: day) else { return .leftToSync }
        if let record = try store.record(of: day) { store.setMissingTimes(of: record) }
        return .done("copied from \(source)")
    }

    /// Publishes `file` again from an intact copy: the pin of `day`, or a file in `previous/` or `damaged/`.
    ///
    /// - Returns: The path of the copy; `nil` if there is none.
    /// - Throws: If there is none, the error of the first file that cannot be read, because it may be an intact copy.
    private func publishIntactCopy(
        of file: RecordedFile, of day: Day
    ) throws(SystemError) -> String? {
        var readError: SystemError?
        for path in pathsOfCopies(of: file, of: day) {
            do throws(SystemError) {
                // The pin may be damaged as well, or be an earlier version of the picture.
                // mutation test: restored-hash
                guard try store.tree.root.hasContents(of: file, at: path) else { continue }
            } catch {
                readError = readError ?? error
                continue
            }
            try store.restore(file, of: day, from: path)
            return path
        }
        if let formerPath = try store.restoreFromDamaged(file, of: day) { return formerPath }
        if let readError { throw readError }
        return nil
    }

    /// The path of the pin of `day`, and that at which `previous/` would have the contents of `file`.
    ///
    /// `previous/` has them if the record is an earlier one from a backup, and NASA has replaced the file since.
    private func pathsOfCopies(of file: RecordedFile, of day: Day) -> [String] {
        guard let ending = file.path.splitAtLastDot?.ending else { return [] }
        let archivedName = FileName.archived(
            Layout.split(file.path).name, day: day, sha256: file.sha256)
        return [
            "\(Layout.favoriteStore)/\(day)\(ending)", "\(Layout.previous)/\(archivedName)",
        ]
    }

    /// Writes the redirect page of `day` again, which needs only the record of the day.
    private func restorePage(of day: Day) throws(SystemError) -> Repair.Action {
        guard let record = try store.record(of: day),
            try store.tree.restoreRedirectPage(of: record) != nil
        else { return .leftToSync }
        return .done("written again")
    }
}
