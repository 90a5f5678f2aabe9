internal import APOD
internal import Platform

/// All versions of the pictures and videos of a day: a pin may be of any of them.
struct FileVersions {
    let tree: Tree
    let previous: PreviousNames

    /// The files of the record, then those of the earlier records in `previous/`, each content once.
    ///
    /// - Throws: ``SystemError``, as ``earlier(_:)`` does.
    func all(of record: DayRecord) throws(SystemError) -> [RecordedFile] {
        var versions = record.files
        for file in try earlier(record.entry.day)
        where !versions.contains(where: { $0.sha256 == file.sha256 }) {
            versions.append(file)
        }
        return versions
    }

    /// The files of the records in `previous/`, and what else is there.
    ///
    /// - Throws: ``SystemError`` if the directory, or for a shortage a file in it, cannot be read.
    func earlier(_ day: Day) throws(SystemError) -> [RecordedFile] {
        if let error = previous.error { throw error }
        var recorded: [RecordedFile] = []
        var others: [RecordedFile] = []
        for (name, _, sha256) in previous.names.filter({ $0.day == day }) {
            let path = "\(Layout.previous)/\(name)"
            if name.hasSuffix(".json") {
                let bytes = try ifReadable(tree.root.read(path, limit: 16 << 20))
                recorded += bytes.flatMap { DayRecord($0, of: day) }?.files ?? []
            } else if let sha256 {
                let status = try ifReadable(tree.root.status(path))
                guard let status else { continue }
                others.append(RecordedFile(path: path, bytes: status.size, sha256: sha256))
            }
        }
        return recorded + others
    }

    /// Which version the pin at `path` was, though its bytes are damaged; `nil` if that is not known.
    func pinned(at path: String, _ record: DayRecord) throws(SystemError) -> RecordedFile? {
        let kind = Self.fileExtension(path)
        let versions = try all(of: record).filter { Self.fileExtension($0.path) == kind }
        guard versions.count > 1, let pin = try tree.root.status(path) else {
            return versions.first
        }
        // Two names of one file, as pins are where there are no reflinks.
        for version in versions {
            let archived = previous.names.filter { $0.sha256 == version.sha256 }
                .map { "\(Layout.previous)/\($0.name)" }
            for other in record.files.filter({ $0 == version }).map(\.path) + archived
            where try tree.root.status(other)?.identity == pin.identity {
                return version
            }
        }
        // Rot keeps the size.
        let same = versions.filter { $0.bytes == pin.size }
        return same.count == 1 ? same.first : nil
    }

    private static func fileExtension(_ path: String) -> Substring? {
        path.lastIndex(of: ".").map { path[$0...] }
    }
}
