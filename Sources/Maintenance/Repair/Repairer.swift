internal import APOD
internal import Mirror
internal import Platform

/// What ``Repairer`` did about one finding.
package struct Repair: Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
        /// The file is repaired, or a view makes it again. The text says how.
        case done(String)
        /// The next sync will download the file, or make the record again.
        case leftToSync
        /// The next scan of the favorites will make the pin again, which is the favorite's own hard link to its picture.
        case leftToScan
        /// The text says why, and what to do.
        case failed(String)
        /// The file cannot be read, and may be intact. A person has to check the permissions and the disk.
        case leftToUser
    }

    package let finding: VerifyFinding
    package let action: Action

    package var isDone: Bool { if case .done = action { true } else { false } }

    /// Whether the damaged file was moved to `damaged/`, so that nothing is in its place until a sync or scan makes it again.
    var hasMovedFile: Bool {
        guard finding.kind == .damaged else { return false }
        return switch action {
        case .leftToSync: finding.item != .record
        case .leftToScan: true
        case .done, .failed, .leftToUser: false
        }
    }

    /// What was done, for people.
    package var words: String {
        switch action {
        case .done(let words): words
        case .leftToSync: "to be downloaded from NASA"
        case .leftToScan: "to be made again from the picture of its day"
        case .failed(let reason): reason
        case .leftToUser: "check its permissions and the disk"
        }
    }

    package var description: String { "\(finding.path): \(words)" }
}

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

    /// Restores a picture or video from an intact copy: the pin of a favorite, or a file in `previous/` or `damaged/`.
    private func restore(_ file: RecordedFile, of day: Day) throws(SystemError) -> Repair.Action {
        let source: String
        let (pathOfCopy, readError) = intactCopy(of: file, of: day)
        if let pathOfCopy {
            try store.restore(file, of: day, from: pathOfCopy)
            source = pathOfCopy
        } else if let damagedFile = try store.restoreFromDamaged(file, of: day) {
            source = damagedFile
        } else {
            if let readError { throw readError }
            return .leftToSync
        }
        if let record = try store.record(of: day) { store.setMissingTimes(of: record) }
        return .done("copied from \(source)")
    }

    /// Writes the redirect page of `day` again, which needs only the record of the day.
    private func restorePage(of day: Day) throws(SystemError) -> Repair.Action {
        guard let record = try store.record(of: day),
            try store.tree.restoreRedirectPage(of: record) != nil
        else { return .leftToSync }
        return .done("written again")
    }

    /// The path of the pin of `day`, or else of a file in `previous/`, that has the contents of `file`.
    ///
    /// `previous/` has them if the record is an earlier one from a backup, and NASA has replaced the file since. `readError` is
    /// that of the first file that cannot be read, because it may be an intact copy, too.
    private func intactCopy(
        of file: RecordedFile, of day: Day
    ) -> (path: String?, readError: SystemError?) {
        guard let ending = file.path.splitAtLastDot?.ending else { return (nil, nil) }
        var readError: SystemError?
        let pin = "\(Layout.favoriteStore)/\(day)\(ending)"
        let archivedName = FileName.archived(
            Layout.split(file.path).name, day: day, sha256: file.sha256)
        for path in [pin, "\(Layout.previous)/\(archivedName)"] {
            do throws(SystemError) {
                // The pin may be damaged as well, or be an earlier version of the picture.
                // mutation test: restored-hash
                guard try store.tree.root.hasContents(of: file, at: path) else { continue }
                return (path, readError)
            } catch {
                readError = readError ?? error
            }
        }
        return (nil, readError)
    }
}
