import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

/// A kill at any time leaves a consistent mirror, and the next run completes it.
@Suite(.timeLimit(.minutes(10))) struct KillTests {
    /// Repeat with `APOD_MIRROR_SEED=… swift test`.
    static let seed =
        processEnvironment()["APOD_MIRROR_SEED"].flatMap(UInt64.init) ?? .random(in: 0...99_999)

    static let days = ["--since", "60d", "--jobs", "8"]

    @Test func tenKillsLeaveACompleteMirror() async throws {
        try await withSite(days: 60, extras: [.formats, .awkwardTitles]) { site in
            print("killed at random moments with APOD_MIRROR_SEED=\(Self.seed)")
            let undisturbed = "\(site.folder)/undisturbed"
            let whole = try await mirror(site, into: undisturbed)
            var random = SplitMix(state: Self.seed)
            var acknowledged: Set<Day> = []
            for round in 1...10 {
                try await killRun(of: site, afterRequests: Int.random(in: 1...12, using: &random))

                let tree = try site.tree()
                #expect(tree.damage == [], "round \(round), seed \(Self.seed)")
                #expect(tree.strangers(to: whole) == [], "round \(round), seed \(Self.seed)")
                #expect(tree.complete.isSuperset(of: acknowledged))
                acknowledged = tree.complete
            }
            site.simulator.resetLog()

            let tree = try await mirror(site, into: site.root)

            let requested = Set(site.simulator.requests.filter { $0.kind == .media }.map(\.day))
            #expect(requested.isDisjoint(with: acknowledged.map(Optional.some)))
            #expect(tree.differences(from: whole) == [] && tree.complete.count == 60)
            #expect(tree.incoming == [])
        }
    }

    private func mirror(_ site: Site, into root: String) async throws -> TreeImage {
        let words = ["run", "--once"] + site.settings(root: root) + Self.days
        let ending = try await site.start(words).end()
        #expect(ending.code == 0, "\(ending)")
        return try site.tree(root)
    }

    /// Kills a run after `count` requests for pictures, or after the last one.
    private func killRun(of site: Site, afterRequests count: Int) async throws {
        let tree = try site.tree()
        // The next start publishes what is staged, without a request.
        let staged = (0..<60).map { Site.today.advanced(by: -$0) }.filter {
            tree.files["\(Layout.incoming)/\(Layout.record(of: $0))"] != nil
        }
        let missing = 60 - tree.complete.union(staged).count
        var arrivals = site.simulator.arrivals().makeAsyncIterator()
        let program = try site.start(["run"] + site.settings() + Self.days)
        var left = min(count, missing)
        while left > 0, let request = await arrivals.next() {
            if request.kind == .media { left -= 1 }
        }
        program.signal(SIGKILL)
        #expect(try await program.end().signal == SIGKILL)
    }
}
