import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import TestSupport

/// A simulator with the fault shim and a canary, and commands that use it.
struct Rig {
    let site: Site
    let shim: FaultShim
    let canary: Canary

    init(_ site: Site) async throws {
        self.site = site
        shim = try await FaultShim(for: site)
        canary = try Canary(in: site)
    }

    /// Starts apod-mirror on the mirror at `root`, with its own home directory.
    func start(
        _ words: [String], _ root: String, _ options: [String],
        _ environment: [String: String] = [:]
    ) throws -> Program {
        try site.start(
            words + site.settings(root: root) + options,
            environment: ["HOME": "\(root).home"].merging(environment) { $1 })
    }

    /// Runs a command that sends requests to the simulator.
    func run(
        _ words: [String], _ root: String, _ options: [String],
        _ environment: [String: String] = [:]
    ) async throws -> Ending {
        try await start(words, root, options, environment).end()
    }

    /// Runs a command that sends no requests.
    func runOffline(
        _ words: [String], _ root: String, _ environment: [String: String] = [:]
    ) async throws -> Ending {
        let home = ["HOME": "\(root).home"]
        return try await site.start(
            words + ["--root", root], environment: home.merging(environment) { $1 }
        ).end()
    }

    /// Syncs; fails if the exit code is not 0.
    func sync(
        _ root: String, _ options: [String], _ environment: [String: String] = [:]
    ) async throws {
        let ending = try await run(["run", "--once", "-q"], root, options, environment)
        guard ending.code == 0 else { throw RigError(text: "\(ending)") }
    }

    /// Runs a command; fails if the exit code is not 0.
    func succeed(
        _ words: [String], _ root: String, _ environment: [String: String] = [:]
    ) async throws {
        let ending = try await runOffline(words, root, environment)
        guard ending.code == 0 else { throw RigError(text: "\(words): \(ending)") }
    }

    /// Creates a link in `favorites/` to the picture of `day`.
    func makeLink(_ root: String, to day: Day) async throws {
        let folder = Layout.folder(Layout.pictures, of: day)
        let tree = try Directory(opening: root)
        guard
            let name = try tree.folder(folder)?.textNames().first(where: {
                $0.hasPrefix("\(day)") && !$0.hasSuffix(".html")
            })
        else { throw RigError(text: "no picture of \(day)") }
        let favorites = try tree.makeDirectory("favorites")
        try favorites.symlink("mine of \(day)", to: "../\(folder)/\(name)")
    }

    /// Makes a mirror at `root` with two favorites; all of it has to stay.
    func prepareFavorites(
        _ root: String, _ options: [String]
    ) async throws -> (oracle: Oracle, all: Oracle.Acknowledged) {
        try await sync(root, options)
        for age in [1, 3] { try await makeLink(root, to: Site.day(age)) }
        try await sync(root, options)
        let tree = try site.tree(root)
        let all = Oracle.Acknowledged(
            days: tree.complete, favorites: tree.favorites, possibleFavorites: tree.favorites)
        return (Oracle(whole: tree, canary: canary), all)
    }

    /// Runs a shell command; fails if the exit code is not 0.
    @discardableResult func shell(_ line: String) async throws -> String {
        let ending = try await Program(["sh", "-c", line], environment: [:]).end()
        guard ending.code == 0 else { throw RigError(text: "\(line): \(ending)") }
        return ending.output
    }

    /// Replaces `root` by a copy of `other`, if that exists.
    func copy(_ other: String, to root: String) async throws {
        removeTree(root)
        removeTree("\(root).home")
        try await shell("[ ! -e '\(other)' ] || cp -a '\(other)' '\(root)'")
    }
}

struct RigError: Error, CustomStringConvertible {
    let text: String

    var description: String { "the rig failed: \(text)" }
}

/// Runs `body` with a rig in memory, of small pictures.
nonisolated(nonsending) func withRig<Result>(
    days: Int = 4, _ body: nonisolated(nonsending) (Rig) async throws -> Result
) async throws -> Result {
    try await withSite(days: days, inMemory: true) { try await body(Rig($0)) }
}
