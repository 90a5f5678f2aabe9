internal import Glibc
internal import JSON
internal import MediaFormat
package import Platform

/// A file or directory that a view makes from the tree, such as `latest.json`, and makes again when it is removed
/// or damaged.
///
/// The same place may have a file of a user. Only an empty one is replaced: each view says how it recognizes its own.
package struct OwnedPath: Sendable {
    /// Answers a question about what is at ``path``, which exists; an error says nothing about it.
    package typealias Check = @Sendable (_ root: Directory) throws(SystemError) -> Bool

    /// Relative to the root: a name there or in `.apod-mirror/`.
    package let path: String
    private let hasMarks: Check
    /// Whether what the mirror wrote is undamaged, as far as its marks show.
    package let isWhole: Check

    /// By default, anything at `path` is the mirror's, as in `.apod-mirror/`, where no user has files.
    package init(
        _ path: String, hasMarks: @escaping Check = { _ in true },
        isWhole: @escaping Check = { _ in true }
    ) {
        self.path = path
        self.hasMarks = hasMarks
        self.isWhole = isWhole
    }

    /// A file of text with `mark` in its first 4 KiB and `end` in its last 16 bytes.
    package init(file path: String, mark: String, end: String) {
        self.init(
            path,
            hasMarks: { root throws(SystemError) in
                try root.start(of: path)?.firstRange(of: mark.utf8) != nil
            },
            isWhole: { root throws(SystemError) in
                let file = try root.openFile(path, O_RDONLY)
                return try file.readEnd(limit: 16, path: path).firstRange(of: end.utf8) != nil
            })
    }

    /// Whether the mirror wrote what is at ``path``, even if it is damaged.
    package func isOwn(_ root: Directory) throws(SystemError) -> Bool {
        // mutation test: blank-file
        if try root.isBlank(path) { return true }
        return try hasMarks(root)
    }

    /// The sentence that an item at `path` is not the mirror's, and in its way.
    package static func obstruction(by path: String) -> String {
        "\(path) was not written by the mirror and is not overwritten; move it away, and the mirror writes its own"
    }
}

extension OwnedPath {
    /// A copy of the record of the newest day with a picture or a video.
    package static let latestRecord: OwnedPath = OwnedPath(
        "latest.json",
        hasMarks: { root throws(SystemError) in
            let path = latestRecord.path
            // Each record begins like this, also a damaged one; another program may have formatted it anew.
            if try root.start(of: path)?.starts(with: "{\n  \"date\": \"".utf8) == true {
                return true
            }
            let bytes = try ifReadable(root.read(path, limit: 1 << 20))
            return bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0) } != nil
        },
        isWhole: { root throws(SystemError) in
            let bytes = try ifReadable(root.read(latestRecord.path))
            return bytes.map { (try? JSON(parsing: $0)) != nil } ?? false
        })

    /// A link to the newest picture, or a file converted from it if it is no JPEG.
    package static let latestPicture: OwnedPath = OwnedPath(
        "latest.jpg",
        hasMarks: { root throws(SystemError) in
            let path = latestPicture.path
            if let target = root.target(of: path) {
                return target.hasPrefix("\(Layout.pictures)/")
            }
            return try root.start(of: path)?.firstRange(of: "apod-mirror: ".utf8) != nil
        },
        isWhole: { root throws(SystemError) in
            let path = latestPicture.path
            if let target = root.target(of: path) {
                return try ifReadable(root.status(target))?.kind == .file
            }
            let file = try root.openFile(path, O_RDONLY)
            // A picture that cannot be read is made again.
            return (try? MediaHeader(reading: file).checkEnd(of: file)) != nil
        })
}

extension Directory {
    /// The first bytes of the file `name`; `nil` if it cannot be read.
    fileprivate func start(of name: String) throws(SystemError) -> [UInt8]? {
        try ifReadable(openFile(name, O_RDONLY).readStart(limit: 4096, path: name))
    }

    /// Whether the file `name` is the beginning of `bytes`, as a file that was cut short; a longer one is not.
    package func isBeginning(_ name: String, of bytes: [UInt8]) throws(SystemError) -> Bool {
        let found = try ifReadable(read(name, limit: bytes.count))
        return found.map { bytes.starts(with: $0) } ?? false
    }

    /// Whether the file `name` is empty or has nothing but zeros, as many file systems leave a file after a power
    /// cut; such a file has nothing of a user that could be lost.
    package func isBlank(_ name: String) throws(SystemError) -> Bool {
        // Most files are recognized by their first bytes.
        guard try start(of: name)?.allSatisfy({ $0 == 0 }) == true else { return false }
        return try ifReadable(read(name))?.allSatisfy { $0 == 0 } ?? false
    }
}
