import APOD
import Glibc
import JSON
import Mirror
import Platform
import Thumbnails

/// The thumbnails of a mirror of given pictures, rendered by a helper process with one decoder.
struct ThumbnailRun {
    /// The argument that selects this role.
    static let role = "thumbnails"

    private let root: Directory
    private let log: String
    /// The paths of the pictures for other programs.
    let paths: [String]

    /// Creates the mirror in `folder`.
    init(of pictures: [[UInt8]], in folder: Directory, log: String) throws {
        root = folder
        self.log = log
        let tree = try Self.open(folder.path)
        paths = try pictures.enumerated().map { index, bytes in
            let day = Day.first.advanced(by: 7 + index)
            let path = "\(Layout.folder(Layout.pictures, of: day))/\(day) Picture.jpg"
            try Self.write(bytes, to: path, in: tree.root)
            try Self.write(
                Self.record(of: day, path, bytes).document,
                to: Layout.recordPath(of: day), in: tree.root)
            return "\(folder.path)/\(path)"
        }
    }

    /// Renders all thumbnails again.
    func measure() throws -> Usage {
        removeThumbnails()
        let usage = try Command(["/proc/self/exe", Self.role, root.path], log: log).measure()
        let made = try TreeSnapshot(of: Self.reading(root.path).root).days
            .count { $0.thumbnail != nil }
        guard made == paths.count else {
            throw Failure("\(made) of \(paths.count) thumbnails were made", log: log)
        }
        return usage
    }

    /// Runs the role in the helper process.
    static func serve(_ path: String) async throws {
        let thumbnails = Thumbnails(
            store: try Store(tree: try open(path), minimumFree: 0))
        let jobs = try thumbnails.missingThumbnails(in: thumbnails.snapshots.current())
        var failures: [ThumbnailFailure] = []
        await thumbnails.make(jobs) { _, result in
            if case .failure(let failure) = result { failures.append(failure) }
        }
        if let failure = failures.first { throw failure }
    }

    private func removeThumbnails() {
        for path in paths {
            let day = path.split(separator: "/").last.flatMap { FileName.day(of: $0) } ?? .first
            _ = unsafe unlink("\(root.path)/\(Layout.thumbnail(of: day))")
        }
    }

    private static func open(_ path: String) throws -> Tree {
        try Tree.writing(path, known: KnownMirrors(environment: [:]))
    }

    private static func reading(_ path: String) throws -> Tree {
        try Tree.reading(path, known: KnownMirrors(environment: [:]))
    }

    private static func write(_ bytes: [UInt8], to path: String, in root: Directory) throws {
        let (above, name) = Layout.split(path)
        let file = try root.makeDirectory(above).open(name, O_WRONLY | O_CREAT | O_EXCL)
        try file.write(bytes, path: path)
    }

    private static func record(of day: Day, _ path: String, _ bytes: [UInt8]) -> JSON {
        var hash = SHA256()
        hash.update(bytes)
        return [
            "date": .string("\(day)"), "title": "Picture", "explanation": "",
            "picture": [
                "path": .string(path), "bytes": .integer(bytes.count),
                "sha256": .string(hash.hexDigest()),
            ],
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
    }
}
