package import APOD
internal import FoundationEssentials
package import Platform

/// How `--keep` removes a day: its files are deleted, as NASA still has them, and its record says when.
extension DayPublisher {
    /// Deletes the files of the day, and records that.
    ///
    /// - Returns: The bytes of picture and video, and of their earlier versions. `nil` if nothing is deleted, because
    ///   the day has no file, or one with other contents than recorded.
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does, or of a file that cannot be read, which stays.
    func remove(at now: Date) throws(SystemError) -> Int? {
        // An interrupted edit is finished first.
        try resume()
        guard let earlier = try store.record(of: day) else { return nil }
        var record = earlier
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.file(kind),
                let status = try root.status(file.path), status.kind == .file
            else { continue }
            // Other contents are a user's, even with the recorded size.
            // mutation test: removed-hash
            guard try root.hasContents(of: file, at: file.path) == true else { return nil }
            record.setRemoved(kind, now)
        }
        guard earlier.removed == nil, record.removed != nil else { return nil }
        let replacedBytes = try store.bytes(of: store.replacedFiles()[day] ?? [])
        try publish(record, after: earlier)
        return earlier.bytes.addingSaturating(replacedBytes)
    }

    /// Records that removed files are at their paths again, as when a favorite restored one; returns whether any are.
    func recordReturn() throws(SystemError) -> Bool {
        try resume()
        guard let earlier = try store.record(of: day) else { return false }
        var record = earlier
        let files = [
            DayRecord.FileKind.picture: earlier.picture?.file, .video: earlier.video?.file,
        ]
        for (kind, file) in files {
            guard let file, file.removed != nil,
                try root.hasContents(of: file, at: file.path) == true
            else { continue }
            record.setRemoved(kind, nil)
        }
        guard record != earlier else { return false }
        record.page = try store.publishRedirectPage(of: record, after: earlier)
        try publish(record, after: earlier)
        return true
    }

    /// Deletes the files that `record` marks as removed, and what the mirror made of them; may be repeated.
    ///
    /// Each is deleted only if it is still the mirror's, as a person may have replaced it meanwhile.
    func deleteFiles(of record: DayRecord) throws(SystemError) {
        for file in record.allFiles where file.removed != nil {
            try store.remove(file.path, provedBy: .record(file))
        }
        try store.removeRedirectPage(of: record)
        store.remove(Layout.thumbnail(of: day), of: .thumbnails)
        store.remove(Rendition.path(of: day), of: .renditions)
        for path in try store.replacedFiles()[day] ?? [] {
            try store.remove(path, provedBy: .hashInName)
        }
    }
}

extension Store {
    /// Removes a file that `view` makes from a picture, because the picture is replaced or removed.
    func remove(_ path: String, of view: ViewName) {
        _ = try? ViewFiles(of: view, in: self).remove([path])
    }

    /// The paths of the files that edits and damage replaced, by day: `previous/2026-11-20 SHA-256.jpg`.
    ///
    /// Only names with a hash count, as only this program gives them.
    func replacedFiles() throws(SystemError) -> [Day: [String]] {
        var paths: [Day: [String]] = [:]
        for folder in [Layout.previous, Layout.damaged] {
            for name in try tree.root.textNames(in: folder)
            where FileName.hash(inPrevious: name) != nil {
                guard let day = FileName.day(of: name) else { continue }
                paths[day, default: []].append("\(folder)/\(name)")
            }
        }
        return paths
    }

    /// The bytes of ``replacedFiles()``, by day.
    package func replacedBytes() throws(SystemError) -> [Day: Int] {
        var bytes: [Day: Int] = [:]
        for (day, paths) in try replacedFiles() { bytes[day] = try self.bytes(of: paths) }
        return bytes
    }

    /// The bytes of the items at `paths`, without those that are missing.
    func bytes(of paths: [String]) throws(SystemError) -> Int {
        var bytes = 0
        for path in paths {
            bytes = bytes.addingSaturating(try tree.root.status(path)?.size ?? 0)
        }
        return bytes
    }
}
