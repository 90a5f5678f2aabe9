internal import APOD
internal import JSON
package import Platform

extension Store {
    /// Publishes a record whose files are in the tree: see ``DayPublisher``.
    package func publish(
        _ record: DayRecord, after earlier: DayRecord
    ) throws(SystemError) {
        try DayPublisher(store: self, day: record.entry.day).publish(record, after: earlier)
    }
}

/// Publishes one day: its picture and video first, its record last.
///
/// All files are staged in `incoming/` under the name of the day before the first file of the tree is
/// replaced, and each file that will be replaced has a second name in `previous/` by then. The rename
/// of the record is the commit: after an interruption before it, ``resume()`` finishes the publication
/// with the staged files, or rolls it back if one of them is missing.
struct DayPublisher {
    let store: Store
    let day: Day

    var root: Directory { store.tree.root }
    var staging: Directory { store.incoming }

    /// Publishes `record`, which has the final paths of the new `files`; these are checked.
    ///
    /// - Throws: ``SystemError``; the tree has the earlier or the new state, or gets it by ``resume()``.
    func publish(
        _ record: DayRecord, _ files: [DayRecord.FileKind: DownloadedFile] = [:],
        after earlier: DayRecord?
    ) throws(SystemError) {
        defer { store.snapshots.recordChange(of: day) }
        do {
            for (kind, file) in files {
                file.draft.file.setAttributes(of: record, from: file.address)
                try file.draft.file.setModified(day.noon, path: file.draft.path)
                try file.draft.stage(in: staging, as: staged(kind))
            }
            for kind in DayRecord.FileKind.allCases where files[kind] == nil {
                // It was found in its place, with the recorded contents.
                guard let found = record.file(kind), found != earlier?.file(kind) else { continue }
                try flushInPlace(found.path)
            }
            let isReplaced = try archive(files, record, earlier)
            let draft = try store.draft("\(day).record.part")
            try draft.write(record.json.document)
            try draft.stage(in: staging, as: stagedRecord)
            // The files of the earlier record change from here on: the staged ones must survive a power cut.
            // mutation test: staging-sync
            if isReplaced || earlier != nil { try staging.flush() }
        } catch {
            discard()
            throw error
        }
        do {
            try finish(record, earlier)
        } catch {
            // Thrown also if this succeeds: the state of the disk is not certain.
            try? resume()
            throw error
        }
    }

    /// Links files that will be replaced into `previous/`, or into `damaged/` if they are not as recorded;
    /// returns whether there is any.
    private func archive(
        _ files: [DayRecord.FileKind: DownloadedFile], _ record: DayRecord, _ earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        var paths: [String] = []
        for kind in files.keys {
            paths += [record.file(kind)?.path, earlier?.file(kind)?.path].compactMap(\.self)
            guard let old = earlier?.file(kind),
                try root.hasContents(of: old, at: old.path) == false
            else { continue }
            paths.removeAll { $0 == old.path }
            try store.keepDamaged(old.path, of: day)
        }
        if earlier == nil { try store.keepDamaged(recordPath, of: day) }
        var isReplaced = false
        // mutation test: archive-before-replace
        for path in Set(paths).sorted() where try store.archive(path, of: day) {
            isReplaced = true
        }
        if let earlier, earlier.missing == nil, isReplaced || earlier.revision < record.revision {
            _ = try store.archive(recordPath, of: day, label: "r\(earlier.revision) ")
        }
        return isReplaced
    }

    // MARK: Names

    /// Whether `name` in `incoming/` is a staged file of a day.
    static func isStaged(_ name: String) -> Bool {
        guard let day = FileName.day(of: name) else { return false }
        return name == Layout.record(of: day)
            || DayRecord.FileKind.allCases.contains { name == staged($0, of: day) }
    }

    private static func staged(_ kind: DayRecord.FileKind, of day: Day) -> String {
        "\(day) \(kind.rawValue)"
    }
    func staged(_ kind: DayRecord.FileKind) -> String { Self.staged(kind, of: day) }
    private var stagedRecord: String { Layout.record(of: day) }
    private var recordPath: String { Layout.recordPath(of: day) }

