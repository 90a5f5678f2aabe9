import Glibc
import Mirror
import Platform

/// `verify` compared with openssl for files in memory, and with cat for files on the disk.
struct VerifyFigures {
    private let bench: Workbench

    private static let days = 1000
    private static let rounds = 3

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("\(Self.days) pictures are verified")
        let album = try Album(Album.sizes(Self.days), in: try bench.directory("pictures"))
        let server = try Server(album.path)
        let root = try bench.directory("copies").path
        try bench.sync(root, from: server).measure()
        let files = try files(of: root)
        let words = [bench.mirror, "verify", "--root", root]
        let verify = bench.command(words)
        let openssl = bench.command(["openssl", "dgst", "-sha256"] + files)
        // The files of the sync have been read once by then.
        try openssl.measure()
        let (ours, theirs) = try alternate(verify, openssl)
        bench.say(ours.row("apod-mirror verify", bytes: album.bytes))
        bench.say(theirs.row("openssl dgst", bytes: album.bytes))
        let goals = [
            Goal(
                "verify, in memory: the time of openssl to ours", unit: "x",
                theirs.median(\.seconds) / ours.median(\.seconds), .atLeast(0.9))
        ]
        let peak = { Goal.peak("verify", $0, atMost: 20) }
        guard (try? dropCaches()) != nil else {
            bench.say("  skipped: verify from the disk; only root can empty the page cache")
            return goals + [peak(ours)]
        }
        let cat = Command(["cat"] + files, log: "/dev/null")
        let (cold, copies) = try alternate(verify, cat, before: dropCaches)
        bench.say(cold.row("verify, cold", bytes: album.bytes))
        bench.say(copies.row("cat, cold", bytes: album.bytes))
        return goals + [
            peak(ours + cold),
            Goal(
                "verify, from the disk: the time of cat to ours", unit: "x",
                copies.median(\.seconds) / cold.median(\.seconds), .atLeast(0.9)),
        ]
    }

    /// Runs both commands in turn.
    private func alternate(
        _ first: Command, _ second: Command, before prepare: () throws -> Void = {}
    ) throws -> ([Usage], [Usage]) {
        var (ours, theirs): ([Usage], [Usage]) = ([], [])
        for _ in 0..<Self.rounds {
            try prepare()
            ours.append(try first.measure())
            try prepare()
            theirs.append(try second.measure())
        }
        return (ours, theirs)
    }

    /// Empties the page cache; see proc(5).
    private func dropCaches() throws {
        sync()
        let path = "/proc/sys/vm/drop_caches"
        try FileDescriptor(opening: path, O_WRONLY).write([UInt8(ascii: "3")], path: path)
    }

    /// The paths of all pictures, sorted by day.
    private func files(of root: String) throws -> [String] {
        let top = try Directory(opening: root)
        return try months(of: top).flatMap { month in
            try top.folder(month)?.textNames().sorted().map { "\(root)/\(month)/\($0)" } ?? []
        }
    }

    private func months(of top: Directory) throws -> [String] {
        let years = try top.folder(Layout.pictures)?.textNames().sorted() ?? []
        return try years.flatMap { year in
            let path = "\(Layout.pictures)/\(year)"
            return try top.folder(path)?.textNames().sorted().map { "\(path)/\($0)" } ?? []
        }
    }
}
