import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// The reading commands: show and search.
    @Suite(.timeLimit(.minutes(10))) struct ReadingTests {
        static let awkward =
            "M31: A/B\\C \"Quoted\" <Nebula> & More? 50% *Stars* | \u{7}Ångström’s Étoile\n天の川 \u{1F30C}. "
        static let tidy =
            "M31: A/B\\C \"Quoted\" <Nebula> & More? 50% *Stars* | Ångström’s Étoile 天の川 \u{1F30C}."

        private nonisolated(nonsending) func withMirror(
            _ body: nonisolated(nonsending) (Site) async throws -> Void
        ) async throws {
            try await withSite { site in
                try site.simulator.edit(Site.today) {
                    $0.title = Self.awkward
                    $0.explanationHTML =
                        "Called \u{201C}M31\u{201D} or &quot;Andromeda&quot; by Åse."
                }
                let ending = try await site.mirror()
                #expect(ending.code == 0, "\(ending)")
                try await body(site)
            }
        }

        @Test func aDayThatIsNotMirroredNamesTheSettingOfTheService() async throws {
            try await withMirroredSite(days: 2) { site in
                let alone = try await site.read("show", "1996-06-03")
                try site.write(
                    "APOD_MIRROR_ROOT=\(site.root)\n", to: "home/.config/apod-mirror/environment")
                let service = try await site.read("show", "1996-06-03")

                #expect(alone.code == 3 && alone.errors.contains("“run --since” adds"), "\(alone)")
                let setting =
                    "APOD_MIRROR_SINCE in \(site.home)/.config/apod-mirror/environment adds"
                #expect(service.code == 3 && service.errors.contains(setting), "\(service)")
            }
        }

        @Test(.enabled(if: mayBecomeOthers, "reads as another user"))
        func aMonthThatCannotBeReadIsReportedAndHidesNoOther() async throws {
            try await withSite(days: 40) { site in
                for age in [0, 35] {
                    try site.simulator.edit(Site.day(age)) { $0.title = "Serendipity" }
                }
                _ = try await site.mirror("--since", "40d")
                let (unreadable, other) = (Site.today, Site.day(35))
                let folder = Layout.folder(Layout.metadata, of: unreadable)
                unsafe chmod(site.folder, 0o755)
                _ = try Directory(opening: site.root).makeDirectory(Layout.previous)
                // Nobody knows whether the pictures of the other month are here.
                let pictures = Layout.folder(Layout.pictures, of: other)
                for hidden in [folder, Layout.previous, pictures] {
                    unsafe chmod("\(site.root)/\(hidden)", 0o700)
                }
                func end(_ words: String...) async throws -> Ending {
                    try await site.end(words + ["--root", site.root], asUser: 65533)
                }

                let search = try await end("search", "serendipity")
                let latest = try await end("show", "latest")
                let show = try await end("show", "\(other)")
                let paths = try await end("search", "--path", "serendipity")

                #expect(search.code == 0, "\(search)")
                #expect(search.output == "\(other)  Serendipity\n")
                #expect(show.code == 0 && show.output.hasPrefix("\(other)  "), "\(show)")
                #expect(show.errors.contains(Layout.previous), "\(show)")
                let picture = try site.picture(of: other)
                let path = "\(site.root)/\(picture)"
                #expect(show.output.contains("\nPicture    \(path) ("), "\(show)")
                #expect(paths.output == "\(path)\n", "\(paths)")
                // Which day is the newest is not known.
                #expect(latest.code == 1 && latest.output == "", "\(latest)")
                for ending in [search, latest] {
                    #expect(ending.errors.contains(folder), "\(ending)")
                }
            }
        }

        /// Also if its record names it: a person may have deleted the file, and NASA may have lost it.
        @Test func aPictureThatIsGoneIsNotPresentedAsPresent() async throws {
            try await withMirror { site in
                let picture = try site.picture(of: Site.today)
                try Directory(opening: site.root).remove(picture)

                let show = try await site.read("show", "\(Site.today)")
                let list = try await site.read("search", "m31", "--json")
                let paths = try await site.read("search", "m31", "--path")

                #expect(show.output.contains("\nPicture    missing: \(picture) ("), "\(show)")
                #expect(try list.json.elements.map { $0["picture"] } == [.null], "\(list)")
                #expect(paths.code == 0 && paths.output.isEmpty, "\(paths)")
            }
        }

        @Test func aDayIsAcceptedAsAPersonWritesIt() async throws {
            try await withMirroredSite(days: 3) { site in
                let day = Site.day(1)
                let picture = try site.picture(of: day)
                let words = [
                    "ap\(day.compact)", "\(day.year)-\(day.month)-\(day.day)", picture,
                    "\(site.root)/\(picture)",
                ]
                for word in words {
                    let show = try await site.read("show", word, "--json")
                    let verify = try await site.read("verify", word, "--json")

                    #expect(show.code == 0 && show.output.contains("\"\(day)\""), "\(show)")
                    #expect(verify.code == 0 && verify.output.contains("\"days\": 1,"), "\(verify)")
                }
                let add = try await site.read(["favorites", "add"] + words)
                #expect(add.code == 0 && add.output.hasPrefix("added: \(day) "), "\(add)")
                let again = try await site.read("favorites", "add", words[1])
                #expect(again.output.hasPrefix("already a favorite: \(day) "), "\(again)")
                let since = try await site.read("verify", "--since", words[1], "--json")
                #expect(since.output.contains("\"days\": 2,"), "\(since)")
            }
        }

        @Test func showPrintsThePathsOfWhatNASAReplaced() async throws {
            try await withSite(days: 4) { site in
                let day = Site.day(2)
                _ = try await site.mirror("--since", "4d")
                var paths: [String] = []
                for seed in [77, 78] as [UInt64] {
                    try site.simulator.edit(day) {
                        $0.title = "Title \(seed)"
                        $0.media = .drawn("\(seed).jpg", seed: seed, width: 64, height: 40)
                    }
                    _ = try await site.mirror("--since", "4d")
                    let show = try await site.read("show", "\(day)")
                    paths = show.output.split(separator: "\n").filter { $0.hasPrefix("Earlier ") }
                        .map { String($0.drop { $0 != "/" }) }
                }

                let endings = paths.map { String($0.suffix(5)) }
                #expect(endings.prefix(2) == [".json", ".json"] && endings.count == 4, "\(paths)")
                let files = try site.tree().files
                let records = try paths.prefix(2).map { path in
                    try JSON(parsing: files[String(path.dropFirst(site.root.count + 1))] ?? [])
                }
                #expect(records.map { $0["source"]?["revision"]?.integer } == [1, 2])
            }
        }

        @Test func searchFindsTheDayThatHasAllWordsAndNothingElse() async throws {
            try await withMirror { site in
                let hit = "\(Site.today)  \(Self.tidy)\n"
                for (words, output) in [
                    (["ÅNGSTRÖM’S", "etoile"], hit), (["A/B\\C"], hit), (["m31", "ase"], hit),
                    (["\"Andromeda\" by åse"], hit), (["--", "m31"], hit),
                    (["m31", "nowhere"], ""), (["explanation_html"], ""), (["\"title\""], ""),
                ] {
                    let ending = try await site.start(["search", "--root", site.root] + words).end()

                    #expect(ending.code == (output.isEmpty ? 1 : 0), "\(words): \(ending)")
                    #expect(ending.output == output, "\(words): \(ending)")
                }
            }
        }

        @Test func aSearchWithoutAHitOffersTheNearestWordAndEndsWithOne() async throws {
            try await withMirror { site in
                let offering = try await site.read("search", "M31", "angstrms")
                let other = try await site.read("search", "xylophone")
                let json = try await site.read("search", "xylophone", "--json")

                #expect(offering.code == 1 && offering.output.isEmpty, "\(offering)")
                #expect(offering.errors.contains("did you mean “angstroms”?"), "\(offering)")
                #expect(other.code == 1 && !other.errors.contains("did you mean"), "\(other)")
                #expect(json.code == 1 && json.errors.isEmpty, "\(json)")
                #expect(try json.json.elements == [])
            }
        }

        @Test func recordsThatCannotBeReadHideNoOthersFromSearch() async throws {
            try await withMirror { site in
                let (unreadable, damaged) = (Site.day(1), Site.day(2))
                let root = try Directory(opening: site.root)
                try root.remove(Layout.recordPath(of: unreadable))
                try root.symlink(Layout.recordPath(of: unreadable), to: "/etc/hostname")
                try site.write("{", to: "apod/\(Layout.recordPath(of: damaged))")

                let ending = try await site.read("search", "angstrom")

                #expect(ending.code == 0, "\(ending)")
                #expect(ending.output == "\(Site.today)  \(Self.tidy)\n")
                for day in [unreadable, damaged] {
                    #expect(ending.errors.contains("\(day) is left out"), "\(ending)")
                }
            }
        }

        @Test func searchListsTitlesFirstAndNewestFirst() async throws {
            try await withSite(days: 4) { site in
                for (age, title) in [(0, "Dust"), (1, "The Crab"), (2, "Snow"), (3, "Crab again")] {
                    try site.simulator.edit(Site.day(age)) {
                        $0.title = title
                        $0.explanationHTML = "A crab nebula."
                    }
                }
                _ = try await site.mirror()

                let ending = try await site.read("search", "crab")
                let list = try await site.read("search", "crab", "--json")

                let ages = [1, 3, 0, 2]
                let days = ages.map { "\(Site.day($0))" }
                #expect(ending.output.split(separator: "\n").map { String($0.prefix(10)) } == days)
                let found = try list.json.elements
                #expect(found.map { $0["date"]?.string } == days)
            }
        }
    }
}
