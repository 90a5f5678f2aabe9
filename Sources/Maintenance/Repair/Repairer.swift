package import APOD
internal import Glibc
package import Mirror
internal import Platform

/// Repairs what a verification found, in a tree that is open for writing.
///
/// Contents come from another file of the mirror with the recorded hash: a picture, the pin of a favorite, or a file in
/// `previous/`. If there is none, the next sync downloads a picture or video. What is damaged is kept in `damaged/`,
/// except for thumbnails and views, such as `latest.jpg`, which are made again. Unknown items are never touched.
package struct Repairer {
    private let store: Store
    /// The paths of the pins: the favorites' own copies of their pictures.
    private let pins: [Day: String]
    private let previous: PreviousFiles

    package init(_ store: Store, pins: [Day: String]) {
        self.store = store
        self.pins = pins
        previous = PreviousFiles(of: store.tree)
    }

    /// Repairs `finding`, which a verification of this tree has just made.
    package func repair(_ finding: VerifyFinding) -> Repair {
        // The views read the day again, even if its repair failed halfway.
        defer { if let day = finding.day { store.snapshots.recordChange(of: day) } }
        do throws(SystemError) {
            return Repair(finding: finding, action: try action(for: finding))
        } catch {
            return Repair(finding: finding, action: .failed(error))
        }
    }

    private func action(for finding: VerifyFinding) throws(SystemError) -> Repair.Action {
        let (path, root) = (finding.path, store.tree.root)
        switch finding.problem {
        case .damagedView:
            try root.remove(path)
            return .removed
        case .wrongTime(let day, _):
            try root.openFile(path, O_RDONLY).setModified(day.noon, path: path)
            return .timeSet
        // The process ran out of descriptors or memory: the file may be intact.
        case .unreadable(let error) where error.isShortage: throw error
        // The path becomes free for the file; what is done below expects nothing there.
        case .wrongType where finding.day != nil: try store.moveDamaged(path)
        default: break
        }
        guard let day = finding.day else { return .leftToSync }
        return try restoreItem(finding, of: day)
    }

    /// Restores a file of a day, by the directory that it is in.
    private func restoreItem(
        _ finding: VerifyFinding, of day: Day
    ) throws(SystemError) -> Repair.Action {
        let path = finding.path
        switch String(path.prefix { $0 != "/" }) {
        case Layout.gallery:
            // A thumbnail, which is made again from the picture; nothing may be there any more.
            try store.tree.root.remove(path)
            return .removed
        case Layout.pictures: return try restorePicture(finding, of: day)
        case Layout.own where path.hasPrefix("\(Layout.previous)/"):
            return try restorePrevious(path, of: day)
        case Layout.own where !path.hasSuffix(".json"): return try restorePin(at: path, of: day)
        // The record or the link of a favorite.
        case Layout.own, Layout.favorites: return .leftToScan
        // The record of a day.
        default: return .leftToSync
        }
    }

    /// Restores a picture, a video or the page of a day.
    private func restorePicture(
        _ finding: VerifyFinding, of day: Day
    ) throws(SystemError) -> Repair.Action {
        let path = finding.path
        guard let record = try store.validRecord(of: day) else { return .leftToSync }
        if path == record.page {
            guard let page = record.redirectPage else { return .leftToSync }
            try store.keepDamaged(path, of: day)
            try store.publishDayFile(page, of: day, at: path)
            return .rewritten
        }
        if case .elsewhere(let other) = finding.problem { return try move(other, back: path) }
        guard let file = record.files.first(where: { $0.path == path }) else { return .leftToSync }
        let copies = copies(of: file.sha256, day: day)
        return try restore(path, of: day, sha256: file.sha256, from: copies, naming: record)
            ?? .leftToSync
    }

    /// Restores a file in `previous/`; without a copy of its contents it is moved to `damaged/`.
    private func restorePrevious(_ path: String, of day: Day) throws(SystemError) -> Repair.Action {
        if let sha256 = previous.names.first(where: { $0.path == path })?.sha256 {
            let current = try store.record(of: day)?.files.filter { $0.sha256 == sha256 } ?? []
            let copies = copies(of: sha256, day: day) + current.map(\.path)
            if let action = try restore(path, of: day, sha256: sha256, from: copies) {
                return action
            }
        }
        // Links or moves the file to damaged/; then the name in previous/ must go.
        try store.keepDamaged(path, of: day)
        try store.tree.root.remove(path)
        return .setAside
    }

    /// Makes a pin again from the picture or video that it was a copy of; NASA may have replaced that since.
    private func restorePin(at path: String, of day: Day) throws(SystemError) -> Repair.Action {
        guard let record = try store.validRecord(of: day) else { return .leftToSync }
        guard let pinned = try previous.origin(ofPin: path, record) else { return .unrecoverable }
        let current = record.files.filter { $0.sha256 == pinned.sha256 }
        let copies = current.map(\.path) + copies(of: pinned.sha256, day: day)
        return try restore(path, of: day, sha256: pinned.sha256, from: copies, naming: record)
            ?? (current.isEmpty ? .unrecoverable : .leftToSync)
    }

    /// Moves the file of a day, which was verified at `other`, to its path, where nothing is.
    private func move(_ other: String, back path: String) throws(SystemError) -> Repair.Action {
        let (folderPath, name) = Layout.split(path)
        let (otherPath, otherName) = Layout.split(other)
        guard let folder = try store.tree.root.folder(folderPath),
            let source = try store.tree.root.folder(otherPath)
        else { return .leftToSync }
        try source.moveDurably(otherName, to: folder, as: name)
        return .movedBack(from: other)
    }

    /// The paths that may have these contents: the pin of a favorite, then `previous/`.
    private func copies(of sha256: String, day: Day) -> [String] {
        [pins[day]].compactMap(\.self) + previous.paths(of: sha256)
    }

    /// Replaces the file at `path` by the first of `copies` with the hash; `nil` if none has it.
    ///
    /// `record` is that of the day; `nil` for a file in `previous/`, which has an earlier one.
    ///
    /// - Throws: The first ``SystemError`` if no copy was used, and one could not be read or the file not be written.
    private func restore(
        _ path: String, of day: Day, sha256: String, from copies: [String],
        naming record: DayRecord? = nil
    ) throws(SystemError) -> Repair.Action? {
        var failure: SystemError?
        // The damaged file itself may be among the copies.
        for copy in copies where copy != path {
            do throws(SystemError) {
                if try replace(path, of: day, by: copy, sha256: sha256, naming: record) {
                    return .restored(from: copy)
                }
            } catch {
                // The next copy may be readable.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// Replaces the damaged file at `path`, which is kept in `damaged/`, by a copy of the file at `source`.
    ///
    /// - Returns: `false` if the contents of `source` do not have the hash.
    /// - Throws: ``SystemError``; nothing is lost: the damaged file is at `path`, or in `damaged/`.
    private func replace(
        _ path: String, of day: Day, by source: String, sha256: String, naming record: DayRecord?
    ) throws(SystemError) -> Bool {
        let root = store.tree.root
        guard let status = try root.status(source), status.kind == .file,
            status.size <= Layout.largestFile
        else { return false }
        let draft = try store.draft("\(day).restored")
        try store.copy(root.openFile(source, O_RDONLY), into: draft)
        // mutation test: restored-hash
        guard try draft.file.sha256(path: draft.path, limit: Layout.largestFile) == sha256 else {
            return false
        }
        if let record {
            // A pin may have the contents of an earlier revision, whose origin is not known: then none is written.
            let picture = record.picture.flatMap { $0.sha256 == sha256 ? $0 : nil }
            let video = record.video.flatMap { $0.sha256 == sha256 ? $0 : nil }
            draft.file.setAttributes(of: record, from: video?.url ?? picture?.origin ?? "")
        }
        try draft.file.setModified(day.noon, path: draft.path)
        // mutation test: keep-damaged
        try store.keepDamaged(path, of: day)
        let (folder, name) = Layout.split(path)
        try draft.publish(in: try root.makeDirectory(folder), as: name)
        return true
    }
}
