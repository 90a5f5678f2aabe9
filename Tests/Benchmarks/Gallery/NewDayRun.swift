import APOD
import Glibc
import Mirror
import Platform
import Views

/// The first gallery of a mirror and what one new day costs, in a helper process.
struct NewDayRun {
    /// The argument that selects this role.
    static let role = "new-day"

    /// The time of all pages of the gallery, and of those that a new day changes, in milliseconds.
    let allPages: Double
    let changedPages: Double
    /// The processor time of all views after one new day, in milliseconds.
    let allViews: Double

    /// Builds the views of the mirror at `path` in a helper process.
    init(at path: String) throws {
        let figures = try ConnectedProcess(role: Self.role, path).figures(3)
        (allPages, changedPages, allViews) = (figures[0], figures[1], figures[2])
    }

    /// Runs the role in the helper process.
    static func serve(_ path: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let store = try Store(tree: tree, minimumFree: 0)
        let gallery = Views.allViews.filter { $0.title == "the gallery" }
        let allPages = try await time { _ = try await update(gallery, store) }
        // Twice, because the sidecars are files of the tree.
        for _ in 0..<2 { _ = try await update(Views.allViews, store) }
        let newest = try store.snapshots.current().recordedWithMedia.max() ?? .first
        try add(newest.advanced(by: 1), to: store)
        let changedPages = try await time { _ = try await update(gallery, store) }
        _ = try await update(Views.allViews, store)
        try add(newest.advanced(by: 2), to: store)
        let before = clock()
        let written = try await update(Views.allViews, store)
        let allViews = Double(clock() - before) / 1_000_000 * 1000
        guard written.contains("index.html"), written.contains("latest.json") else {
            throw Failure("no new day", log: "/dev/null")
        }
        StandardStream.output.write("\(allPages) \(changedPages) \(allViews)\n")
    }

    private static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now).milliseconds
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
