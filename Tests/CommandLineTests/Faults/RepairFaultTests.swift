import Glibc
import JSON
import Mirror
import Simulator
import Testing

/// `verify --repair` is killed before each call that changes the file system.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: FaultShim.isPossible))
struct RepairFaultTests {
    @Test func statusReportsTheDamageThatAKilledRepairLeft() async throws {
        try await withFaultTrials(of: .kill, days: 3) { trials in
            let (site, shim) = (trials.site, trials.shim)
            let home = ["HOME": site.home]
            _ = try await site.mirror("--since", "3d", "--thumbnails", "no")
            let whole = try site.tree()
            _ = try await site.read("favorites", "add", "\(Site.today)")
            // The pin stays intact, because it is another file.
            _ = unsafe system(
                """
                cd '\(site.root)' && for file in pictures/*/*/*.jpg; do
                    cp "$file" x && truncate -s -1 x && mv x "$file"
                done
                for file in metadata/*/*/*.json; do truncate -s 100 "$file"; break; done
                """)
            _ = unsafe system("cp -a '\(site.root)' '\(site.folder)/before'")
            let damaged = try site.tree()
            let words = ["verify", "--repair", "-q", "--root", site.root] + site.upstream
            let calm = try await site.start(
                words, environment: shim.variables(.kill, at: -1).merging(home) { $1 }
            ).end()
            #expect(calm.code == 0, "\(calm)")

            for number in FaultTrials.numbers(of: shim.calls.count) {
                let code = unsafe system(
                    "rm -rf '\(site.root)' && cp -a '\(site.folder)/before' '\(site.root)'")
                try #require(code == 0)
                let killed = try await site.start(
                    words, environment: shim.variables(.kill, at: number).merging(home) { $1 }
                ).end()
                let half = try site.tree()
                let status = try await site.read("status")
                let trial = "kill at \(number): \(killed)"
                // The damage is recorded before any change.
                #expect(
                    half.damage == [] || half.treasure == damaged.treasure || status.code == 8,
                    "\(trial); \(status)")
                #expect(half.lost(of: damaged) == [], "\(trial)")

                let again = try await site.start(words, environment: home).end()
                let tree = try site.tree()
                #expect(again.code == 0 && tree.damage == [], "\(trial); \(again)")
                #expect(tree.lost(of: damaged) == [], "\(trial)")
                #expect(tree.pictures == whole.pictures, "\(trial)")
            }
        }
    }
}
