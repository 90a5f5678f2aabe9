import Glibc
import Platform
import TestSupport

/// The working directory of the benchmarks, and the measured programs.
final class Workbench {
    let path: String
    /// The release build beside this program.
    let mirror: String

    init(below directory: String) throws {
        let own = try Directory(opening: "/proc/self").target(of: "exe") ?? ""
        mirror = own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/apod-mirror"
        var template = Array("\(directory)/apod-mirror-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw SystemError("mkdtemp", path: directory, code: errno)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Where the file system can, each directory below lies away from the others, and so from what
        // anybody removed just now: see ``directory(_:)``, and the attribute T in chattr(1).
        _ = try? Command(["chattr", "+T", path], log: "/dev/null").measure()
    }

    deinit { removeTree(path) }

    /// Starts the daemon in `root`, with an unreachable NASA unless there is a feed.
    func daemon(
        _ root: String, from feed: String = "http://127.0.0.1:9/", notifying socket: String = ""
    ) throws -> ConnectedProcess {
        try ConnectedProcess(
            [
                "env", "NOTIFY_SOCKET=\(socket)", mirror, "run", "--root", root, "--upstream",
                feed, "--min-free", "0",
            ], readsErrors: true)
    }

    /// A new directory; earlier ones of this name are emptied.
    ///
    /// Their files are truncated and not removed: ext4 does not reuse inodes that were freed in the
    /// last minute, and the next program would pay for the search. See `recently_deleted` in ext4.
    func directory(_ name: String) throws -> Directory {
        let top = try Directory(opening: path)
        let earlier = try top.textNames().filter { $0.hasPrefix("\(name).") }
        for name in earlier { try empty("\(path)/\(name)") }
        return try top.makeDirectory("\(name).\(earlier.count)")
    }

    private func empty(_ path: String) throws {
        let folder = try Directory(opening: path)
        for name in try folder.textNames() {
            switch try folder.status(name)?.kind {
            case .directory: try empty("\(path)/\(name)")
            case .file:
                try retryingInterrupts("truncate", path: name) {
                    unsafe truncate("\(path)/\(name)", 0)
                }
            default: break
            }
        }
    }

    func write(_ text: String, to name: String) throws -> String {
        let folder = try Directory(opening: path)
        try AtomicFile.publish(Array(text.utf8), in: folder, as: name, through: folder)
        return "\(path)/\(name)"
    }

    /// One sync of the mirror in `root`, without a pause between lists.
    func sync(_ root: String, from server: Server, feed: String = "basic") -> Command {
        command(words(root, from: server.feed, feed: feed))
    }

    /// The arguments of this command.
    func words(
        _ root: String, from address: String, feed: String = "basic", jobs: Int = 16
    ) -> [String] {
        [
            mirror, "run", "--once", "--root", root, "--upstream", address, "--feed", feed,
            "--since", "all", "--jobs", "\(jobs)", "--pace", "0s", "--min-free", "0",
            "--thumbnails", "no",
        ]
    }

    /// A program that syncs its files itself.
    func command(_ words: [String]) -> Command { Command(words, log: "\(path)/log") }

    /// Another program, followed by a sync(2).
    func peer(_ words: String...) -> Command {
        Command(words, log: "\(path)/log", needsSync: true)
    }

    /// Prints the name of the measurement and the load of the machine.
    func announce(_ text: String) throws {
        let load = try Directory(opening: "/proc").read("loadavg") ?? []
        let minute = String(decoding: load.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        say("\(text) (load \(minute))")
    }

    func say(_ line: String) { StandardStream.output.write(line + "\n") }
}
