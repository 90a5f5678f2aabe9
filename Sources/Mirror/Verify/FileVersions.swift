internal import APOD
internal import JSON
internal import Platform

/// The pictures and videos that a day had and has: a pin may be of any of them.
struct FileVersions {
    let tree: Tree
    let previous: PreviousNames

    /// The files of the record, then those of the earlier records in `previous/`, each content once.
    func all(of record: DayRecord) -> [RecordedFile] {
        var versions = record.files
        for file in earlier(record.entry.day)
        where !versions.contains(where: { $0.sha256 == file.sha256 }) {
            versions.append(file)
        }
        return versions
    }

    /// The files of the records in `previous/`, and what else is there.
    func earlier(_ day: Day) -> [RecordedFile] {
        let names = previous.names.filter { $0.day == day }.map(\.name)
        let recorded = names.filter { $0.hasSuffix(".json") }.flatMap { name in
            let bytes = try? tree.root.read("\(Layout.previous)/\(name)", limit: 16 << 20)
            let record = bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0) }
            return record?.entry.day == day ? record?.files ?? [] : []
        }
        let others = previous.names.filter { $0.day == day && !$0.name.hasSuffix(".json") }
            .compactMap { name, _, sha256 -> RecordedFile? in
                let path = "\(Layout.previous)/\(name)"
                guard let sha256, let status = try? tree.root.status(path) else { return nil }
                return RecordedFile(path: path, bytes: status.size, sha256: sha256)
            }
        return recorded + others
    }

    /// Which version the pin at `path` was, though its bytes are damaged; `nil` if that is not known.
    func pinned(at path: String, _ record: DayRecord) throws(SystemError) -> RecordedFile? {
        let kind = Self.fileExtension(path)
        let versions = all(of: record).filter { Self.fileExtension($0.path) == kind }
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
