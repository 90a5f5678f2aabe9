internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import JSON
internal import Platform
internal import Transfer

/// Publishes one day: its picture and video first, its record last.
///
/// All files are staged in `incoming/` under the name of the day before the first file of the tree is
/// replaced, and each file that will be replaced has a second name in `previous/` by then. The rename
/// of the record is the commit: after an interruption before it, ``resume()`` completes the publication
/// with the staged files, or rolls it back if one of them is missing.
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

    /// Publishes `record` with its new files.
    ///
    /// - Parameters:
    ///   - record: The new record, with the final paths of the files.
    ///   - files: The new files, complete and checked.
    ///   - earlier: The record in the tree.
    /// - Throws: ``SystemError``; the tree has the earlier or the new state then. If the disk fails
    ///   again meanwhile, the next ``resume()`` decides.
    func publish(
        _ record: DayRecord, _ files: [Kind: DownloadedFile] = [:], after earlier: DayRecord?
    ) throws(SystemError) {
        let staging = try root.makeDirectory(Layout.incoming)
        do {
            for (kind, file) in files {
                file.draft.file.setAttributes(of: record, from: file.address)
                try file.draft.file.setModified(day.noon, path: file.draft.path)
                try file.draft.stage(in: staging, as: staged(kind))
            }
            let replaces = try archive(files, record, earlier)
            let draft = try store.draft("\(day).record.part")
            try draft.write(record.json.document)
            try draft.stage(in: staging, as: stagedRecord)
            // mutant: staging-sync
            if replaces { try staging.synchronize() }
        } catch {
            discard(in: staging)
            throw error
        }
        do {
            try finish(record, earlier, staging)
        } catch {
            // Still thrown: the state of the disk is not certain.
            try? resume()
            throw error
        }
    }

    // MARK: Retention

    /// Moves the files of the day to the trash, and records that.
    ///
    /// - Returns: The bytes of picture and video; `nil` if there is no file that is as recorded.
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does.
    func remove(at now: Date) throws(SystemError) -> Int? {
        try resume()
        guard let earlier = try store.record(of: day) else { return nil }
        var record = earlier
        for kind in Kind.allCases {
            guard let file = earlier.file(kind), Store.isInTree(file.path, day),
                let status = try root.status(file.path), status.kind == .file
            else { continue }
            // A user's own file in that place is not ours.
            guard status.size == earlier.bytes(of: kind) else { return nil }
            record.setRemoved(kind, now)
        }
        guard earlier.removed == nil, record.removed != nil else { return nil }
        try publish(record, after: earlier)
        return earlier.bytes
    }

    /// Returns the removed files of the day from the trash, and records that.
    ///
    /// - Returns: The new record; `nil` if the day was not removed or is not in the trash.
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does.
    func restore() throws(SystemError) -> DayRecord? {
        try resume()
        guard let earlier = try store.record(of: day), earlier.removed != nil else { return nil }
        var record = earlier
        var sources: [Kind: String] = [:]
        for kind in Kind.allCases {
            guard let file = earlier.removedFile(kind), Store.isInTree(file.path, day) else {
                continue
            }
            if try root.sha256(of: file.path) != file.sha256 {
                guard let source = try store.trashedFile(file, of: day) else { continue }
                sources[kind] = source
            }
            record.setRemoved(kind, nil)
        }
        guard record.removed == nil else { return nil }
        let staging = try root.makeDirectory(Layout.incoming)
        do {
            for (kind, source) in sources {
                try store.duplicate(source, to: staging, as: staged(kind), of: day)
            }
        } catch {
            discard(in: staging)
            throw error
        }
        try publish(record, after: earlier)
        return record
    }

    /// Links every file that will be replaced into `previous/`, or into `damaged/` if it is not as
    /// recorded.
    ///
    /// - Returns: Whether anything is replaced, removed or returned.
    private func archive(
        _ files: [Kind: DownloadedFile], _ record: DayRecord, _ earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        var paths: [String] = []
        for kind in files.keys {
            paths += [record.file(kind)?.path, earlier?.file(kind)?.path].compactMap(\.self)
            guard let file = earlier?.file(kind), let hash = try root.sha256(of: file.path),
                hash != file.sha256
            else { continue }
            paths.removeAll { $0 == file.path }
            try store.keepDamaged(file.path, of: day)
        }
        if earlier == nil { try store.keepDamaged(recordPath, of: day) }
        var isReplaced = false
        // mutant: archive-before-replace
        for path in Set(paths).sorted() where try store.archive(path, of: day) {
            isReplaced = true
        }
        if let earlier, earlier.missing == nil, isReplaced || earlier.revision < record.revision {
            _ = try store.archive(
                recordPath, of: day, label: "r\(earlier.revision) ")
        }
        return isReplaced || (earlier != nil && !files.isEmpty)
            || record.removed != earlier?.removed
    }

    // MARK: Names

    /// Whether `name` in `incoming/` is a staged file of a day.
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
            // mutant: picture-before-record
            try folder.synchronize()
        }
        if record.removed != nil {
            try store.moveToTrash(record)
        } else if earlier?.removed != nil {
            try store.returnFromTrash(day)
        }
        if record.removed == nil, let old = earlier?.picture?.path,
            let new = record.picture?.path, old != new
        {
            try store.replaceByLink(at: old, to: Layout.split(new).name)
        }
        let (folderPath, name) = Layout.split(recordPath)
        let folder = try root.makeDirectory(folderPath)
        try staging.rename(stagedRecord, to: folder, as: name)
        try folder.synchronize()
    }

    /// Completes an interrupted publication, or rolls it back.
    func resume() throws(SystemError) {
        guard let staging = try root.folder(Layout.incoming) else { return }
        guard let bytes = try staging.read(stagedRecord, limit: 16 << 20) else {
            return discard(in: staging)
        }
        let earlier = try store.record(of: day)
        // An incompletely written record: nothing has been replaced yet.
        guard let record = (try? JSON(parsing: bytes)).flatMap({ DayRecord($0) }),
            record.entry.day == day, record.revision >= earlier?.revision ?? 0
        else { return discard(in: staging) }
        if try isComplete(record, earlier, staging) {
            try finish(record, earlier, staging)
        } else {
            try rollBack(record, earlier)
        }
        // Also after it is finished: a power cut can leave both names of a renamed file, and rename(2) does
        // nothing to two names of one file.
        discard(in: staging)
        try staging.synchronize()
    }

    /// Whether each file that `record` names is staged or already has its final name.
    private func isComplete(
        _ record: DayRecord, _ earlier: DayRecord?, _ staging: Directory
    ) throws(SystemError) -> Bool {
        for kind in Kind.allCases {
            guard let file = record.file(kind) else { continue }
            if try staging.status(staged(kind)) != nil {
                // mutant: staged-hash
                guard try staging.sha256(of: staged(kind)) == file.sha256 else { return false }
            } else if file != earlier?.file(kind) {
                guard try root.sha256(of: file.path) == file.sha256 else { return false }
            }
        }
        return true
    }

    /// Restores the files of `earlier` from `previous/`.
    private func rollBack(_ record: DayRecord, _ earlier: DayRecord?) throws(SystemError) {
        for kind in Kind.allCases {
            guard let file = earlier?.file(kind),
                try root.sha256(of: file.path) != file.sha256
            else { continue }
            try store.restorePrevious(file.path, sha256: file.sha256, of: day)
            if let other = record.file(kind)?.path, other != file.path,
                try store.archive(other, of: day)
            {
                let (folder, name) = Layout.split(other)
                try root.folder(folder)?.remove(name)
            }
        }
    }
}

