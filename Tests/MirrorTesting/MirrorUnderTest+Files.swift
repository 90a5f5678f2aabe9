package import APOD
internal import Glibc
package import Mirror
internal import Platform
package import Simulator

/// What NASA publishes and is asked for.
extension MirrorUnderTest {
    /// NASA publishes another picture, of 64 by 40 pixels, on the day that is `age` days old.
    package func replacePicture(
        _ age: Int = 1, seed: UInt64 = 7, format: Drawing.Format = .jpeg
    ) throws {
        try simulator.edit(Self.newest.advanced(by: -age)) {
            $0.media = .drawn(
                "another-\(seed).\(format.rawValue)", seed: seed, width: 64, height: 40,
                format: format)
        }
    }

    /// How many pictures and videos were requested.
    package var mediaRequests: Int { simulator.requests.count { $0.kind == .media } }
}

/// The files of the tree, and how a test breaks them.
extension MirrorUnderTest {
    /// The record of the day that is `age` days old.
    package func record(_ age: Int = 1) throws -> DayRecord {
        let day = Self.newest.advanced(by: -age)
        guard let record = try store.record(of: day) else { throw NoRecord(day: day) }
        return record
    }

    private struct NoRecord: Error { let day: Day }

    /// The path of the picture of the day that is `age` days old.
    package func picture(_ age: Int = 1) throws -> String { try record(age).picture?.path ?? "" }

    package func recordPath(_ age: Int = 1) -> String {
        Layout.recordPath(of: Self.newest.advanced(by: -age))
    }

    /// The absolute path of a file of the tree.
    package func absolute(_ path: String) -> String { "\(tree.root.path)/\(path)" }

    /// Changes the bytes of a file and keeps its modification time, as a failing disk does.
    package func rot(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try tree.root.read(path) ?? []
        let time = try tree.root.status(path)?.modified ?? 0
        change(&bytes)
        let file = try tree.root.openFile(path, O_WRONLY | O_TRUNC)
        try file.write(bytes, path: path)
        file.setModified(time)
    }

    package func flipBit(_ path: String) throws { try rot(path) { $0[$0.count / 2] ^= 1 } }

    /// Creates a file with `text`, and its directory.
    package func write(_ text: String, to path: String) throws {
        let (folder, name) = Layout.split(path)
        let file = try tree.root.makeDirectory(folder).open(name, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8), path: path)
    }

    package func remove(_ path: String) throws { try tree.root.remove(path) }

    package func text(_ path: String) throws -> String? {
        try tree.root.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The files in `previous/`, by their paths.
    package func previousFiles() throws -> [String: [UInt8]] {
        try contents().filter { $0.key.hasPrefix(Layout.previous) }
    }

    /// The contents of all files in `damaged/`.
    package func damagedFiles() throws -> [[UInt8]] {
        guard let folder = try tree.root.folder(Layout.damaged) else { return [] }
        return try folder.textNames().map { try folder.read($0) ?? [] }
    }

    package func move(_ path: String, to other: String) throws {
        guard unsafe rename(absolute(path), absolute(other)) == 0 else {
            throw SystemError("rename", path: path, code: errno)
        }
    }
}

extension TreeSnapshot {
    /// The days with a record and any picture or video.
    package var recordedWithMedia: Set<Day> {
        Set(days.filter { $0.record != nil && $0.hasMedia }.map(\.day))
    }

    /// The days with a thumbnail.
    package var thumbnails: Set<Day> { Set(days.filter { $0.thumbnail != nil }.map(\.day)) }
}