    func discard() {
        for kind in DayRecord.FileKind.allCases { try? staging.remove(staged(kind)) }
        try? staging.remove(stagedRecord)
    }

    // MARK: Finishing

    private func finish(_ record: DayRecord, _ earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let path = file.path
            guard try staging.status(staged(kind)) != nil else { continue }
            // What was made from the old picture is made again.
            if kind == .picture {
                try? root.remove(Rendition.path(of: day))
                // mutation test: old-thumbnail
                if record.picture?.sha256 != earlier?.picture?.sha256 {
                    try? root.remove(Layout.thumbnail(of: day))
                }
            }
            let (folderPath, name) = Layout.split(path)
            let folder = try root.makeDirectory(folderPath)
            try store.makeRoom(for: path, of: day)
            try staging.rename(staged(kind), to: folder, as: name)
            // mutation test: picture-before-record
            try folder.flush()
        }
        if record.removed != nil {
            try store.moveToTrash(record)
        } else if earlier?.removed != nil {
            try store.returnFromTrash(day)
            // In a copy of the mirror, also the files in the trash may have lost them.
            store.setMissingAttributes(of: record)
        }
        if record.removed == nil, let old = earlier?.picture?.path,
            let new = record.picture?.path, old != new
        {
            try store.makeRoom(for: old, of: day)
            try store.replaceByLink(at: old, to: Layout.split(new).name)
        }
        if let earlier, record.page == nil { try store.removeRedirectPage(of: earlier) }
        let folder = try root.makeDirectory(Layout.folder(Layout.metadata, of: day))
        try staging.rename(stagedRecord, to: folder, as: stagedRecord)
        try folder.flush()
    }

    /// Finishes an interrupted publication, or rolls it back; does nothing if there is none.
    func resume() throws(SystemError) {
        defer { store.snapshots.recordChange(of: day) }
        guard let bytes = try staging.read(stagedRecord, limit: 16 << 20) else {
            return discard()
        }
        let earlier = try store.record(of: day)
        // With a record that was cut, nothing has been replaced yet.
        guard let record = DayRecord(bytes, of: day), record.revision >= earlier?.revision ?? 0
        else { return discard() }
        if try canFinish(record, earlier) {
            try finish(record, earlier)
        } else {
            try rollBack(record, earlier)
        }
        // A power cut can leave both names of a renamed file, for which rename(2) does nothing.
        discard()
        try staging.flush()
    }

    /// Whether each file that `record` names is staged or already has its final name, and is on the disk.
    ///
    /// A killed process may have named it before its bytes were there. A file whose fsync fails is moved to
    /// `damaged/`, or discarded: a second fsync would succeed without its bytes, see fsync(2).
    private func canFinish(
        _ record: DayRecord, _ earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let isStaged = try staging.status(staged(kind)) != nil
            if !isStaged, file == earlier?.file(kind) { continue }
            let (folder, path) = isStaged ? (staging, staged(kind)) : (root, file.path)
            // mutation test: staged-hash
            guard try folder.hasContents(of: file, at: path) == true else {
                return false
            }
            // mutation test: found-file-sync
            guard (try? isStaged ? staging.flush(path) : flushInPlace(path)) != nil else {
                return false
            }
        }
        return (try? staging.flush(stagedRecord)) != nil
    }

    /// Flushes a file that has its final name; one that cannot be flushed is moved to `damaged/`.
    private func flushInPlace(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try root.flush(path)
        } catch {
            try? store.moveDamaged(path)
            throw error
        }
    }

    /// Restores the files of `earlier` from `previous/`.
    private func rollBack(_ record: DayRecord, _ earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier?.file(kind),
                try root.hasContents(of: file, at: file.path) != true
            else { continue }
            try store.restorePrevious(file.path, sha256: file.sha256, of: day)
            if let other = record.file(kind)?.path, other != file.path,
                try store.archive(other, of: day)
            {
                try root.remove(other)
            }
        }
    }
}
