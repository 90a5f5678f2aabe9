import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import PictureSamples
import Platform
import TestSupport
import ThumbnailProtocol
import Thumbnails

extension Thumbnails {
    /// The days whose thumbnail is to be made.
    func missing(at now: Date = Date()) throws -> [Day] {
        try missingThumbnails(in: snapshots.current(), at: now).map(\.day)
    }

    /// Removes old renditions and makes those that are missing; returns the number of changes, or throws the first failure.
    func renderNewest() async throws -> Int {
        let needed = try neededRenditions(in: snapshots.current())
        var changes = try removeRenditions(except: needed) ? 1 : 0
        var firstFailure: ThumbnailFailure?
        await make(try missingRenditions(among: needed)) { _, result in
            switch result {
            case .success: changes += 1
            case .failure(let failure): firstFailure = firstFailure ?? failure
            }
        }
        if let firstFailure { throw firstFailure }
        return changes
    }
}

/// A mirror of a few days in its own directory, and its thumbnail renderer.
final class MirrorOfCharts {
    let root: String
    let tree: Tree
    var options = Thumbnails.Options()

    static let crab = Day(iso: "2026-11-20") ?? .first
    static let comet = Day(iso: "2026-11-19") ?? .first
    static let moon = Day(iso: "2024-05-01") ?? .first
    static let days = [crab, comet, moon]

    init(_ root: String, isEmpty: Bool = false) throws {
        self.root = root
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        guard !isEmpty else { return }
        try mirror(Self.crab, Chart(96, 64).jpeg(), "jpg")
        try mirror(Self.comet, Chart(64, 96).png(.truecolor), "png")
        try mirror(Self.moon, Chart(80, 80).gif(), "gif")
    }

    func count() throws -> ThumbnailCount {
        try thumbnails.count(in: TreeSnapshot(of: tree.root))
    }

    /// Simulates a new process: only what is on the disk remains.
    var thumbnails: Thumbnails {
        get throws { Thumbnails(store: try Store(tree: tree, minimumFree: 0), options: options) }
    }

    /// Writes the picture and the record of `day`.
    func mirror(_ day: Day, _ bytes: [UInt8], _ ending: String, length: Int? = nil) throws {
        let path = Self.path(of: day, ending)
        write(bytes, to: path)
        try tree.root.setModified(day.noon, of: path)
        let json: JSON = [
            "date": .string("\(day)"), "title": "A Chart", "explanation": "",
            "picture": [
                "path": .string(path), "bytes": .integer(length ?? bytes.count),
                "sha256": .string(SHA256.digits(64, of: bytes)),
            ],
            "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
        ]
        write(json.document, to: Layout.recordPath(of: day))
    }

    static func path(of day: Day, _ ending: String) -> String {
        "\(Layout.folder(Layout.pictures, of: day))/\(day) A Chart.\(ending)"
    }

    func write(_ bytes: [UInt8], to path: String) {
        do {
            let (above, name) = Layout.split(path)
            let folder = try tree.root.makeDirectory(above)
            try folder.open(name, O_WRONLY | O_CREAT | O_TRUNC).write(bytes, path: path)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Renders the missing thumbnails.
    @discardableResult
    func make() async throws -> [Day: Result<Void, ThumbnailFailure>] {
        let thumbnails = try thumbnails
        return await Self.made(of: try thumbnails.missing(), by: thumbnails)
    }

    static func made(
        of days: [Day], by thumbnails: Thumbnails
    ) async -> [Day: Result<Void, ThumbnailFailure>] {
        var results: [Day: Result<Void, ThumbnailFailure>] = [:]
        await thumbnails.make(days.map(JPEGJob.init(thumbnailOf:))) { job, result in
            results[job.day] = result
        }
        return results
    }

    /// The thumbnail of `day`, `nil` if there is none.
    func thumbnail(of day: Day) throws -> [UInt8]? {
        try tree.root.read(Layout.thumbnail(of: day))
    }

    /// A replacement of the decoder, which reports ready and runs `script`.
    func decodeBy(_ script: String) throws {
        write(Array("#!/bin/sh\nprintf done >&0\n\(script)\n".utf8), to: ".apod-mirror/process")
        _ = unsafe chmod("\(root)/.apod-mirror/process", 0o755)
        options.program = "\(root)/.apod-mirror/process"
    }

    /// Replaces the first process by `script`, which reports ready; the next ones decode.
    func decodeOnceBy(_ script: String) throws {
        let real = options.program ?? ""
        try decodeBy("")
        let start = "#!/bin/sh\nmkdir \"\(root)/once\" 2> /dev/null || exec \"\(real)\" \"$@\"\n"
        write(Array("\(start)printf done >&0\n\(script)\n".utf8), to: ".apod-mirror/process")
    }
}

/// Runs `body` with a mirror of charts.
nonisolated(nonsending) func withCharts(
    _ body: nonisolated(nonsending) (MirrorOfCharts) async throws -> Void
) async throws {
    try await withTemporaryFolder { root in try await body(MirrorOfCharts(root)) }
}
