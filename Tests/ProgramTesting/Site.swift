package import APOD
import FoundationEssentials
import Glibc
package import JSON
import Mirror
import Platform
package import Simulator
import TestSupport

/// A simulator, a home directory and a directory for a mirror, removed after the test.
package final class Site: Sendable {
    package let simulator: Simulator
    package let folder: String

    /// The current day in UTC.
    package static let today = Day(number: Int(Date().timeIntervalSince1970) / 86_400) ?? .last

    /// The day `age` days ago.
    package static func day(_ age: Int) -> Day { today.advanced(by: -age) }

    package init(_ simulator: Simulator, folder: String) {
        self.simulator = simulator
        self.folder = folder
    }

    /// The default path of the mirror.
    package var root: String { "\(folder)/apod" }
    /// The home directory, with the list of known mirrors.
    package var home: String { "\(folder)/home" }

    private var standard: [String: String] { ["HOME": home] }

    /// Starts apod-mirror.
    package func start(
        _ words: [String], environment: [String: String] = [:], terminal: Pseudoterminal? = nil,
        screen: Pseudoterminal? = nil
    ) throws -> Program {
        try Program(
            [Program.path] + words, environment: standard.merging(environment) { $1 },
            terminal: terminal, screen: screen)
    }

    /// Runs apod-mirror and waits for its end.
    package func end(_ words: String..., environment: [String: String] = [:]) async throws -> Ending
    {
        try await start(words, environment: environment).end()
    }

    /// Runs a command that reads the mirror.
    package func read(_ words: String...) async throws -> Ending { try await read(words) }

    /// The same with words that are made elsewhere.
    package func read(_ words: [String]) async throws -> Ending {
        try await start(words + ["--root", root]).end()
    }

    /// Runs apod-mirror as another user, who owns nothing.
    package func end(
        _ words: [String], asUser user: Int
    ) async throws -> Ending {
        try await command(
            ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
                + [Program.path] + words)
    }

    /// Runs another program.
    package func command(_ words: [String]) async throws -> Ending {
        try await Program(words, environment: standard).end()
    }

    /// Starts the daemon, and returns when ten days are mirrored.
    package func daemon(_ options: String...) async throws -> Program {
        let program = try start(["run"] + settings() + options)
        try await program.errors.wait(for: "downloaded 10 days")
        return program
    }

    /// Syncs once, ten days by default; without thumbnails, which take most of the time.
    package func mirror(
        _ options: String..., thumbnails: Bool = false, root: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Ending {
        let words =
            ["run", "--once"] + settings(root: root)
            + (thumbnails ? [] : ["--thumbnails", "no"]) + options
        return try await start(words, environment: environment).end()
    }

    /// The options of every run with this simulator.
    package func settings(root: String? = nil) -> [String] {
        ["--root", root ?? self.root] + upstream + ["--since", "10d"]
    }

    /// The options of every command that sends requests to this simulator.
    package var upstream: [String] {
        [
            "--upstream", simulator.basicAddress, "--feed", "basic", "--pace", "0s", "--min-free",
            "0",
        ]
    }

    /// The current contents of the mirror at `root`.
    package func tree(_ root: String? = nil) throws -> TreeImage {
        try TreeImage(of: root ?? self.root)
    }

    /// The record of `day`.
    package func record(of day: Day) throws -> JSON? {
        try tree().records[Layout.recordPath(of: day)]
    }

    /// The path of the picture of `day`, relative to the root.
    package func picture(of day: Day) throws -> String {
        guard let path = try record(of: day)?["picture"]?["path"]?.string else {
            throw SystemError("read", path: "the picture of \(day)", code: ENOENT)
        }
        return path
    }

    /// Writes `text` to the file at `path`, relative to `folder`, and creates its directory.
    package func write(_ text: String, to path: String) throws {
        try write(Array(text.utf8), to: path)
    }

    /// Writes `bytes` in the same way.
    package func write(_ bytes: [UInt8], to path: String) throws {
        let (above, name) = Layout.split(path)
        let parent = try Directory(opening: folder).makeDirectory(above)
        let file = try parent.open(name, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(bytes, path: path)
    }

    /// Copies the directory `root` to `other`; both are relative to `folder`.
    package func copy(_ root: String, to other: String) throws {
        let code = unsafe system(
            "cd '\(folder)' && rm -rf '\(other)' && cp -a '\(root)' '\(other)'")
        guard code == 0 else { throw SystemError("cp", path: root, code: EIO) }
    }

    /// The inode, size and times of each file below `path`, which reveal a change.
    package func traces(_ path: String) throws -> [String: [Int]] {
        var traces: [String: [Int]] = [:]
        for name in try TreeImage(of: "\(folder)/\(path)").files.keys {
            var status = stat()
            _ = unsafe lstat("\(folder)/\(path)/\(name)", &status)
            traces[name] = [
                Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
                status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
        return traces
    }
}

/// Runs `body` with a simulator of small pictures until today; `inMemory` uses a directory in memory.
nonisolated(nonsending) package func withSite<Result>(
    days: Int = 10, size: (Int, Int) = (48, 32), extras: Archive.Extras = [],
    settings: Simulator.Settings = .init(), inMemory: Bool = false,
    _ body: nonisolated(nonsending) (Site) async throws -> Result
) async throws -> Result {
    let archive = Archive.generated(newest: Site.today, days: days, size: size, extras: extras)
    return try await withSite(of: archive, settings: settings, inMemory: inMemory, body)
}

/// Runs `body` with a simulator of `archive`.
nonisolated(nonsending) package func withSite<Result>(
    of archive: Archive, settings: Simulator.Settings = .init(), inMemory: Bool = false,
    _ body: nonisolated(nonsending) (Site) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder(inMemory: inMemory) { folder in
        let simulator = try Simulator(archive, settings: settings)
        defer { simulator.stop() }
        return try await body(Site(simulator, folder: folder))
    }
}

/// Runs `body` with a mirror that was synced once.
nonisolated(nonsending) package func withMirroredSite<Result>(
    days: Int = 10, _ body: nonisolated(nonsending) (Site) async throws -> Result
) async throws -> Result {
    try await withSite(days: days) { site in
        _ = try await site.mirror()
        return try await body(site)
    }
}
