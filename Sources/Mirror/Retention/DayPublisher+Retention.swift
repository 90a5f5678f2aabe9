package import APOD
internal import FoundationEssentials
package import Platform

/// Removes the files of a day that `--keep` excludes: its record stays, and NASA has the rest.
extension DayPublisher {
    /// Deletes the files of the day, and records that.
    ///
    /// - Returns: The bytes of picture and video; `nil` if there is no file that is as recorded.
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does, or of a file that cannot be read, which stays.
    func remove(at now: Date) throws(SystemError) -> Int? {
        try resume()
        guard let earlier = try store.record(of: day) else { return nil }
        var record = earlier
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.file(kind),
                let status = try root.status(file.path), status.kind == .file
            else { continue }
            guard try isAsRecorded(file) else { return nil }
            record.setRemoved(kind, now)
        }
        guard earlier.removed == nil, record.removed != nil else { return nil }
        try publish(record, after: earlier)
        return earlier.bytes
    }

    /// Deletes the files that `record` marks as removed, with what the mirror made for them: links to the picture, the
    /// redirect page, the thumbnail, and what edits and damage replaced; may be repeated.
    func deleteFiles(of record: DayRecord) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            // Somebody may have replaced it since an interruption.
            guard let file = record.removedFile(kind), try ifReadable(isAsRecorded(file)) == true
            else { continue }
            for link in try store.links(of: day, to: file.path) { try root.remove(link) }
            try root.removeDurably(file.path)
        }
        try store.removeRedirectPage(of: record)
        _ = try? ViewFiles(of: .thumbnails, in: store).remove([Layout.thumbnail(of: day)])
        _ = try? ViewFiles(of: .renditions, in: store).remove([Rendition.path(of: day)])
        try deleteReplacedFiles()
    }

    /// Deletes what edits and damage replaced, for a day that is kept; may be repeated.
    func removeReplacedFiles() throws(SystemError) {
        // An interrupted edit may need them.
        try resume()
        try deleteReplacedFiles()
    }

    private func deleteReplacedFiles() throws(SystemError) {
        for path in try store.replacedFiles()[day] ?? []
        where try root.status(path)?.kind == .file {
            try root.removeDurably(path)
        }
    }

    /// Whether the file has the contents of its record: any other one is a user's, also one of the same size, and stays.
    private func isAsRecorded(_ file: RecordedFile) throws(SystemError) -> Bool {
        // mutation test: removed-hash
        try root.hasContents(of: file, at: file.path) == true
    }
}

extension Store {
    /// The files that edits and damage replaced, by their days: those in `previous/` and `damaged/` whose names have
    /// the hash of their contents, which only this program gives.
    func replacedFiles() throws(SystemError) -> [Day: [String]] {
        var paths: [Day: [String]] = [:]
        for folder in [Layout.previous, Layout.damaged] {
            for name in try tree.root.textNames(in: folder) where FileName.isPrevious(name) {
                guard let day = FileName.day(of: name) else { continue }
                paths[day, default: []].append("\(folder)/\(name)")
            }
        }
        return paths
    }

    /// The bytes of ``replacedFiles()``, by their days.
    package func replacedBytes() throws(SystemError) -> [Day: Int] {
        var bytes: [Day: Int] = [:]
        for (day, paths) in try replacedFiles() {
            for path in paths {
                bytes[day, default: 0] += try tree.root.status(path)?.size ?? 0
            }
        }
        return bytes
    }

    /// The links that ``replaceByLink(at:to:)`` left under earlier names of the picture at `path`, also by other links.
    func links(of day: Day, to path: String) throws(SystemError) -> [String] {
        let (folderPath, name) = Layout.split(path)
        guard let folder = try tree.root.folder(folderPath) else { return [] }
        let candidates = try folder.textNames().filter { FileName.day(of: $0) == day }
        var links: Set<String> = []
        var targets: Set = [name]
        while !targets.isEmpty {
            targets = Set(
                candidates.filter { folder.target(of: $0).map(targets.contains) ?? false }
            ).subtracting(links)
            links.formUnion(targets)
        }
        return links.map { "\(folderPath)/\($0)" }
    }
}
