import APOD
import Favorites
import FavoritesModel
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport

/// A mirror of a few days with `favorites/`, in its own directory, with a manual clock.
final class FolderUnderTest {
    let root: String
    let store: Store
    private let disk: RealDisk
    private var process: Favorites
    private let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
    private let clock = Monitor(Uptime(boot: "first", milliseconds: 1_000_000))

    static let crab = Day(iso: "2026-11-20") ?? .first
    static let comet = Day(iso: "2026-11-19") ?? .first
    static let moon = Day(iso: "2024-05-01") ?? .first
    static let crabPath = "pictures/2026/2026-11/2026-11-20 The Crab Nebula.jpg"
    static let cometPath = "pictures/2026/2026-11/2026-11-19 Comète d’été.jpg"

    /// A picture by its magic bytes.
    static func picture(_ text: String) -> [UInt8] { [0xFF, 0xD8, 0xFF] + Array(text.utf8) }

    init(_ root: String, as role: FileLock.Role = .command) throws {
        self.root = root
        store = try Store(
            besideWriterOf: Tree.writing(root, known: KnownMirrors(environment: [:]), as: role))
        disk = RealDisk(root: root, pictures: [:])
        process = Favorites(
            of: store, now: { [time] in time.withLock { $0 } },
            uptime: { [clock] in clock.withLock { $0 } })
        mirror(Self.crab, "The Crab Nebula", Self.crabPath, Self.picture("crab"))
        mirror(Self.comet, "Comète d’été", Self.cometPath, Self.picture("comet!"))
        try tree.root.symlink("latest.jpg", to: Self.crabPath)
        makeDirectory("favorites")
    }

    /// Simulates a new process: only what is on the disk remains.
    func restart() {
        process = Favorites(of: store, now: now, uptime: uptime)
    }

    var tree: Tree { store.tree }

    /// Those of a process that finds all changes, of which it made none.
    var favorites: Favorites {
        store.snapshots.recordChange(of: .first)
        store.snapshots.invalidate()
        return process
    }

    /// The commands of a user beside the daemon.
    var commands: FavoriteCommands {
        FavoriteCommands(of: Store(reading: tree), now: now, uptime: uptime)
    }

    var now: @Sendable () -> Date { { [time] in time.withLock { $0 } } }

    var uptime: @Sendable () -> Uptime { { [clock] in clock.withLock { $0 } } }

    func advance(seconds: Double) {
        setClock(forward: seconds)
        clock.withLock { clock in
            clock = Uptime(
                boot: clock.boot, milliseconds: clock.milliseconds + Int(seconds * 1000))
        }
    }

    /// Sets the clock.
    func setClock(forward seconds: Double) { time.withLock { $0 += seconds } }

    func reboot() {
        clock.withLock { $0 = Uptime(boot: $0.boot + "+", milliseconds: 1000) }
        restart()
    }

    @discardableResult
    func reconcile(checksAll: Bool = true) async throws -> ReconcileOutcome {
        try await favorites.reconcile(Scan(of: tree.root), checksAll: checksAll)
    }

    /// Writes the picture and the record of `day`.
    func mirror(_ day: Day, _ title: String, _ path: String, _ bytes: [UInt8]) {
        disk.mirror(day, title, (path, bytes))
    }

    static let videoPath = "pictures/2026/2026-11/2026-11-20 The Crab Nebula.mp4"
    static let video: [UInt8] = [0, 0, 0, 12] + Array("ftypmp42".utf8)

    /// Adds a video to the day of the crab; its picture is the poster.
    func mirrorVideo() {
        disk.mirror(
            Self.crab, "The Crab Nebula", (Self.crabPath, Self.picture("crab")),
            video: (Self.videoPath, Self.video))
    }

    /// Makes the day of the crab that of a video elsewhere, with its redirect page; returns the path of the page.
    func mirrorPage() -> String {
        let page = "pictures/2026/2026-11/2026-11-20 The Crab Nebula.html"
        disk.mirror(
            Self.crab, "The Crab Nebula", (Self.crabPath, Self.picture("crab")), page: page)
        let record = try? Store(reading: tree).record(of: Self.crab)
        write(page, record?.redirectPage ?? [])
        return page
    }

    // MARK: Operations of a user

    func path(_ relative: String) -> String { disk.path(relative) }

    func write(_ relative: String, _ bytes: [UInt8]) { disk.write(bytes, to: relative) }

    func makeDirectory(_ relative: String) { disk.makeFolders(relative) }

    /// Links to a picture of the mirror by a relative path; makes the folders above the link.
    func link(_ name: String, toPicture path: String = FolderUnderTest.crabPath) {
        if let slash = name.lastIndex(of: "/") { makeDirectory("favorites/\(name[..<slash])") }
        link(name, to: String(repeating: "../", count: name.split(separator: "/").count) + path)
    }

    func link(_ name: String, to target: String) { disk.symlink(target, at: "favorites/\(name)") }

    func link(bytes name: [UInt8], to target: String) throws {
        try tree.root.folder("favorites")?.symlink(name, to: target)
    }

    func move(_ from: String, to: String) { disk.rename(from, to: to) }

    /// Sets the modification time of a file or link, in seconds since 1970.
    func setTime(of relative: String, to seconds: Int) { disk.setTime(of: relative, to: seconds) }

    func remove(_ relative: String) { removeTree(path(relative)) }

    func target(_ name: String) -> String? { try? tree.root.folder("favorites")?.target(of: name) }

    func read(_ relative: String) -> [UInt8]? { try? tree.root.read(relative) }

    func status(_ relative: String) -> FileStatus? { try? tree.root.status(relative) }

    /// The record of `day` on the disk.
    func record(_ day: Day) -> Favorite? {
        try? FavoriteStore(tree: tree).storedFavorites().favorites[day]
    }
}

/// Runs `body` with a mirror and its `favorites/`.
nonisolated(nonsending) func withFolder<Result>(
    inMemory: Bool = false,
    _ body: nonisolated(nonsending) (FolderUnderTest) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder(inMemory: inMemory) { path in
        try await body(FolderUnderTest(path))
    }
}

/// Runs `body` with a mirror and a recorded favorite.
nonisolated(nonsending) func withFavorite(
    _ name: String = "x",
    _ body: nonisolated(nonsending) (FolderUnderTest) async throws -> Void
) async throws {
    try await withFolder { folder in
        folder.link(name)
        try await folder.reconcile()
        try await body(folder)
    }
}

/// Runs `body` in its own process, as an owner of the mirror who may not read all of it.
nonisolated(nonsending) func withFolderOfNobody(
    _ body: nonisolated(nonsending) (FolderUnderTest) async throws -> Void
) async throws {
    let user = geteuid()
    if user == 0 { precondition(seteuid(65534) == 0) }
    // LeakSanitizer needs the initial privileges at the end of the process.
    defer { seteuid(user) }
    try await withFolder(body)
}
