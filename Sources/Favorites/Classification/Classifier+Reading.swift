internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// Reads files in `favorites/` and compares them with the pictures of the mirror.
///
/// The ``budget`` limits how many files are begun. One that was begun is read as far as needed, or each scan would
/// read its start again.
extension Classifier {
    /// How many bytes are read to recognize a file; shortcuts, notes and the headers of pictures are shorter.
    private static let startLength = 64 << 10

    /// The error code of a file that is longer than in the scan.
    static let grown = EFBIG

    /// The first ``startLength`` bytes of a file.
    mutating func readStart(_ item: ScannedItem) throws(SystemError) -> [UInt8] {
        let length = min(item.size, Self.startLength)
        budget -= length
        return try withFile(of: item) { file, path throws(SystemError) in
            try file.readStart(limit: length, path: path)
        }
    }

    /// The day of a hard link to a picture of the mirror, by its inode alone.
    ///
    /// `nil` for a file of at most ``startLength`` bytes, too: reading it takes less time than making the index. Also
    /// `nil` while the pictures cannot be listed, up to ``budgetWithoutPictures``; then the error of listing them.
    mutating func dayOfLargeHardLink(_ item: ScannedItem) throws(SystemError) -> Day? {
        guard item.size > Self.startLength else { return nil }
        do {
            return try pictureIndex(for: item)?.day(ofHardLink: item)
        } catch  where budgetWithoutPictures > 0 {
            // A text may still lead to a day; for any other file, the error follows.
            budgetWithoutPictures -= Self.startLength
            return nil
        }
    }

    /// Classifies a picture of the mirror by its inode, or by its hash if one has its size; `nil` for another file.
    mutating func classifyByMirror(_ item: ScannedItem) throws(SystemError) -> Classification? {
        try pictureIndex(for: item)?
            .classification(of: item, recordedDay: recordedDays[item.name]) {
                () throws(SystemError) in
                budget -= item.size
                return try withFile(of: item) { file, path throws(SystemError) in
                    try file.sha256(path: path, limit: item.size)
                }
            }
    }

    /// The index, made once in a scan: if that fails, each file that needs it does; `nil` without a mirror.
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

    /// Opens the file `item`, as it was scanned.
    ///
    /// Fails with `ESTALE` if another file has its name now, with ``grown`` if it grew, with `ENOENT` without folder.
    private func withFile<Value>(
        of item: ScannedItem,
        _ body: (borrowing FileDescriptor, _ path: String) throws(SystemError) -> Value
    ) throws(SystemError) -> Value {
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
        guard status.size <= item.size else {
            throw SystemError("read", path: path, code: Self.grown)
        }
        return try body(file, path)
    }
}
