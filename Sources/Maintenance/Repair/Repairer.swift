package import APOD
internal import Glibc
package import Mirror
internal import Platform

/// Repairs findings in a tree that is open for writing.
///
/// Contents come from the pin of a favorite, else from `previous/`, else from NASA with the next sync.
/// Damaged files are kept in `damaged/`; unknown items are never touched.
package struct Repairer {
    private let store: Store
    /// The paths of the pinned pictures of favorites.
    private let pins: [Day: String]
    private let previous: PreviousFiles

    package init(_ store: Store, pins: [Day: String]) {
        self.store = store
        self.pins = pins
        previous = PreviousFiles(of: store.tree)
    }

    /// Repairs `finding`, which must be recent.
    package func repair(_ finding: VerifyFinding) -> Repair {
        defer { finding.day.map(store.snapshots.recordChange) }
        do throws(SystemError) {
            return Repair(finding: finding, action: try action(for: finding))
        } catch {
            return Repair(finding: finding, action: .failed(error))
        }
    }

    private func action(for finding: VerifyFinding) throws(SystemError) -> Repair.Action {
        if case .damagedView = finding.problem {
            try store.tree.root.remove(finding.path)
            return .removed
        }
        guard let day = finding.day else { return .leftToSync }
        // Without descriptors or memory, nothing is known of the file.
        if case .unreadable(let error) = finding.problem, error.isShortage { throw error }
        let path = finding.path
        let top = path.prefix { $0 != "/" }
        if case .wrongTime = finding.problem {
            try store.tree.root.openFile(path, O_RDONLY).setModified(day.noon, path: path)
            return .timeSet
        }
        if case .wrongKind = finding.problem { try store.moveDamaged(path) }
        switch String(top) {
        case Layout.gallery:  // a thumbnail
            try store.tree.root.remove(path)
            return .removed
        case Layout.pictures:
            guard let record = try store.validRecord(of: day) else { return .leftToSync }
            if path == record.page { return try rewritePage(of: record) }
            return try restoreMedia(finding, record)
        case Layout.own:
            if path.hasPrefix("\(Layout.previous)/") {
                return try restorePrevious(path, of: day)
            }
            return path.hasSuffix(".json") ? .leftToScan : try restorePin(finding, of: day)
        case Layout.favorites: return .leftToScan
        default: return .leftToSync
        }
    }

    private func rewritePage(of record: DayRecord) throws(SystemError) -> Repair.Action {
        guard let path = record.page, let page = record.redirectPage else {
            return .leftToSync
        }
        try store.keepDamaged(path, of: record.entry.day)
        try store.publish(page, of: record.entry.day, at: path)
        return .rewritten
    }

    private func restoreMedia(
        _ finding: VerifyFinding, _ record: DayRecord
    ) throws(SystemError) -> Repair.Action {
        let (path, day) = (finding.path, record.entry.day)
        if case .elsewhere(let other) = finding.problem { return try move(other, back: path) }
        guard let file = record.files.first(where: { $0.path == path }) else { return .leftToSync }
        let copies = copies(of: file.sha256, day: day)
        return try restore(path, of: day, file.sha256, from: copies, record) ?? .leftToSync
    }

    /// Restores a file in `previous/`; without a copy of its contents it is moved to `damaged/`.
    private func restorePrevious(_ path: String, of day: Day) throws(SystemError) -> Repair.Action {
        let name = Layout.split(path).name
        if let sha256 = previous.names.first(where: { $0.name == name })?.sha256 {
            let current = try store.record(of: day)?.files.filter { $0.sha256 == sha256 } ?? []
            let copies = copies(of: sha256, day: day) + current.map(\.path)
            if let action = try restore(path, of: day, sha256, from: copies) { return action }
        }
        try store.keepDamaged(path, of: day)
        try store.tree.root.remove(path)
        return .setAside
    }

    /// The paths that may have these contents: the pin of a favorite, then `previous/`.
    private func copies(of sha256: String, day: Day) -> [String] {
        [pins[day]].compactMap(\.self) + previous.paths(of: sha256)
    }

    private func move(_ other: String, back path: String) throws(SystemError) -> Repair.Action {
        let (folderPath, name) = Layout.split(path)
        let (otherPath, otherName) = Layout.split(other)
        guard let folder = try store.tree.root.folder(folderPath),
            let source = try store.tree.root.folder(otherPath)
        else { return .leftToSync }
        try source.moveDurably(otherName, to: folder, as: name)
        return .movedBack(from: other)
    }

    /// Makes a pin again from the picture or video that it was a copy of; NASA may have replaced that since.
    private func restorePin(
        _ finding: VerifyFinding, of day: Day
    ) throws(SystemError) -> Repair.Action {
        guard let record = try store.validRecord(of: day) else { return .leftToSync }
        guard let pinned = try previous.pinned(at: finding.path, record) else {
            return .unrecoverable
        }
        let current = record.files.filter { $0.sha256 == pinned.sha256 }
        let copies = current.map(\.path) + copies(of: pinned.sha256, day: day)
        return try restore(finding.path, of: day, pinned.sha256, from: copies, record)
            ?? (current.isEmpty ? .unrecoverable : .leftToSync)
    }

    /// Restores the file at `path` from the first of `copies` with that hash; `nil` if none has it.
    ///
    /// `record` is the one that names the file; `nil` for a file of an earlier revision.
    private func restore(
        _ path: String, of day: Day, _ sha256: String, from copies: [String],
        _ record: DayRecord? = nil
    ) throws(SystemError) -> Repair.Action? {
        for copy in copies where copy != path {
            if try replace(path, by: copy, sha256, of: day, record) {
                return .restored(from: copy)
            }
        }
        return nil
    }

    /// Replaces the damaged file at `path`, which is kept in `damaged/`, by a copy of the file at `source`.
    ///
    /// - Returns: `false` if the contents of `source` do not have the hash.
    /// - Throws: ``SystemError``; the file at `path` is unchanged, or in `damaged/` if it is unreadable.
    private func replace(
        _ path: String, by source: String, _ sha256: String, of day: Day, _ record: DayRecord?
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
            // A pin may have the contents of an earlier revision, whose origin is not known.
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
