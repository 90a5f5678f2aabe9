import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import Platform
import TestSupport

@testable import Views

/// A mirror whose pictures have sidecars.
final class MirrorOfSidecars {
    let tree: Tree
    let store: Store
    private var view = MirrorOfSidecars.newView()
    var favorites: Set<Day> = []

    static let day = Day(iso: "2026-11-20") ?? .first

    init(_ root: String) throws {
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        store = try Store(tree: tree, minimumFree: 0)
    }

    private static func newView() -> SidecarsView? {
        var settings = ViewSettings()
        settings.writesSidecars = true
        return SidecarsView(settings)
    }

    var root: Directory { tree.root }

    /// Simulates a restart: only what is on the disk remains.
    func restart() { view = Self.newView() }

    /// Updates the sidecars by `snapshot`, by default a new one.
    ///
    /// - Returns: The problems.
    @discardableResult
    func refresh(_ snapshot: TreeSnapshot? = nil) async throws -> [String] {
        try await view?.update(
            ViewInput(
                store: store, snapshot: snapshot ?? TreeSnapshot(of: root), favorites: favorites,
                thumbnails: nil)
        ).problems ?? []
    }

    /// Publishes a day as a sync does.
    @discardableResult
    func add(
        _ day: Day = day, title: String = "A Chart", type: MediaType = .jpeg, _ more: JSON = [:]
    ) throws -> String {
        let path =
            "\(Layout.folder(Layout.pictures, of: day))/\(day) A Chart.\(type.fileExtension)"
        if try root.status(path) == nil { try write(Array("a picture".utf8), to: path) }
        let record: JSON = [
            "date": .string("\(day)"), "title": .string(title), "explanation": "What is it?",
            "media_type": "image",
            "picture": [
                "path": .string(path), "bytes": 9,
                "sha256": .string(String(repeating: "0", count: 64)),
                "type": .string(type.rawValue), "width": 9, "height": 9,
            ],
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        let given = Set(more.members.map(\.key))
        let members = record.members.filter { !given.contains($0.key) } + more.members
        try write(
            JSON.object(members).document,
            to: Layout.recordPath(of: day))
        return path
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let (above, name) = Layout.split(path)
        try store.publishAlways(bytes, in: try root.makeDirectory(above), as: name)
    }

    func text(_ path: String) throws -> String? {
        try root.read(path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The absolute path of a file.
    func absolute(_ path: String) -> String { "\(root.path)/\(path)" }
}

/// Runs `body` with an empty mirror.
nonisolated(nonsending) func withSidecars<Result>(
    _ body: nonisolated(nonsending) (MirrorOfSidecars) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { try await body(MirrorOfSidecars("\($0)/apod")) }
}
