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
                ["verify", "--repair", "--root", site.root] + site.upstream + words
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

        /// A person repairs one of the two, such as from a backup.
        @Test func withoutNASADamageRemainsAndTheNextRepairFinishes() async throws {
            try await withMirroredSite { site in
                let path = "$APOD_MIRROR_ROOT/'\(try site.picture(of: Site.day(3)))'"
                _ = try await site.shell("cp -p \(path) $APOD_MIRROR_ROOT/../backup")
                for age in [2, 3] {
                    try await site.damage("truncate -s 0", try site.picture(of: Site.day(age)))
                }
                site.simulator.inject(.notFound, on: .any, times: nil)

                let ending = try await repair(site)

                #expect(ending.code == 8, "\(ending)")
                let status = try await site.read("status", "--json")
                #expect(status.code == 8, "\(status)")
                let damage = try status.json["verify"]?["damage"]?.elements ?? []
                #expect(
                    Set(damage.map { $0["date"]?.string }) == ["\(Site.day(2))", "\(Site.day(3))"])
                _ = try await site.shell("cp -p $APOD_MIRROR_ROOT/../backup \(path)")
                site.simulator.clearFaults()
                #expect(try await repair(site).code == 0)
                #expect(try await site.read("status").code == 0)
                let metrics = try await site.read("status", "--metrics")
                #expect(metrics.output.contains(#/apod_mirror_verify_damage\{[^}]*\} 0\n/#))
                #expect(metrics.output.contains(#/apod_mirror_verify_repaired\{[^}]*\} [12]\n/#))
                #expect(
                    metrics.output.contains(
                        #/apod_mirror_verify_last_complete_timestamp_seconds\{/#))
            }
        }

        /// The person has repaired it without NASA.
        @Test func aDamagedPictureThatWasImportedIsNoDamage() async throws {
            try await withMirroredSite { site in
                let path = try site.picture(of: Site.day(3))
                let bytes = try #require(try site.tree().files[path])
                try site.write(bytes, to: "source/\(Site.day(3)).jpg")
                try await site.damage("truncate -s 0", path)
                site.simulator.inject(.notFound, on: .any, times: nil)
                #expect(try await repair(site).code == 8)

                let ending = try await site.adopt()

                #expect(try AdoptReport(ending).adopted == [Site.day(3)], "\(ending)")
                let damage = try await site.read("status", "--json").json["verify"]?["damage"]
                #expect(damage == [])
            }
        }

        @Test func whileTheAPIFailsItsPicturesComeByTheRSSFeed() async throws {
            try await withMirroredSite { site in
                let path = try site.picture(of: Site.day(2))
                let whole = try site.tree().files[path]
                try await site.damage("truncate -s 0", path)
                site.simulator.inject(.html, on: .route(.api), times: nil)

                let ending = try await repair(site)

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().files[path] == whole)
            }
        }

        /// What each command that writes does to items among the unfinished files, which only a person can have put there.
        @Test func eachCommandReportsWhatItsStartMovesAway() async throws {
            try await withMirroredSite { site in
                _ = try Directory(opening: site.folder).makeDirectory("source")
                let root = ["--root", site.root]
                let commands: [(code: CInt, words: [String])] = [
                    (0, ["verify", "--repair"] + root + site.upstream),
                    (2, ["verify", "--repair", "no day"] + root + site.upstream),
                    (0, ["adopt", "\(site.folder)/source", "--offline"] + root),
                    (0, ["favorites", "add", "\(Site.day(1))"] + root),
                    (2, ["favorites", "add", "no day"] + root),
                    (0, ["run", "--once"] + site.settings()),
                ]
                for (number, (code, command)) in commands.enumerated() {
                    try site.write("mine", to: "apod/\(Layout.incoming)/comet \(number).jpg")

                    let ending = try await site.start(command).end()

                    let path = "\(Layout.aside)/comet \(number).jpg"
                    #expect(ending.code == code, "\(ending)")
                    #expect(try site.tree().files[path] == Array("mine".utf8))
                    let lines = ending.errors.split(separator: "\n")
                    #expect(lines.count { $0.contains(path) } == 1, "\(ending)")
                }
            }
        }

        /// A service that could serve the mirror does not run: stopping it would not help.
        @Test(arguments: [false, true])
        func repairAndAdoptNeedAMirrorThatNobodyElseWrites(hasService: Bool) async throws {
            try await withMirroredSite { site in
                if hasService {
                    try site.write(
                        "APOD_MIRROR_ROOT=\(site.root)\n",
                        to: "home/.config/apod-mirror/environment")
                }
                try await site.damage("truncate -s 0", try site.picture(of: Site.day(2)))
                _ = try Directory(opening: site.folder).makeDirectory("source")
                let before = try site.tree().lasting
                let known = KnownMirrors(environment: [:])
                let tree = try Tree.writing(site.root, known: known, as: .daemon)

                let endings = [try await repair(site), try await site.adopt()]

                withExtendedLifetime(tree) {}
                for ending in endings {
                    #expect(ending.code == 5 && ending.sentences.count == 1, "\(ending)")
                    #expect(!ending.errors.contains("systemctl"), "\(ending)")
                    #expect(ending.errors.contains("stop that process first"), "\(ending)")
                }
                #expect(try site.tree().lasting == before)
            }
        }
    }
}
