import Platform
import TestSupport

/// Runs of the program that begin with the same mirror; another call fails in each.
struct FaultTrials {
    let site: Site
    let shim: FaultShim
    let fault: FaultShim.Fault

    /// The mirror of the current trial.
    var root: String { "\(site.folder)/trial/apod" }

    func tree() throws -> TreeImage { try site.tree(root) }

    /// Syncs once.
    ///
    /// The home directory belongs to the trial, so that all trials make the same calls.
    func run(_ options: [String], _ environment: [String: String] = [:]) async throws -> Ending {
        let words = ["run", "--once", "-q"] + site.settings(root: root) + options
        let home = ["HOME": "\(site.folder)/trial/home"]
        return try await site.start(words, environment: environment.merging(home) { $1 }).end()
    }

    /// Lets each trial begin with the current state of the mirror.
    func begin() throws { try site.copy("trial", to: "before") }

    /// The numbers of the calls that fail, one a trial: every eighth of `calls`, from a random one on.
    ///
    /// `APOD_MIRROR_EVERY_CALL=1` lets each fail, which takes eight times as long; the campaign does so, too.
    static func numbers(of calls: Int) -> [Int] {
        guard processEnvironment()["APOD_MIRROR_EVERY_CALL"] != "1" else { return Array(1...calls) }
        return Array(stride(from: 1 + Int(KillTests.seed % 8), through: calls, by: 8))
    }

    /// A trial in which the call `number` fails, or none for -1.
    func run(_ options: [String], failingAt number: Int) async throws -> Ending {
        try site.copy("before", to: "trial")
        return try await run(options, shim.variables(fault, at: number))
    }
}

/// Runs `body` with mirrors in memory: in these trials the program fails, and not the disk.
nonisolated(nonsending) func withFaultTrials(
    of fault: FaultShim.Fault, days: Int,
    _ body: nonisolated(nonsending) (FaultTrials) async throws -> Void
) async throws {
    // A file system in memory may be mounted with noexec.
    try await withTemporaryFolder { folder in
        let shim = try await FaultShim(in: folder)
        try await withSite(days: days, inMemory: true) { site in
            _ = try Directory(opening: site.folder).makeDirectory("trial")
            try await body(FaultTrials(site: site, shim: shim, fault: fault))
        }
    }
}
