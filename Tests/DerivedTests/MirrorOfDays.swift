import APOD
import FoundationEssentials
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Thumbnails

@testable import Views

/// A mirror of generated pictures, and what is made of its newest days.
final class MirrorOfDays {
    let tree: Tree
    let store: Store
    private var views: [any View] = []
    private var thumbnails: Thumbnails?
    var favorites: Set<Day> = []
    /// The favorites in each folder of `favorites/`.
    var collections: [String: Set<Day>] = [:]

    /// Those without a suite of their own.
    static let types = allViews.filter { view in
        ![ThumbnailsView.self, GalleryView.self, SidecarsView.self].contains { view == $0 }
    }
    /// Their places in the root.
    static let places = ViewName.places.filter {
        !$0.contains("/") && !["index.html", Layout.gallery].contains($0)
    }
    static let newest = Day(iso: "2026-11-20") ?? .first

    init(_ root: String) throws {
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        store = try Store(tree: tree, minimumFree: 0)
        restart()
    }

    var root: Directory { tree.root }

    /// Simulates a restart: only what is on the disk remains.
    func restart(
        _ settings: ViewSettings = ViewSettings(),
        views types: [any View.Type] = MirrorOfDays.types,
        decodes: Bool = true
    ) {
        views = types.compactMap { $0.init(settings) }
        thumbnails = decodes ? Thumbnails(store: store) : nil
    }

    /// Replaces the thumbnailer by `script`, which reports ready.
    func decode(by script: String) throws {
        let path = "\(Layout.own)/process"
        try write(Array("#!/bin/sh\nprintf done >&0\n\(script)\n".utf8), to: path)
        _ = unsafe chmod("\(root.path)/\(path)", 0o755)
        var options = Thumbnails.Options()
        options.program = "\(root.path)/\(path)"
        thumbnails = Thumbnails(store: store, options: options)
    }

    /// What the views are made from now, or from `snapshot`.
    func input(_ snapshot: TreeSnapshot? = nil) throws -> ViewInput {
        try ViewInput(
            store: store, snapshot: snapshot ?? TreeSnapshot(of: root), favorites: favorites,
            collections: collections, thumbnails: thumbnails)
    }

    /// Updates the views, after a restart with `settings` if they are given.
    @discardableResult
    func refresh(
        _ settings: ViewSettings? = nil, by snapshot: TreeSnapshot? = nil
    ) async throws -> ViewOutcome {
        if let settings { restart(settings) }
        let input = try input(snapshot)
        var outcome = ViewOutcome()
        for view in views { outcome.merge(try await view.update(input)) }
        return outcome
    }

    /// Adds a day with the picture `bytes` and the record of it, with `more` in it.
    @discardableResult
    func add(
        _ day: Day, _ bytes: [UInt8], _ type: MediaType = .jpeg, size: (Int, Int) = (96, 64),
        _ more: JSON = [:]
    ) throws -> String {
        let path =
            "\(Layout.folder(Layout.pictures, of: day))/\(day) A Chart.\(type.fileExtension)"
        try write(bytes, to: path)
        let picture: JSON = [
            "path": .string(path), "bytes": .integer(bytes.count),
            "sha256": .string(SHA256.digits(64, of: bytes)), "type": .string(type.rawValue),
            "width": .integer(size.0), "height": .integer(size.1),
        ]
        let isGiven = more["picture"] != nil
        let member = JSON.object([.init(key: "picture", value: picture)])
        try record(day, .object((isGiven ? [] : member.members) + more.members))
        return path
    }

    /// Writes the record of `day`, with `more` in it.
    func record(_ day: Day, _ more: JSON = [:]) throws {
        let standard: JSON = [
            "date": .string("\(day)"), "title": "A Chart", "explanation": "What is it?",
            "media_type": "image",
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        let given = Set(more.members.map(\.key))
        let members = standard.members.filter { !given.contains($0.key) } + more.members
        try write(JSON.object(members).document, to: recordPath(day))
    }

    /// Removes the picture at `path` as retention does.
    func remove(_ path: String, of day: Day) throws {
        try root.remove(path)
        var record = try store.record(of: day)
        record?.picture?.removed = Date(timeIntervalSince1970: 1_800_000_000)
        try write(record?.json.document ?? [], to: recordPath(day))
    }

    func recordPath(_ day: Day) -> String {
        Layout.recordPath(of: day)
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let (above, name) = Layout.split(path)
        let folder = above == "." ? root : try root.makeDirectory(above)
        try folder.open(name, O_WRONLY | O_CREAT | O_TRUNC).write(bytes, path: path)
    }

    func text(_ path: String) throws -> String? {
        try root.read(path).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Runs `body` with an empty mirror.
nonisolated(nonsending) func withMirror<Result>(
    _ body: nonisolated(nonsending) (MirrorOfDays) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { try await body(MirrorOfDays("\($0)/apod")) }
}

extension ViewSettings {
    /// Settings with an address at which the mirror is served.
    init(baseURL: String?) {
        self.init()
        self.baseURL = baseURL
    }
}
