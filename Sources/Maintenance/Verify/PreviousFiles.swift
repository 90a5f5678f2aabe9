internal import APOD
internal import Mirror
internal import Platform

/// The files in `previous/`: with the tree, all versions of pictures and videos.
struct PreviousFiles: Sendable {
    private let root: Directory
    /// The names, with the day and the hash in each; `nil` in a name that is not the mirror's.
    private(set) var names: [(name: String, day: Day?, sha256: String?)] = []
    /// Why the directory could not be read.
    private(set) var error: SystemError?

    init(of tree: Tree) {
        root = tree.root
        do throws(SystemError) {
            let found = try root.folder(Layout.previous)?.textNames() ?? []
            names = found.sorted().map { name in
                let day = FileName.day(of: name)
                return (name, day, day.flatMap { _ in Self.hash(in: name) })
            }
        } catch {
            self.error = error
        }
    }

    /// The SHA-256 at the end of `name`, before its extension.
    private static func hash(in name: String) -> String? {
        let stem = name.splitAtLastDot?.stem ?? name[...]
        return stem.split(separator: " ").last.map(String.init).flatMap {
            $0.isSHA256 ? $0 : nil
        }
    }

    /// The paths of the files with these contents.
    func paths(of sha256: String) -> [String] {
        names.filter { $0.sha256 == sha256 }.map { "\(Layout.previous)/\($0.name)" }
    }

    // MARK: Versions

    /// The earlier files of `day`: those that records in `previous/` name, and the others in it.
    ///
    /// - Throws: ``SystemError`` if the directory cannot be read, or if descriptors or memory are exhausted.
    func versions(of day: Day) throws(SystemError) -> [RecordedFile] {
        if let error { throw error }
        var recorded: [RecordedFile] = []
        var others: [RecordedFile] = []
        for (name, _, sha256) in names.filter({ $0.day == day }) {
            let path = "\(Layout.previous)/\(name)"
            if name.hasSuffix(".json") {
                let bytes = try ifReadable(root.read(path, limit: 16 << 20))
                recorded += bytes.flatMap { DayRecord($0, of: day) }?.files ?? []
            } else if let sha256 {
                let status = try ifReadable(root.status(path))
                guard let status else { continue }
                others.append(RecordedFile(path: path, bytes: status.size, sha256: sha256))
            }
        }
        return recorded + others
    }

    /// The version of which the damaged pin at `path` was a copy; `nil` if that is not known.
    ///
    /// - Throws: ``SystemError``, as ``versions(of:)`` does.
    func pinned(at path: String, _ record: DayRecord) throws(SystemError) -> RecordedFile? {
        let ending = path.splitAtLastDot?.ending
        // Each contents once.
        var versions: [RecordedFile] = []
        for file in try record.files + self.versions(of: record.entry.day)
        where file.path.splitAtLastDot?.ending == ending
            && !versions.contains(where: { $0.sha256 == file.sha256 })
        {
            versions.append(file)
        }
        guard versions.count > 1, let pin = try root.status(path) else { return versions.first }
        // A pin is a hard link to its version where there are no reflinks.
        for version in versions {
            let current = record.files.filter { $0 == version }.map(\.path)
            for other in current + paths(of: version.sha256)
            where try root.status(other)?.identity == pin.identity {
                return version
            }
        }
        // Bits that flip on the disk keep the size.
        let same = versions.filter { $0.bytes == pin.size }
        return same.count == 1 ? same.first : nil
    }
}
