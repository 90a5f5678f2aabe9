internal import APOD
internal import Glibc
internal import JSON
internal import Platform
internal import Transfer

/// Publishes one day: its picture and video first, its record last.
///
/// Everything waits in `incoming/` under the name of the day before the first file of the tree is replaced,
/// and what is to be replaced has a second name in `previous/` by then. The move of the record is the
/// commit: an interruption before it leaves the new record in `incoming/`, and ``resume()`` finishes the
/// publication with the files beside it, or undoes it where one of them is gone.
struct DayPublisher {
    private let store: Store
    private let day: Day
    private let root: Directory

    enum Kind: String, CaseIterable {
        case picture, video
    }

    init(_ store: Store, of day: Day) {
        self.store = store
        self.day = day
        root = store.tree.root
    }

    /// Publishes `record` with the new files that it names.
    ///
    /// - Parameters:
    ///   - record: All that is to be known of the day, with the final paths of the files.
    ///   - files: Those that are new: whole and checked.
    ///   - earlier: The record that the tree has.
    /// - Throws: ``SystemError``; the tree has the earlier state or the new one then, unless the disk fails
    ///   again: then the next ``resume()`` decides.
    func publish(
        _ record: DayRecord, _ files: [Kind: DownloadedFile] = [:], after earlier: DayRecord?
    ) throws(SystemError) {
        let staging = try root.makeDirectory(Layout.incoming)
        do {
            for (kind, file) in files {
                try label(file, record)
                try file.draft.stage(in: staging, as: staged(kind))
            }
            let replaces = try keepPrevious(files, record, earlier)
            let draft = try store.draft("\(day).record.part")
            try draft.write(record.json.document)
            try draft.stage(in: staging, as: stagedRecord)
            if replaces { try staging.synchronize() }
        } catch {
            discard(in: staging)
            throw error
        }
        do {
            try finish(record, earlier, staging)
        } catch {
            // Reported all the same: what is on the disk now is not known for certain.
            try? resume()
            throw error
        }
    }

    private func label(_ file: DownloadedFile, _ record: DayRecord) throws(SystemError) {
        let entry = record.entry
        file.draft.file.setAttribute("user.xdg.origin.url", file.receipt.address)
        if let permalink = entry.permalink {
            file.draft.file.setAttribute("user.xdg.referrer.url", permalink)
        }
        file.draft.file.setAttribute("user.xdg.comment", entry.title)
        try file.draft.file.setModified(day.noon, path: file.draft.path)
    }

    /// Gives all that is about to be replaced a second name in `previous/`.
    ///
    /// - Returns: Whether anything is replaced.
    private func keepPrevious(
        _ files: [Kind: DownloadedFile], _ record: DayRecord, _ earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        var paths: [String] = []
        for kind in files.keys {
            paths += [record.file(kind)?.path, earlier?.file(kind)?.path].compactMap(\.self)
        }
        var isReplaced = false
        for path in Set(paths).sorted() where try store.keepPrevious(path, of: day) {
            isReplaced = true
        }
        if let earlier, earlier.missing == nil, isReplaced || earlier.revision < record.revision {
            _ = try store.keepPrevious(
                recordPath, of: day, label: "r\(earlier.revision) ")
        }
        return isReplaced || (earlier != nil && !files.isEmpty)
    }

    // MARK: Names

    /// Whether a file called `name` in `incoming/` waits to be published with its day.
    static func isStaged(_ name: String) -> Bool {
        guard let day = FileName.day(of: name) else { return false }
        return name == Layout.record(of: day)
            || Kind.allCases.contains { name == staged($0, of: day) }
    }

    private static func staged(_ kind: Kind, of day: Day) -> String { "\(day) \(kind.rawValue)" }
    private func staged(_ kind: Kind) -> String { Self.staged(kind, of: day) }
    private var stagedRecord: String { Layout.record(of: day) }
    private var recordPath: String {
        "\(Layout.folder(Layout.metadata, of: day))/\(Layout.record(of: day))"
    }

