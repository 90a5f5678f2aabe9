import Favorites
import Glibc
import Mirror
import Platform

/// The first scan of the favorites of a mirror, in its own process as after a start.
struct FirstScan {
    /// The argument that selects this role.
    static let role = "scan"

    /// The time to list, read and watch all items, in milliseconds.
    let listing: Double
    /// The time from the start until the favorites are reconciled, in milliseconds.
    let all: Double
    /// The growth of the resident memory, in bytes.
    let memory: Double

    /// Scans the mirror at `path` in a helper process.
    init(at path: String) throws {
        let figures = try ConnectedProcess(role: Self.role, path).figures(3)
        (listing, all, memory) = (figures[0], figures[1], figures[2])
    }

    /// Runs the role in the helper process.
    static func serve(_ path: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let before = try resident()
        let start = ContinuousClock.now
        let watch = DirectoryWatcher(of: Layout.favorites, in: tree.root)
        let favorites = Favorites(tree: tree)
        let (listing, all) = try await scan(watch, favorites, tree, since: start)
        // As the favorites service does after a large scan.
        returnFreeMemory()
        let memory = try resident() - before
        _ = await watch.mode
        StandardStream.output.write("\(listing) \(all) \(memory)\n")
    }

    private static func scan(
        _ watch: DirectoryWatcher, _ favorites: Favorites, _ tree: Tree,
        since start: ContinuousClock.Instant
    ) async throws -> (Double, Double) {
        let beforeListing = ContinuousClock.now
        let scan = Scan(try await watch.scan())
        let listing = beforeListing.duration(to: .now).milliseconds
        _ = try await favorites.reconcile(scan)
        return (listing, start.duration(to: .now).milliseconds)
    }

    /// The resident memory in bytes; see proc_pid_statm(5).
    private static func resident() throws -> Int {
        let numbers = try Directory(opening: "/proc/self").read("statm") ?? []
        let pages = String(decoding: numbers, as: UTF8.self).split(separator: " ")
        return (Int(pages[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE))
    }
}
