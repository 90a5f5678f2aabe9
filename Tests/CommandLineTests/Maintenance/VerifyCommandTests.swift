import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct VerifyCommandTests {
        @Test func damageIsListedWithWhatWasExpectedAndFound() async throws {
            try await withSite { site in
                _ = try await site.mirror(thumbnails: true)
                let picture = try site.picture(of: Site.day(2))
                let thumbnail = Layout.thumbnail(of: Site.day(3))
                let size = try #require(try site.tree().files[picture]).count
                try await site.damage("truncate -s 0", picture)
                try await site.damage("truncate -s -1", thumbnail)
                try await site.damage("rm", Layout.thumbnail(of: Site.day(4)))
                try await site.damage("rm", try site.picture(of: Site.day(5)))

                let ending = try await site.read("verify", "--json")

                #expect(ending.code == 8, "\(ending)")
                let json = try ending.json
                #expect(json["counts"] == ["damaged": 2, "missing": 1, "unreadable": 0])
                let findings = json["findings"]?.elements ?? []
                let finding = findings.first { $0["path"]?.string == picture }
                #expect(
                    finding?["date"]?.string == "\(Site.day(2))" && finding?["kind"] == "damaged")
                #expect(finding?["expected"]?.string == "\(size) bytes")
                #expect(finding?["found"] == "an empty file", "\(findings)")
                #expect(findings.contains { $0["path"]?.string == thumbnail }, "\(findings)")

                let text = try await site.read("verify")
                #expect(text.code == 8 && text.output.contains(picture), "\(text)")
                #expect(text.output.contains("2 damaged, 1 missing"))
            }
        }

        @Test func onlyTheNamedDaysAreVerified() async throws {
            try await withMirroredSite { site in
                try await site.damage("truncate -s 0", try site.picture(of: Site.day(2)))

                #expect(try await site.read("verify", "\(Site.day(3))", "\(Site.day(1))").code == 0)
                #expect(try await site.read("verify", "\(Site.day(2))").code == 8)
                #expect(try await site.read("verify", "--since", "2d").code == 0)
                #expect(try await site.read("verify", "--since", "3d").code == 8)
                #expect(try await site.read("verify", "\(Site.day(40))").code == 3)
                #expect(try await site.read("verify", "whenever").code == 2)
                #expect(try await site.read("verify", "--since", "2d", "\(Site.day(1))").code == 2)
                // The sync state does not affect the verification.
                let variable = try await site.end(
                    "verify", "--root", site.root, environment: ["APOD_MIRROR_SINCE": "2d"])
                #expect(variable.code == 8, "\(variable)")
            }
        }

        @Test func aNamedDayThatIsNotThereHidesNoDamageOfTheOthers() async throws {
            try await withMirroredSite { site in
                let picture = try site.picture(of: Site.day(2))
                try await site.damage("truncate -s 0", picture)
                let (damaged, whole) = ("\(Site.day(2))", "\(Site.day(1))")
                let absent = ["\(Site.day(40))", "\(Site.day(41))"]

                let text = try await site.read(["verify", damaged] + absent)
                let json = try await site.read(["verify", "--json", damaged] + absent)
                let other = try await site.read(["verify", whole] + absent)
                let manifest = try await site.read(["verify", "--manifest", whole] + absent)

                #expect(text.code == 8 && text.output.contains(picture), "\(text)")
                #expect(try json.code == 8 && json.json["findings"]?.elements.count == 1, "\(json)")
                #expect(other.code == 3 && other.output.hasPrefix("1 day verified"), "\(other)")
                #expect(manifest.code == 3 && manifest.output.contains(": 1 file,"), "\(manifest)")
                for ending in [text, json, other, manifest] {
                    #expect(ending.sentences.count == 2, "\(ending)")
                    for day in absent {
                        #expect(ending.errors.contains("\(day) is not in the mirror"), "\(ending)")
                    }
                }
            }
        }

        @Test(.enabled(if: mayBecomeOthers), arguments: [Layout.metadata, Layout.pictures])
        func aDirectoryThatCannotBeReadIsAFinding(top: String) async throws {
            try await withMirroredSite { site in
                unsafe chmod(site.folder, 0o755)
                let month = "$APOD_MIRROR_ROOT/\(Layout.folder(top, of: Site.day(1)))"

                // Root may read everything.
                let ending = try await site.shell(
                    "chown -R 65534 $APOD_MIRROR_ROOT && chmod 000 \(month)"
                        + " && setpriv --reuid=65534 --clear-groups \(Program.path) verify --json; code=$?; chmod 755 \(month);"
                        + " exit $code")

                #expect(ending.code == 8, "\(ending)")
                #expect(ending.output.contains("Permission denied"))
            }
        }

        /// A copy that broke off has the internal files, and only some days.
        @Test func daysOfWhichNothingIsHereAreCounted() async throws {
            try await withMirroredSite(days: 4) { site in
                for day in [Site.day(0), Site.day(2)] {
                    try await site.damage(
                        "rm", try site.picture(of: day), "&& rm '\(Layout.recordPath(of: day))'")
                }
                _ = try await site.shell("rm -r '\(site.root)/gallery'")

                let whole = try await site.read("verify")
                let named = try await site.read("verify", "\(Site.day(1))")

                #expect(whole.code == 3 && whole.output.contains("2 days verified"), "\(whole)")
                #expect(whole.output.contains("\nnothing is here of 2 days that "), "\(whole)")
                #expect(!named.output.contains("--since"), "\(named)")
            }
        }

        @Test func theProgressBarShowsSpeedAndTimeLeft() async throws {
            try await withSite(days: 70) { site in
                _ = try await site.mirror("--since", "70d")
                try await site.damage("rm", try site.picture(of: Site.day(66)))
                try await site.makePictureEndless(of: Site.day(2))
                let terminal = try Pseudoterminal(columns: 100)

                let program = try site.start(["verify", "--root", site.root], terminal: terminal)
                try await program.output.wait(for: "\(Site.day(66))")
                try await program.errors.wait(for: "left")
                program.signal(SIGINT)
                let ending = try await program.end()

                let bars = ending.errors.split(separator: "\r").filter { $0.contains(" left") }
                let bar = try #require(bars.first)
                #expect(bar.hasPrefix("[") && bar.contains("of 70 days  "))
                #expect(bar.contains(#/\d+(\.\d)? [kMG]?B/s +\d+ (h|min|s)/#), "\(bar)")
                #expect(bars.last?.contains("1 missing") == true, "\(bars)")
            }
        }
    }
}

extension Site {
    /// Replaces the picture of `day` by a sparse file that takes hours to read.
    func makePictureEndless(of day: Day) async throws {
        try await damage("truncate -s 1T", try picture(of: day))
        try await damage(
            "sed -i 's/\"bytes\": [0-9]*/\"bytes\": 1099511627776/'",
            Layout.recordPath(of: day))
    }

    /// Runs `command` on a file of the mirror, and restores its modification time.
    func damage(_ command: String, _ path: String, _ rest: String = "") async throws {
        let ending = try await shell(
            "cd $APOD_MIRROR_ROOT && touch -r '\(path)' ../time && \(command) '\(path)' \(rest)"
                + " && { [ ! -e '\(path)' ] || touch -r ../time '\(path)'; }")
        guard ending.code == 0 else { throw Undamaged(ending: ending) }
    }

    struct Undamaged: Error { let ending: Ending }
}