    private func discard(in staging: Directory) {
        for kind in Kind.allCases { try? staging.remove(staged(kind)) }
        try? staging.remove(stagedRecord)
    }

    // MARK: Finishing

    private func finish(
        _ record: DayRecord, _ earlier: DayRecord?, _ staging: Directory
    ) throws(SystemError) {
        for kind in Kind.allCases {
            guard let path = record.file(kind)?.path,
                try staging.status(staged(kind)) != nil
            else { continue }
            let (folderPath, name) = Layout.split(path)
            let folder = try root.makeDirectory(folderPath)
            try staging.rename(staged(kind), to: folder, as: name)
            try folder.synchronize()
        }
        if let old = earlier?.picture?.path, let new = record.picture?.path, old != new {
            try store.leaveLink(at: old, to: Layout.split(new).name)
        }
        let (folderPath, name) = Layout.split(recordPath)
        let folder = try root.makeDirectory(folderPath)
        try staging.rename(stagedRecord, to: folder, as: name)
        try folder.synchronize()
    }

    /// Finishes a publication that was interrupted, or undoes it.
    func resume() throws(SystemError) {
        guard let staging = try root.folder(Layout.incoming) else { return }
        guard let bytes = try staging.read(stagedRecord, limit: 16 << 20) else {
            return discard(in: staging)
        }
        let earlier = try store.record(of: day)
        // A record that was not wholly written: nothing has been replaced yet.
        guard let record = (try? JSON(parsing: bytes)).flatMap({ DayRecord($0) }),
            record.entry.day == day, record.revision >= earlier?.revision ?? 0
        else { return discard(in: staging) }
        if try isWhole(record, earlier, staging) {
            try finish(record, earlier, staging)
        } else {
            try undo(record, earlier)
            discard(in: staging)
            try staging.synchronize()
        }
    }

    /// Whether each file that `record` names waits in `staging` or has its final name already.
    private func isWhole(
        _ record: DayRecord, _ earlier: DayRecord?, _ staging: Directory
    ) throws(SystemError) -> Bool {
        for kind in Kind.allCases {
            guard let file = record.file(kind) else { continue }
            if try staging.status(staged(kind)) != nil {
                guard try staging.sha256(of: staged(kind)) == file.sha256 else { return false }
            } else if file != earlier?.file(kind) {
                guard try root.sha256(of: file.path) == file.sha256 else { return false }
            }
        }
        return true
    }

    /// Gives the files of `earlier` their names again, from `previous/`.
    private func undo(_ record: DayRecord, _ earlier: DayRecord?) throws(SystemError) {
        for kind in Kind.allCases {
            guard let file = earlier?.file(kind),
                try root.sha256(of: file.path) != file.sha256
            else { continue }
            try store.restorePrevious(file.path, sha256: file.sha256, of: day)
            if let other = record.file(kind)?.path, other != file.path,
                try store.keepPrevious(other, of: day)
            {
                let (folder, name) = Layout.split(other)
                try root.folder(folder)?.remove(name)
            }
        }
    }
}

/// A picture or video that was downloaded and checked, and is not published yet.
final class DownloadedFile: Sendable {
    let draft: AtomicFile
    let receipt: DownloadResult

    init(_ draft: consuming AtomicFile, _ receipt: DownloadResult) {
        self.draft = draft
        self.receipt = receipt
    }
}

extension DayRecord {
    /// A file that a record names.
    struct NamedFile: Hashable {
        let path: String
        let sha256: String
    }

    func file(_ kind: DayPublisher.Kind) -> NamedFile? {
        switch kind {
        case .picture: picture.map { NamedFile(path: $0.path, sha256: $0.sha256) }
        case .video:
            if let video, let path = video.path, let sha256 = video.sha256 {
                NamedFile(path: path, sha256: sha256)
            } else {
                nil
            }
        }
    }
}

extension Directory {
    /// The SHA-256 of the file at `path`, `nil` where there is none.
    fileprivate func sha256(of path: String) throws(SystemError) -> String? {
        guard try status(path)?.kind == .file else { return nil }
        return try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY).sha256(path: path)
    }
}
