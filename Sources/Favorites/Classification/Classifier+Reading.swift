internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Reads files in `favorites/`, and compares them with the pictures of the mirror.
extension Classifier {
    /// Shortcuts, notes and the headers of pictures are shorter.
    private static let startLength = 64 << 10

    /// The first ``startLength`` bytes of a file; fails with `EAGAIN` if ``budget`` is used up.
    mutating func readStart(_ item: ScannedItem) throws(SystemError) -> [UInt8] {
        // mutation test: read-limit
        guard budget > 0 else { throw SystemError("read", path: item.name.text, code: EAGAIN) }
        let length = min(item.size, Self.startLength)
        budget -= length
        return try open(item) { file, path throws(SystemError) in
            try file.readStart(limit: length, path: path)
        }
    }

    /// The day of a hard link, which need not be read; `nil` also for small files, as most shortcuts are.
    mutating func hardLinkedDay(_ item: ScannedItem) throws(SystemError) -> Day? {
        guard item.size > Self.startLength else { return nil }
        return try pictureIndex(for: item)?.byIdentity[item.identity]
    }

    /// Classifies a file that is a picture of the mirror, by inode or by hash; `nil` for any other file.
    ///
    /// The file begins with `start`.
    mutating func classifyByMirror(
        _ item: ScannedItem, _ start: [UInt8] = []
    ) throws(SystemError) -> Classification? {
        try pictureIndex(for: item)?
            .classification(of: item, recorded: recordedDays[item.name], start: start) {
                () throws(SystemError) in
                budget -= item.size
                return try open(item) { file, path throws(SystemError) in
                    try file.sha256(path: path, limit: item.size)
                }
            }
    }

    private mutating func pictureIndex(
        for item: ScannedItem
    ) throws(SystemError) -> PictureIndex? {
        guard let tree else { return nil }
        let found = self.pictures ?? Result { try PictureIndex(of: tree) }
        self.pictures = found
        do {
            return try found.get()
        } catch {
            throw (error as? SystemError) ?? SystemError("read", path: item.name.text, code: EIO)
        }
    }

    /// Opens the file `item`; fails with `ESTALE` if another file has its name now, with `EFBIG` if it grew.
    private func open<Result>(
        _ item: ScannedItem,
        _ body: (borrowing FileDescriptor, String) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let path = "\(Layout.favorites)/\(item.name.text)"
        guard let folder = try tree?.root.folder(item.name.folderPath) else {
            throw SystemError("open", path: path, code: ENOENT)
        }
        let file = try folder.openToRead(item.name.last)
        let status = try file.status(path: path)
        guard status.kind == .file, status.identity == item.identity else {
            throw SystemError("open", path: path, code: ESTALE)
        }
        // mutation test: grown-copy
        guard status.size <= item.size else { throw SystemError("read", path: path, code: EFBIG) }
        return try body(file, path)
    }
}
