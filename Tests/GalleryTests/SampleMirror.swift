import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport

@testable import Views

/// A mirror of a few days with generated pictures, and its gallery.
final class SampleMirror {
    let root: String
    let tree: Tree
    private let store: Store
    var favorites: Set<Day> = []
    var collections: [String: Set<Day>] = [:]

    init(_ root: String) throws {
        self.root = root
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        store = try Store(tree: tree, minimumFree: 0)
    }

    func update() async throws -> ViewOutcome {
        try await update(GalleryView.self) ?? ViewOutcome()
    }

    /// Updates a view with these settings.
    func update(
        _ view: any View.Type, _ settings: ViewSettings = ViewSettings()
    ) async throws -> ViewOutcome? {
        try await view.init(settings)?.update(
            ViewInput(
                store: store, snapshot: TreeSnapshot(of: tree.root), favorites: favorites,
                collections: collections, thumbnails: nil))
    }

    /// Updates the gallery; returns the paths that were written.
    @discardableResult
    func refresh() async throws -> [String] { try await update().changedPaths }

    /// Updates the gallery; returns what is in the way.
    func problems() async throws -> [String] { try await update().problems.map(\.text) }

    /// Adds a day with a unique picture.
    func add(
        _ day: Day, _ title: String, size: (width: Int, height: Int) = (48, 32), _ more: JSON = [:]
    )
        throws
    {
        let name = FileName.stem(of: day, title: title) + ".jpg"
        let path = "\(Layout.folder(Layout.pictures, of: day))/\(name)"
        let drawing = Drawing(
            seed: UInt64(day.number), width: size.width, height: size.height)
        let bytes = drawing.encoded()
        try write(bytes, to: path)
        try record(
            day, title,
            .object(
                [
                    .init(
                        key: "picture",
                        value: [
                            "path": .string(path), "bytes": .integer(bytes.count), "sha256": "",
                            "type": "image/jpeg", "width": .integer(size.width),
                            "height": .integer(size.height), "origin": "http://127.0.0.1/",
                        ])
                ] + more.members))
    }

    /// Writes the record of `day`, with `more` in it.
    func record(_ day: Day, _ title: String, _ more: JSON = [:]) throws {
        let standard: JSON = [
            "date": .string("\(day)"), "title": .string(title),
            "explanation": "What is it? Nobody knows.\n\nThe second paragraph.",
            "media_type": "image", "alt": "A picture in words.",
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        let given = Set(more.members.map(\.key))
        let record = JSON.object(
            standard.members.filter { !given.contains($0.key) } + more.members)
        try write(
            record.document,
            to: Layout.recordPath(of: day))
    }

    /// Publishes a file atomically, as the mirror does.
    func write(_ bytes: [UInt8], to path: String) throws {
        let (folder, name) = Layout.split(path)
        try AtomicFile.publish(
            bytes, in: tree.root.makeDirectory(folder), as: name,
            through: tree.root.makeDirectory(Layout.incoming))
    }

    func text(_ path: String) throws -> String? {
        try tree.root.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether a page contains `text`.
    func has(_ text: String, in path: String) throws -> Bool {
        try self.text(path)?.contains(text) == true
    }

    /// The files in `gallery/`, and the first page.
    var pages: [String] {
        get throws {
            var paths = ["index.html"]
            for folder in ["gallery", "gallery/days", "gallery/links", "gallery/words"] {
                for name in try tree.root.folder(folder)?.textNames() ?? []
                where try tree.root.status("\(folder)/\(name)")?.kind == .file {
                    paths.append("\(folder)/\(name)")
                }
            }
            return paths
        }
    }

    func address(_ path: String) -> String { "file://\(root)/\(path)" }
}

/// Runs `body` with an empty mirror.
nonisolated(nonsending) func withMirror<Result>(
    _ body: nonisolated(nonsending) (SampleMirror) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { folder in
        try await body(SampleMirror("\(folder)/apod"))
    }
}

/// The day in ISO 8601.
func day(_ text: String) -> Day {
    guard let day = Day(iso: text) else { preconditionFailure("\(text) is no day") }
    return day
}
