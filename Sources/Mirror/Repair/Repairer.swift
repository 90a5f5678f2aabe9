package import APOD
internal import Glibc
package import Platform

/// What a repair did, or what it leaves to others.
package struct Repair: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The contents were copied from this path.
        case restored(from: String)
        /// The file was renamed from this path.
        case movedBack(from: String)
        case timeSet
        /// The page of a day was written again.
        case rewritten
        /// Moved into `damaged/`: nothing has the contents, and they are lost.
        case setAside
        /// Nothing has the contents of a pin, or it is not known which picture it was.
        case unrecoverable
        /// Removed; it is made again.
        case removed
        /// The next sync downloads it, or writes it again.
        case leftToSync
        /// The next scan of the favorites repairs it.
        case leftToScan
        case failed(SystemError)
    }

    package let finding: VerifyFinding
    package let action: Action

    /// Whether the finding is repaired already.
    package var isDone: Bool {
        switch action {
        case .restored, .movedBack, .timeSet, .rewritten, .removed: true
        case .setAside, .unrecoverable, .leftToSync, .leftToScan, .failed: false
        }
    }

    /// Whether the contents are lost, and the damage is in the tree no more.
    package var isLost: Bool { action == .setAside }
}

extension Repair: CustomStringConvertible {
    package var description: String { "\(finding.path): \(action.words)" }
}

extension Repair.Action {
    /// What was done, for people.
    package var words: String {
        switch self {
        case .restored(let source): "restored from \(source)"
        case .movedBack(let path): "moved back from \(path)"
        case .timeSet: "modification time set"
        case .rewritten: "written again"
        case .setAside: "no copy of the contents exists; moved to \(Layout.damaged)"
        case .unrecoverable:
            "no copy of the pinned contents exists; remove the file to pin the picture of the day"
        case .removed: "removed, to be made again"
        case .leftToSync: "to be downloaded from NASA"
        case .leftToScan: "to be repaired by the next scan of the favorites"
        case .failed(let error): "\(error)"
        }
    }
}

/// Repairs findings in a tree that is open for writing.
///
/// Contents come from the pin of a favorite, else from `previous/`, else from NASA with the next sync.
/// Damaged bytes are kept in `damaged/`; what is unknown is never touched.
package struct Repairer {
    private let store: Store
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
        // Nothing is known of the file then.
        if case .unreadable(let error) = finding.problem, error.isShortage { throw error }
        let path = finding.path
        let top = path.prefix { $0 != "/" }
        if case .wrongTime = finding.problem {
            try store.tree.root.openFile(path, O_RDONLY).setModified(day.noon, path: path)
            return .timeSet
        }
        if case .wrongKind = finding.problem { try store.moveDamaged(path) }
        switch String(top) {
        case Layout.gallery:
            // A thumbnail.
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
        let sources = sources(of: file.sha256, day)
        return try restore(path, of: day, file.sha256, from: sources, record) ?? .leftToSync
    }

    /// Restores a file in `previous/`, which NASA has no more; moves it away if nothing has its contents.
    private func restorePrevious(_ path: String, of day: Day) throws(SystemError) -> Repair.Action {
        let name = Layout.split(path).name
        if let sha256 = previous.names.first(where: { $0.name == name })?.sha256 {
            let current = try store.record(of: day)?.files.filter { $0.sha256 == sha256 } ?? []
            let sources = sources(of: sha256, day) + current.map(\.path)
            if let action = try restore(path, of: day, sha256, from: sources) { return action }
        }
        try store.keepDamaged(path, of: day)
        try store.tree.root.remove(path)
        return .setAside
    }

    /// The paths that may have these contents: the pin of a favorite, then `previous/`.
    private func sources(of sha256: String, _ day: Day) -> [String] {
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

    /// Makes a pin again from the picture or video that it was, which NASA may have replaced since.
    private func restorePin(
        _ finding: VerifyFinding, of day: Day
    ) throws(SystemError) -> Repair.Action {
        guard let record = try store.validRecord(of: day) else { return .leftToSync }
        guard let pinned = try previous.pinned(at: finding.path, record) else {
            return .unrecoverable
        }
        let current = record.files.filter { $0.sha256 == pinned.sha256 }
        let sources = current.map(\.path) + sources(of: pinned.sha256, day)
        return try restore(finding.path, of: day, pinned.sha256, from: sources, record)
            ?? (current.isEmpty ? .unrecoverable : .leftToSync)
    }

    /// Restores the file at `path` from the first of `sources` with that hash; `nil` if none has it.
    private func restore(
        _ path: String, of day: Day, _ sha256: String, from sources: [String],
        _ record: DayRecord? = nil
    ) throws(SystemError) -> Repair.Action? {
        for source in sources where source != path {
            if try store.restore(path, from: source, sha256: sha256, of: day, record) {
                return .restored(from: source)
            }
        }
        return nil
    }
}
