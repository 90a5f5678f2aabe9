internal import APOD
internal import FoundationEssentials
package import Platform

/// How `--keep` removes the picture and video of an old day.
///
/// A removal is the publication of a record in which the files are marked with the time of their removal. When such a record
/// is published, ``DayPublisher`` deletes the files. They came from NASA or from a classic mirror: if the day is to be kept
/// again, they are downloaded. The mark `mutation test: …` is for Tests/Mutants.
extension DayPublisher {
    enum Removal {
        /// The files are deleted; they and their earlier versions had so many bytes.
        case done(bytes: Int)
        /// The day stays as it is: it has no recorded file, or a person has imported or changed one.
        case refused
    }

    /// Publishes the record of the day with all of its files marked as removed at `time`, which deletes the files.
    ///
    /// - Throws: ``SystemError``, as ``publish(_:_:after:)`` does, or if a file cannot be read, which then stays.
    func publishRemoval(at time: Date) throws(SystemError) -> Removal {
        // An interrupted edit is finished first.
        try resume()
        guard let earlier = try store.record(of: day), earlier.picture?.isImported != true else {
            return .refused
        }
        var record = earlier
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier.file(kind),
                let status = try root.status(file.path), status.kind == .file
            else { continue }
            // A file with other contents belongs to a person, even if it has the recorded size.
            // mutation test: removed-hash
            guard try root.hasContents(of: file, at: file.path) == true else { return .refused }
            record.setRemoved(kind, time)
        }
        guard earlier.removed == nil, record.removed != nil else { return .refused }
        let replacedBytes = try store.bytes(of: store.replacedFiles()[day] ?? [])
        try publish(record, after: earlier)
        return .done(bytes: earlier.bytes.addingSaturating(replacedBytes))
    }

    /// Publishes the record without the marks of removed files that are at their paths again.
    ///
    /// For example, a favorite that was made from a removed day has brought its picture back.
    ///
    /// - Returns: Whether there was such a file.
    func publishReturn() throws(SystemError) -> Bool {
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

    /// Deletes the files that `record` marks as removed, their earlier versions, and what views made from them.
    ///
    /// A file that a person has edited, or has put in the place of one of them, stays. A call may be repeated.
    func deleteFilesMarkedAsRemoved(in record: DayRecord) throws(SystemError) {
        for file in record.allFiles where file.removed != nil {
            try store.remove(file.path, provedBy: .record(file))
        }
        try store.removeRedirectPage(of: record)
        store.deleteViewFile(Layout.thumbnail(of: day), of: .thumbnails)
        store.deleteViewFile(Rendition.path(of: day), of: .renditions)
        let replaced = try store.replacedFiles()[day] ?? []
        for path in try replaced + store.damagedFiles(of: record) {
            try store.remove(path, provedBy: .hashInName)
        }
    }
}

extension Store {
    /// The files in `previous/`, which NASA's edits replaced: their paths, by day.
    func replacedFiles() throws(SystemError) -> [Day: [String]] {
        Dictionary(grouping: try namedByHash(in: Layout.previous), by: \.day)
            .mapValues { $0.map(\.path) }
    }

    /// The files in `damaged/` that have the size of a file of `record`: a disk fault keeps the size, and almost no edit does.
    ///
    /// A file of another size may be a picture that a person edited. It stays, even after its day was removed.
    fileprivate func damagedFiles(of record: DayRecord) throws(SystemError) -> [String] {
        let sizes = Set(record.allFiles.map(\.bytes))
        var paths: [String] = []
        for file in try namedByHash(in: Layout.damaged) where file.day == record.entry.day {
            if let size = try tree.root.status(file.path)?.size, sizes.contains(size) {
                paths.append(file.path)
            }
        }
        return paths
    }

    /// The files at `folder` with names such as `2026-11-20 SHA-256.jpg`, which only this program gives.
    private func namedByHash(
        in folder: String
    ) throws(SystemError) -> [(day: Day, path: String)] {
        try tree.root.textNames(in: folder).compactMap { name in
            guard FileName.hash(inPrevious: name) != nil, let day = FileName.day(of: name) else {
                return nil
            }
            return (day, "\(folder)/\(name)")
        }
    }

    /// The sizes of ``replacedFiles()`` in bytes, by day.
    func replacedBytes() throws(SystemError) -> [Day: Int] {
        var bytes: [Day: Int] = [:]
        for (day, paths) in try replacedFiles() { bytes[day] = try self.bytes(of: paths) }
        return bytes
    }

    /// The bytes of all that is in `previous/` and `damaged/`.
    package func bytesOfReplacedItems() throws(SystemError) -> Int {
        var bytes = 0
        for folder in [Layout.previous, Layout.damaged] {
            let paths = try tree.root.textNames(in: folder).map { "\(folder)/\($0)" }
            bytes = bytes.addingSaturating(try self.bytes(of: paths))
        }
        return bytes
    }

    /// The sum of the sizes of the items at `paths`; a missing item counts as 0.
    func bytes(of paths: [String]) throws(SystemError) -> Int {
        var bytes = 0
        for path in paths {
            bytes = bytes.addingSaturating(try tree.root.status(path)?.size ?? 0)
        }
        return bytes
    }
}
