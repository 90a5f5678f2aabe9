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
                let renamed = try site.picture(of: Site.day(5))
                try await site.damage("mv", renamed, "'\(Layout.split(renamed).folder)/x.jpg'")
                try await site.damage("rm", "latest.jpg")
                _ = try await site.shell("ln -s pictures/gone.jpg $APOD_MIRROR_ROOT/latest.jpg")

                let ending = try await repair(site, "--json")

                #expect(ending.code == 0, "\(ending)")
                let json = try ending.json
                #expect(json["remaining"] == [])
                let repairs = json["repairs"]?.elements ?? []
                // Each is reported as repaired, also what was downloaded.
                for finding in json["findings"]?.elements ?? [] {
                    let last = repairs.last { $0["path"] == finding["path"] }
                    let action = last?["action"]?.string ?? ""
                    #expect(!action.hasPrefix("to be"), "\(finding)")
                }
                // A pin that shares the bytes of its picture is damaged with it.
                #expect(try #require(json["counts"]?["damaged"]?.integer) >= 5)
                #expect(json["counts"]?["misplaced"] == 1)
                #expect(try await site.read("verify").code == 0)
                #expect(try site.tree().published.files.keys == whole.files.keys)
                // The emptied pictures, of which one is an empty file twice, and the record.
                let kept = try Directory(opening: "\(site.root)/\(Layout.damaged)").names()
                #expect(kept.count == 3, "\(kept.map { String(decoding: $0, as: UTF8.self) })")
            }
        }

        /// Such as from a backup.
        @Test func damageRepairedByAUserIsNoLongerRecorded() async throws {
            try await withSite { site in
                _ = try await site.mirror()
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
            try await withSite { site in
                _ = try await site.mirror()
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
                #expect(metrics.output.contains(#/apod_mirror_damaged\{[^}]*\} 0\n/#))
                #expect(metrics.output.contains(#/apod_mirror_repaired_total\{[^}]*\} 1\n/#))
                #expect(metrics.output.contains(#/apod_mirror_verified_timestamp_seconds\{/#))
            }
        }

        @Test func aReadOnlyTreeIsVerifiedAndNotRepaired() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let picture = try site.picture(of: Site.day(2))
                try await site.damage("truncate -s 0", picture)
                guard mayBecomeOthers else { return }

                let ending = try await site.shell(
                    "unshare -m bash -c 'mount --bind $APOD_MIRROR_ROOT $APOD_MIRROR_ROOT"
                        + " && mount -o remount,ro,bind $APOD_MIRROR_ROOT"
                        + " && \(Program.path) verify --repair'")

                #expect(ending.code == 8, "\(ending)")
                #expect(ending.output.contains(picture))
                #expect(ending.errors.contains("Read-only"))
                // The message does not recommend the command itself.
                #expect(!ending.output.contains("verify --repair"), "\(ending)")
            }
        }

        @Test func aLossIsReportedOnceAndNotAsARepair() async throws {
            try await withSite { site in
                try site.addVideo()
                _ = try await site.mirror()
                try site.editAll()
                _ = try await site.mirror()
                let tree = try site.tree()
                let previous = try #require(
                    tree.files.keys.filter {
                        $0.hasPrefix("\(Layout.previous)/\(Site.day(1))") && $0.hasSuffix(".jpg")
                    }.first)
                try await site.damage("shred -n 1", previous)

                let ending = try await repair(site)

                #expect(ending.code == 8, "\(ending)")
                #expect(ending.output.contains("not repaired: \(previous)"), "\(ending)")
                #expect(ending.output.contains("0 files repaired, 1 not repaired"), "\(ending)")
                #expect(try await site.read("verify").code == 0)
                let metrics = try await site.read("status", "--metrics")
                #expect(metrics.output.contains(#/apod_mirror_repaired_total\{[^}]*\} 0\n/#))
            }
        }

        @Test func theDaemonRepairsWhatTheCommandLeftToIt() async throws {
            try await withSite { site in
                let daemon = try site.start(["run", "--log-level", "debug"] + site.settings())
                // It verifies all days after the first sync.
                try await daemon.errors.wait(for: "next sync")
                let picture = try site.picture(of: Site.day(2))
                let intact = try site.tree().files[picture]
                try await site.damage("truncate -s 0", picture)

                let ending = try await repair(site, "\(Site.day(2))", "--json")

                #expect(ending.code == 8, "\(ending)")
                #expect(
                    ending.errors.contains("process \(daemon.pid) uses the mirror"), "\(ending)")
                #expect(ending.errors.contains("“apod-mirror status” shows the result"))
                let json = try ending.json
                #expect(json["counts"]?["damaged"] == 1 && json["remaining"] == .null)
                try await polled { try site.tree().files[picture] == intact ? () : nil }
                #expect(try await daemon.stop().code == 0)
            }
        }
    }
}