/// A picture or video that is downloaded or adopted, and checked, but not published.
final class DownloadedFile: Sendable {
    let draft: AtomicFile
    /// Where NASA has it; empty if that is not known.
    let address: String
    /// The bytes that were received.
    let received: Int

    init(_ draft: consuming AtomicFile, _ receipt: DownloadResult) {
        self.draft = draft
        address = receipt.address
        received = receipt.bytes
    }

    init(_ draft: consuming AtomicFile, adoptedFrom address: String) {
        self.draft = draft
        self.address = address
        received = 0
    }
}

extension FileDescriptor {
    /// Sets the extended attributes of a picture or video of `record`, as far as the file system has them.
    ///
    /// - Parameters:
    ///   - record: The record of the day.
    ///   - address: Where NASA has the file; empty if that is not known.
    func setAttributes(of record: DayRecord, from address: String) {
        if !address.isEmpty { setAttribute("user.xdg.origin.url", address) }
        if let permalink = record.entry.permalink {
            setAttribute("user.xdg.referrer.url", permalink)
        }
        setAttribute("user.xdg.comment", record.entry.title)
    }
}

extension DayRecord {
    fileprivate func bytes(of kind: DayPublisher.Kind) -> Int? {
        switch kind {
        case .picture: picture?.bytes
        case .video: video?.bytes
        }
    }

    fileprivate mutating func setRemoved(_ kind: DayPublisher.Kind, _ time: Date?) {
        switch kind {
        case .picture: picture?.removed = time
        case .video: video?.removed = time
        }
    }

    /// A file that a record names.
    struct NamedFile: Hashable {
        let path: String
        let sha256: String
    }

    /// The file of that kind in the tree.
    func file(_ kind: DayPublisher.Kind) -> NamedFile? {
        isRemoved(kind) ? nil : anyFile(kind)
    }

    /// The file of that kind that retention removed.
    func removedFile(_ kind: DayPublisher.Kind) -> NamedFile? {
        isRemoved(kind) ? anyFile(kind) : nil
    }

    private func isRemoved(_ kind: DayPublisher.Kind) -> Bool {
        switch kind {
        case .picture: picture?.removed != nil
        case .video: video?.removed != nil
        }
    }

    private func anyFile(_ kind: DayPublisher.Kind) -> NamedFile? {
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
    /// The SHA-256 of the file at `path`; `nil` if there is none.
    fileprivate func sha256(of path: String) throws(SystemError) -> String? {
        guard try status(path)?.kind == .file else { return nil }
        return try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY).sha256(path: path)
    }
}
