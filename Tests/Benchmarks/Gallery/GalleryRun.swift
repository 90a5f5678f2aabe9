import APOD
import Glibc
import Mirror
import Platform
import Views

/// The first build of a gallery and the build after one new day, in a helper process.
struct GalleryRun {
    /// The argument that selects this role.
    static let role = "gallery"

    /// In milliseconds: all pages, those after one new day, and a build after a restart.
    let all: Double
    let one: Double
    let none: Double
    /// The number of pages that one new day changed.
    let written: Double
    /// The growth of the peak resident memory, in bytes.
    let peak: Double
    /// The bytes of the first page and its resources without pictures.
    let front: Double
    /// The processor time of gallery, sidecars and all derived files after one new day, in milliseconds.
    let derived: Double

    /// Builds the gallery of the mirror at `path` in a helper process.
    init(at path: String) throws {
        let figures = try ConnectedProcess(role: Self.role, path).figures(7)
        (all, one, none) = (figures[0], figures[1], figures[2])
        (written, peak, front, derived) = (figures[3], figures[4], figures[5], figures[6])
    }

    /// Runs the role in the helper process.
    static func serve(_ path: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let store = try Store(tree: tree, minimumFree: 0)
        let gallery = allViews.filter { $0.title == "the gallery" }
        let before = try peak()
        let all = try await time { _ = try await update(gallery, store) }
        let derived = try await derivedTime(store)
        let records = try tree.root.folder(Layout.metadata)?.textNames().max() ?? ""
        try add(Day(iso: "\(records)-12-31") ?? .last, to: store)
        var written: [String] = []
        let one = try await time { written = try await update(gallery, store) }
        let memory = try peak() - before
        store.snapshots.release()
        let none = try await time { _ = try await update(gallery, store) }
        var front = 0
        let files = ["style.css", "gallery.js", "zoom.js", "icon.svg"].map { "gallery/\($0)" }
        for file in ["index.html"] + files {
            front += try tree.root.read(file)?.count ?? 0
        }
        StandardStream.output.write(
            "\(all) \(one) \(none) \(written.count) \(memory) \(front) \(derived)\n")
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

    /// The processor time of all views after one new day, in milliseconds.
    private static func derivedTime(_ store: Store) async throws -> Double {
        // Twice, because the sidecars are files of the tree.
        for _ in 0..<2 { _ = try await update(allViews, store) }
        let newest = try store.snapshots.current().recordedWithMedia.max() ?? .first
        try add(newest.advanced(by: 1), to: store)
        let before = clock()
        let written = try await update(allViews, store)
        let time = Double(clock() - before) / 1_000_000 * 1000
        guard written.contains("index.html"), written.contains("latest.json") else {
            throw Failure("no new day", log: "/dev/null")
        }
        return time
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

    private static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now).milliseconds
    }

    /// See `VmHWM` in proc_pid_status(5).
    private static func peak() throws -> Int {
        let text = try Directory(opening: "/proc/self").read("status") ?? []
        let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").compactMap { Int($0) }.first ?? 0) * 1024
    }
}
