import APOD
import Glibc
import Mirror
import Platform
import Views

/// All views of a mirror after one new day, in a helper process.
enum NewDayRun {
    /// The argument that selects this role.
    static let role = "new-day"

    /// The processor time of all views of the mirror at `path` after one new day, in milliseconds, by a helper process.
    static func processorTime(at path: String) throws -> Double {
        try ConnectedProcess(role: role, path).figures(1)[0]
    }

    /// Runs the role in the helper process.
    static func serve(_ path: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let store = try Store(tree: tree, minimumFree: 0)
        // Twice, because the sidecars are files of the tree.
        for _ in 0..<2 { _ = try await update(store) }
        let newest = try store.snapshots.current().recordedWithMedia.max() ?? .first
        try add(newest.advanced(by: 1), to: store)
        let before = clock()
        let written = try await update(store)
        let time = Double(clock() - before) / 1_000_000 * 1000
        guard written.contains("index.html"), written.contains("latest.json") else {
            throw Failure("no new day", log: "/dev/null")
        }
        StandardStream.output.write("\(time)\n")
    }

    /// Brings all views up to date; returns the paths that were written.
    private static func update(_ store: Store) async throws -> [String] {
        let input = try ViewInput(
            store: store, snapshot: store.snapshots.current(), thumbnails: nil)
        var settings = ViewSettings()
        settings.writesSidecars = true
        var written: [String] = []
        for view in allViews.compactMap({ $0.init(settings) }) {
            written += try await view.update(input).changedPaths
        }
        return written
    }

    /// Adds a day with the record and the picture of another one, in a sync, which begins with a walk over the tree.
    private static func add(_ day: Day, to store: Store) throws {
        _ = try store.snapshots.walk()
        defer { store.snapshots.recordChange(of: day) }
        let root = store.tree.root
        let other = Day.first.advanced(by: 8)
        let (metadata, pictures) = (
            Layout.folder(Layout.metadata, of: other), Layout.folder(Layout.pictures, of: other)
        )
        let picture = try root.read("\(pictures)/\(SampleTree.name(of: other))") ?? []
        let record = String(
            decoding: try root.read("\(metadata)/\(other).json") ?? [], as: UTF8.self
        )
        .replacing(pictures, with: Layout.folder(Layout.pictures, of: day))
        .replacing("\(other)", with: "\(day)")
        let incoming = try root.makeDirectory(Layout.incoming)
        for (bytes, top, name) in [
            (picture, Layout.pictures, SampleTree.name(of: day)),
            (Array(record.utf8), Layout.metadata, "\(day).json"),
        ] {
            try AtomicFile.publish(
                bytes, in: root.makeDirectory(Layout.folder(top, of: day)), as: name,
                through: incoming)
        }
    }
}
