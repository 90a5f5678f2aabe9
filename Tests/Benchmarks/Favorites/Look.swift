import Favorites
import Glibc
import Mirror
import Platform

/// The first look at the favorites of a mirror, in a process of its own as after a start.
struct Look {
    /// The word that makes this program one.
    static let role = "look"

    /// What lies there was listed and read, and all of it is watched: in milliseconds.
    let listing: Double
    /// From the start until the favorites are true to it: in milliseconds.
    let all: Double
    /// How many more bytes are resident afterwards.
    let memory: Double

    /// Looks at the mirror at `path` by a process of its own.
    init(at path: String) throws {
        let answer = try Twin([Self.role, path]).answer()
        let figures = answer.split(separator: " ").compactMap { Double($0) }
        guard figures.count == 3 else { throw Failure("a look said \(answer)", log: "/dev/null") }
        (listing, all, memory) = (figures[0], figures[1], figures[2])
    }

    /// What the new process does.
    static func serve(_ path: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let before = try resident()
        let start = ContinuousClock.now
        let watch = DirectoryWatcher(of: Scan.folder, in: tree.root)
        let favorites = Favorites(tree: tree)
        try await favorites.prepare()
        let (listing, all) = try await look(watch, favorites, tree, since: start)
        // As the keeper of the favorites does after a look at so many.
        returnFreeMemory()
        let memory = try resident() - before
        _ = await watch.mode
        StandardStream.output.write("\(listing) \(all) \(memory)\n")
    }

    private static func look(
        _ watch: DirectoryWatcher, _ favorites: Favorites, _ tree: Tree,
        since start: ContinuousClock.Instant
    ) async throws -> (Double, Double) {
        let beforeListing = ContinuousClock.now
        let scan = Scan(try await watch.scan(), in: tree.root)
        let listing = beforeListing.duration(to: .now).milliseconds
        _ = try await favorites.reconcile(scan)
        return (listing, start.duration(to: .now).milliseconds)
    }

    /// The bytes that are resident now; see proc_pid_statm(5).
    private static func resident() throws -> Int {
        let numbers = try Directory(opening: "/proc/self").read("statm") ?? []
        let pages = String(decoding: numbers, as: UTF8.self).split(separator: " ")
        return (Int(pages[1]) ?? 0) * sysconf(CInt(_SC_PAGESIZE))
    }
}
