internal import APOD
internal import Mirror
package import Platform

/// What ``Repairer`` did about one finding.
package struct Repair: Hashable, Sendable, CustomStringConvertible {
    package enum Action: Hashable, Sendable {
        /// The file is right again, or a view makes it again; the words say how, for people.
        case done(String)
        /// The next sync downloads the file, or makes the record again.
        case leftToSync
        /// The next scan of the favorites makes the pin again.
        case leftToScan
        case failed(SystemError)
        /// A person has to check permissions and the disk. The file may be whole, as it cannot be read.
        case leftToUser
    }

    package let finding: VerifyFinding
    package let action: Action

    package var isDone: Bool { if case .done = action { true } else { false } }

    /// What was done, for people.
    package var words: String {
        switch action {
        case .done(let words): words
        case .leftToSync: "to be downloaded from NASA"
        case .leftToScan: "to be made again from the picture of its day"
        case .failed(let error): "\(error)"
        case .leftToUser: "check its permissions and the disk"
        }
    }

    package var description: String { "\(finding.path): \(words)" }
}

/// Repairs what a verification found, in a tree that is open for writing.
///
/// A damaged file is moved to `damaged/`, except for a record, and then replaced: at once if the mirror has the data, else
/// by the next sync or scan. Nothing is done about what cannot be read, because it may be whole.
struct Repairer {
    let store: Store

    /// Repairs `finding`, which a verification of this tree has just made.
    func repair(_ finding: VerifyFinding) -> Repair {
        // The views read the day again, even if its repair failed halfway.
        defer { if let day = finding.day { store.snapshots.recordChange(of: day) } }
        do throws(SystemError) {
            return Repair(finding: finding, action: try action(for: finding))
        } catch {
            return Repair(finding: finding, action: .failed(error))
        }
    }

    private func action(for finding: VerifyFinding) throws(SystemError) -> Repair.Action {
        guard let day = finding.day, finding.kind != .unreadable else { return .leftToUser }
        switch finding.item {
        case .folder:
            return .leftToUser
        case .record:
            // A damaged record stays until a sync replaces it, so that the keys of a user in it are kept.
            return .leftToSync
        case .media(let file):
            try moveIfDamaged(finding, of: day)
            return try restore(file, of: day)
        case .page:
            try moveIfDamaged(finding, of: day)
            return try restorePage(of: day)
        case .thumbnail:
            // A missing thumbnail is no finding, so that there always is a file to move.
            try moveIfDamaged(finding, of: day)
            return .done("moved to \(Layout.damaged), to be made again")
        case .pin:
            try moveIfDamaged(finding, of: day)
            return .leftToScan
        }
    }

    /// Moves a damaged file to `damaged/`: it may be all that is left of a picture.
    private func moveIfDamaged(_ finding: VerifyFinding, of day: Day) throws(SystemError) {
        // mutation test: keep-damaged
        if finding.kind == .damaged { try store.moveDamaged(finding.path, of: day) }
    }

    /// Copies a picture or video from a file that has the recorded hash: the pin of a favorite, or a file in `damaged/`.
    private func restore(
        _ file: RecordedFile, of day: Day
    ) throws(SystemError) -> Repair.Action {
        let source: String
        if let pin = try pin(with: file, of: day) {
            try store.restore(file, of: day, from: pin)
            source = pin
        } else if let copy = try store.restoreFromDamaged(file, of: day) {
            source = copy
        } else {
            return .leftToSync
        }
        if let record = try store.record(of: day) { store.setMissingTimes(of: record) }
        return .done("copied from \(source)")
    }

    /// Writes the redirect page again, for which the record has all that it needs.
    private func restorePage(of day: Day) throws(SystemError) -> Repair.Action {
        guard let record = try store.record(of: day),
            try store.tree.restoreRedirectPage(of: record) != nil
        else { return .leftToSync }
        return .done("written again")
    }

    /// The path of the pin of `day`, if it has the contents of `file`.
    private func pin(with file: RecordedFile, of day: Day) throws(SystemError) -> String? {
        guard let ending = file.path.splitAtLastDot?.ending else { return nil }
        let path = "\(Layout.favoriteStore)/\(day)\(ending)"
        // A pin may be damaged, too, or have another version of the picture.
        // mutation test: restored-hash
        guard try store.tree.root.hasContents(of: file, at: path) == true else {
            return nil
        }
        return path
    }
}
