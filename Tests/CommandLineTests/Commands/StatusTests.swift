import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct StatusTests {
        @Test func statusCountsCompleteAndMissingDays() async throws {
            try await withSite { site in
                let missing = Site.day(4)
                site.simulator.withdraw(missing)
                _ = try await site.mirror()

                let ending = try await site.read("status", "--json")

                #expect(ending.code == 3 && ending.errors == "", "\(ending)")
                let status = try ending.json
                #expect(status["root"]?.string?.hasSuffix("/apod") == true)
                #expect(status["newest"]?.string == "\(Site.today)")
                #expect(try 0..<2 * 86_400 ~= #require(status["newest_age_seconds"]?.integer))
                #expect(status["wanted"]?.integer == 10 && status["complete"]?.integer == 9)
                #expect(status["last_success"]?.string?.hasSuffix("Z") == true)
                #expect(status["last_error"] == .null && status["running"] == .null)
                #expect(try #require(status["bytes"]?.integer) > 0)
                #expect(try #require(status["free_bytes"]?.integer) > 0)
                let days = status["missing"]?.elements ?? []
                #expect(days.map { $0["date"]?.string } == ["\(missing)"])
                #expect(days[0]["reason"]?.string == "NASA has no entry for that day yet")
                #expect(days[0]["attempts"]?.integer == 1)
                #expect(days[0]["next"]?.string?.hasSuffix("Z") == true)
            }
        }

        /// The system has no service in the tests, and `systemctl` is a script.
        ///
        /// A service has the mirror that its file of settings names.
        @Test(arguments: [
            ("# Mine\nAPOD_MIRROR_ROOT='ROOT'\n", true), ("APOD_MIRROR_ROOT=/srv/other\n", false),
            ("", false),
        ])
        func theFailedServiceOfAMirrorIsNamed(settings: String, isNamed: Bool) async throws {
            try await withMirroredSite { site in
                try site.write(
                    settings.replacing("ROOT'", with: "\(site.root)'"),
                    to: "home/.config/apod-mirror/environment")
                try site.makeTool("systemctl", "echo \"$*\" > '\(site.folder)/asked'")

                let ending = try await site.start(
                    ["status", "--root", site.root],
                    environment: ["PATH": "\(site.tools):/usr/bin:/bin"]
                ).end()

                let advice = "“journalctl --user -u apod-mirror” has the reason"
                #expect(ending.code == (isNamed ? 1 : 0), "\(ending)")
                #expect(ending.output.contains(advice) == isNamed, "\(ending)")
                let asked = try Directory(opening: site.folder).read("asked") ?? []
                let question = isNamed ? "--user is-failed --quiet apod-mirror\n" : ""
                #expect(String(decoding: asked, as: UTF8.self) == question)
            }
        }

        @Test func statusFitsANarrowTerminal() async throws {
            try await withSite { site in
                for age in 2...9 { site.simulator.withdraw(Site.day(age)) }
                _ = try await site.mirror("--keep", "20GB")

                let status = try await site.start(
                    ["status", "--root", site.root], environment: ["NO_COLOR": "1"],
                    screen: Pseudoterminal(columns: 60)
                ).end()

                let lines = Pseudoterminal.screen(after: status.output)
                #expect(lines.count > 10 && lines.dropFirst().allSatisfy { $0.count <= 60 })
                #expect(lines.contains { $0.hasPrefix("missing     ") }, "\(lines)")
            }
        }

        /// NASA replaces a picture by what looks like a small copy of it.
        @Test func aPictureThatIsKeptAgainstNASAIsListed() async throws {
            try await withMirroredSite { site in
                let day = Site.day(2)
                try site.publishASmallCopy(of: day)
                _ = try await site.mirror()

                let words = try await site.read("status")
                let partial = try await site.read("status", "--json").json["partial"]?.elements

                #expect(partial?.map { $0["date"]?.string } == ["\(day)"])
                #expect(partial?.first?["reason"]?.string?.contains("smaller copy") == true)
                #expect(words.code == 0 && words.output.contains("partial     \(day) "), "\(words)")
            }
        }

        @Test func aFavoriteThatIsAboutToBeRemovedIsNotCalledHeld() async throws {
            try await withMirroredSite { site in
                _ = try await site.read("favorites", "add", "\(Site.day(1))", "--as", "mine")
                try Directory(opening: "\(site.root)/favorites").remove("mine.jpg")

                let list = try await site.read("favorites", "list")
                let status = try await site.read("status")

                // Without a daemon, no second is counted.
                #expect(list.output.contains("(removed by a later run)"), "\(list)")
                #expect(status.output.contains("1, 1 without a link, to be removed"), "\(status)")
                #expect(!status.output.contains("held"), "\(status)")
            }
        }

        /// `--since` asks only for five of the days, whose pictures the sync brings back.
        @Test func daysWhosePicturesWereDeletedAreMissing() async throws {
            try await withMirroredSite { site in
                let deleted = try await site.shell("rm -r '\(site.root)/pictures'")
                #expect(deleted.code == 0, "\(deleted)")
                _ = try await site.mirror("--since", "5d")

                let words = try await site.read("status", "--missing")
                let status = try await site.read("status", "--json").json

                // The verification finds them; they are not among the wanted days.
                #expect(words.code == 0, "\(words)")
                #expect(words.output.contains("\ntotal       5 days, 5 missing\n"), "\(words)")
                let row = "\nmissing     \(Site.day(9)) its files are gone\n"
                #expect(words.output.contains(row), "\(words)")
                #expect(status["missing"] == .array([]), "\(words)")
                #expect(status["mirror"]?["missing"]?.integer == 5, "\(words)")
            }
        }

        /// A page, a video elsewhere, and one of NASA's own, none with a still picture.
        @Test func aDayForWhichNASAHasNoPictureIsNotMissing() async throws {
            try await withSite { site in
                let video = SimulatedPicture(name: "v.mp4", source: .bytes([0, 0, 0, 24]))
                let media: [SimulatedMedia] = [
                    .other, .iframe(src: "https://player.example.org/1"), .videoFile(video),
                ]
                for (index, media) in media.enumerated() {
                    let day = Site.today.advanced(by: -2 - index)
                    site.simulator.publish(
                        SimulatedEntry(
                            day: day, title: "X", explanationHTML: "No picture.", media: media))
                }
                let first = try await site.mirror()
                site.simulator.resetLog()
                let second = try await site.mirror()

                #expect(first.code == 0 && second.code == 0, "\(first); \(second)")
                #expect(site.simulator.requests.map(\.kind) == [.newest])
                let words = try await site.read("status")
                let status = try await site.read("status", "--json")
                #expect(words.code == 0 && status.code == 0, "\(words); \(status)")
                let json = try status.json
                #expect(json["wanted"]?.integer == 10 && json["complete"]?.integer == 7)
                #expect(json["missing"] == .array([]))
                let days = json["no_picture"]?.elements ?? []
                #expect(days.map { $0["date"]?.string } == (2...4).map { "\(Site.day($0))" })
                let figures = try await site.read("status", "--metrics")
                #expect(figures.output.contains(/\napod_mirror_no_picture\{.*\} 3\n/), "\(figures)")
            }
        }

        /// A page without numbers would let no alert fire.
        @Test func theMetricsOfAMirrorWhoseDiskIsAwaySaySo() async throws {
            try await withMirroredSite { site in
                let folder = try Directory(opening: site.folder)
                try folder.rename("apod", to: folder, as: "away")

                let ending = try await site.end("status", "--metrics", "--root", site.root)

                #expect(ending.code == 4 && !ending.errors.isEmpty, "\(ending)")
                for sample in [
                    "up{} 0", "exit_code{} 4", "obstacle_disk{} 1", "obstacle_space{} 0",
                ] {
                    let line = sample.replacing("{", with: "{root=\"\(site.root)\"")
                    #expect(ending.output.contains("\napod_mirror_\(line)\n"), "\(ending)")
                }
            }
        }

        @Test func statusListsFewMissingDaysByDefault() async throws {
            try await withSite(days: 40) { site in
                let missing = (5...24).map { Site.day($0) }
                for day in missing { site.simulator.withdraw(day) }
                _ = try await site.mirror("--since", "30d")

                let few = try await site.read("status")
                let all = try await site.read("status", "--missing")

                #expect(few.code == 3 && all.code == 3)
                #expect(missing.count { few.output.contains("\($0)") } <= 5, "\(few)")
                #expect(missing.allSatisfy { all.output.contains("\($0)") })
                // No daemon runs that would retry.
                #expect(!few.output.contains("next") && !all.output.contains("next"), "\(all)")
            }
        }

        @Test func aReportSaysWhatHelpNeedsAndNothingOfTheHome() async throws {
            try await withSite { site in
                site.simulator.withdraw(Site.day(4))
                _ = try await site.mirror("--limit-rate", "64m")
                site.simulator.inject(.html, on: .lists, times: nil)
                _ = try await site.mirror(
                    "--limit-rate", "64m", "--mirrors", "http://nas.home.arpa/apod/")
                try site.write("mine", to: "apod/favorites/anna's holiday.txt")

                let report = try await site.end(
                    "status", "--report", "--root", site.root,
                    environment: ["USER": "anna", "https_proxy": "http://proxy.home.arpa:3128"])

                #expect(report.code == 7 && report.errors == "", "\(report)")
                for text in [
                    "apod-mirror \(Version.current), report of ", "\nlibrary: libcurl/",
                    "\n--limit-rate 64m\n", "\n--upstream URL\n", "\n--root DIR\n",
                    "\n--mirrors URL,...|off\n",
                    "\nhealth: obstructed, watcher: none, obstacle: network\n",
                    "\nwanted: 10\n", "\ncomplete: 9\n", "\nmissing: 1\n",
                    "\npictures: jpg 9\n", "\nlast_error_at_timestamp_seconds: ",
                ] {
                    #expect(report.output.contains(text), "\(text) is not in \(report)")
                }
                for secret in [site.folder, "127.0.0.1", "home.arpa", "anna", "HTML"] {
                    #expect(!report.output.contains(secret), "\(secret) is in \(report)")
                }
            }
        }

        /// A mirror whose last sync is a week ago.
        @Test func anOldMirrorIsStale() async throws {
            let archive = Archive.generated(
                newest: Site.day(7), days: 10, size: (48, 32), extras: [])
            try await withSite(of: archive) { site in
                _ = try await site.mirror()
                let silent = try await site.read("status")
                let tree = try Tree.reading(site.root, known: KnownMirrors(environment: [:]))
                var state = try Store(reading: tree).state()
                state.lastSuccess? -= 2 * 86_400
                try site.write(state.stateDocument, to: "apod/\(Layout.state)")
                // It has the time of the last success, too.
                try tree.root.remove(Layout.service)

                let stale = try await site.read("status")

                #expect(silent.code == 0 && stale.code == 9, "\(silent); \(stale)")
            }
        }
    }
}
