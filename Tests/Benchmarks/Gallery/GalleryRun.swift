import APOD
import Glibc
import Mirror
import Platform
import Views

/// The first build of a gallery, and the build of it and of all views after one new day, in a helper process.
struct GalleryRun {
    /// The argument that selects this role.
    static let role = "gallery"

    /// In milliseconds: all pages, and those after one new day.
    let all: Double
    let one: Double
    /// The processor time of gallery, sidecars and all derived files after one new day, in milliseconds.
    let derived: Double

    /// Builds the gallery of the mirror at `path` in a helper process.
    init(at path: String) throws {
        let figures = try ConnectedProcess(role: Self.role, path).figures(3)
        (all, one, derived) = (figures[0], figures[1], figures[2])
    }

    /// Runs the role in the helper process.
    static func serve(_ path: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let store = try Store(tree: tree, minimumFree: 0)
        let gallery = allViews.filter { $0.title == "the gallery" }
        let all = try await time { _ = try await update(gallery, store) }
        try addDay(to: store)
        let one = try await time { _ = try await update(gallery, store) }
        // Twice, because the sidecars are files of the tree.
        for _ in 0..<2 { _ = try await update(allViews, store) }
        try addDay(to: store)
        let before = clock()
        let written = try await update(allViews, store)
        let derived = Double(clock() - before) / 1_000_000 * 1000
        guard written.contains("index.html"), written.contains("latest.json") else {
            throw Failure("no new day", log: "/dev/null")
        }
        StandardStream.output.write("\(all) \(one) \(derived)\n")
    }

    /// Brings views up to date; returns the paths that were written.
    private static func update(
        _ types: [any View.Type], _ store: Store
    ) async throws -> [String] {
        let input = try ViewInput(
            store: store, snapshot: store.snapshots.current(), thumbnails: nil)
        var settings = ViewSettings()
        settings.writesSidecars = true
        var written: [String] = []
        for view in types.compactMap({ $0.init(settings) }) {
            written += try await view.update(input).changedPaths
        }
        return written
    }

    /// Adds a newer day with the record and the picture of another one, in a sync, which begins with a walk over the tree.
    private static func addDay(to store: Store) throws {
        let newest = try store.snapshots.walk().recorded.max() ?? .first
        let day = newest.advanced(by: 1)
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

    private static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now).milliseconds
    }
}
