import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct RepairCommandTests {
        private func repair(_ site: Site, _ words: String...) async throws -> Ending {
            try await site.start(
                [
                    "verify", "--repair", "--root", site.root, "--upstream",
                    site.simulator.basicAddress, "--feed", "basic", "--pace", "0s", "--min-free",
                    "0",
                ] + words
            ).end()
        }

        @Test func everythingIsRepairedWithoutADaemon() async throws {
            try await withSite { site in
                _ = try await site.mirror(thumbnails: true)
                _ = try await site.read("favorites", "add", "\(Site.day(1))")
                let whole = try site.tree().published
                for age in [1, 2] {
                    try await site.damage("truncate -s 0", try site.picture(of: Site.day(age)))
                }
                try await site.damage("truncate -s -1", Layout.thumbnail(of: Site.day(3)))
                try await site.damage("truncate -s 20", Layout.recordPath(of: Site.day(4)))
                try await site.damage("rm", try site.picture(of: Site.day(5)))

                let ending = try await repair(site, "--json")

                #expect(ending.code == 0, "\(ending)")
                let json = try ending.json
                #expect(json["remaining"] == [])
                #expect(json["counts"]?["missing"] == 1)
                #expect(try await site.read("verify").code == 0)
                #expect(try site.tree().published.files.keys == whole.files.keys)
            }
        }

        /// Such as from a backup.
        @Test func damageRepairedByAUserIsNoLongerRecorded() async throws {
            try await withMirroredSite { site in
                let picture = try site.picture(of: Site.day(2))
                let path = "$APOD_MIRROR_ROOT/'\(picture)'"
                _ = try await site.shell("cp -p \(path) $APOD_MIRROR_ROOT/../backup")
                try await site.damage("truncate -s 0", picture)
                site.simulator.inject(.notFound, on: .any, times: nil)
                #expect(try await repair(site).code == 8)
                _ = try await site.shell("cp -p $APOD_MIRROR_ROOT/../backup \(path)")

                let ending = try await repair(site)

                #expect(ending.code == 0, "\(ending)")
                let status = try await site.read("status")
                #expect(status.code == 0, "\(status)")
            }
        }

        @Test func withoutNASADamageRemainsAndTheNextRepairFinishes() async throws {
            try await withMirroredSite { site in
                try await site.damage("truncate -s 0", try site.picture(of: Site.day(2)))
                site.simulator.inject(.notFound, on: .any, times: nil)

                let ending = try await repair(site)

                #expect(ending.code == 8, "\(ending)")
                site.simulator.clearFaults()
                let status = try await site.read("status", "--json")
                #expect(status.code == 8, "\(status)")
                let json = try status.json
                let damage = json["verify"]?["damage"]?.elements ?? []
                #expect(damage.map { $0["date"]?.string } == ["\(Site.day(2))"])
                #expect(try await repair(site).code == 0)
                let metrics = try await site.read("status", "--metrics")
                #expect(metrics.output.contains(#/apod_mirror_verify_damage\{[^}]*\} 0\n/#))
                #expect(metrics.output.contains(#/apod_mirror_verify_repaired\{[^}]*\} 1\n/#))
                #expect(
                    metrics.output.contains(
                        #/apod_mirror_verify_last_complete_timestamp_seconds\{/#))
            }
        }

        @Test func aRepairNeedsAMirrorThatNobodyElseWrites() async throws {
            try await withMirroredSite { site in
                try await site.damage("truncate -s 0", try site.picture(of: Site.day(2)))
                let before = try site.tree().lasting
                let tree = try Tree.writing(site.root, known: KnownMirrors(environment: [:]))

                let ending = try await repair(site)

                withExtendedLifetime(tree) {}
                #expect(ending.code == 5 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains("systemctl stop apod-mirror"), "\(ending)")
                #expect(try site.tree().lasting == before)
            }
        }
    }
}
