import APOD
import JSON
import Platform
import ProgramTesting
import Simulator
import Testing

/// The derived files, written by the program as its settings say; `DerivedTests` has each of them.
@Suite(.timeLimit(.minutes(10))) struct DerivedRunTests {
    @Test func optionsAndVariablesConfigureTheDerivedFiles() async throws {
        try await withSite { site in
            let ending = try await site.mirror(
                "--wallpaper-size", "32x32",
                environment: ["APOD_MIRROR_BASE_URL": "https://me.org/apod"])

            #expect(ending.code == 0, "\(ending)")
            let root = try Directory(opening: site.root)
            #expect(try root.folder("wallpapers")?.textNames().isEmpty == false)
            let feed = try root.read("feed.xml").map { String(decoding: $0, as: UTF8.self) }
            #expect(feed?.contains("\"https://me.org/apod/pictures/") == true)
            let today = try root.read("v1/apod.json").map { try JSON(parsing: $0) }
            #expect(today?["date"]?.string == "\(Site.today)")
            #expect(today?["url"]?.string?.hasPrefix("https://me.org/apod/pictures/") == true)
            let verification = try await site.read("verify")
            #expect(verification.code == 0 && !verification.output.contains("unknown"))
        }
    }

    /// As a backup may bring it back; the log alone would be read by nobody.
    @Test func statusNamesAFileThatIsInTheWayOfAGeneratedOne() async throws {
        try await withSite { site in
            _ = try await site.mirror()
            try site.write("mine", to: "apod/latest.json")
            try site.simulator.edit(Site.today) { $0.title = "Quite Another Title" }
            #expect(try await site.mirror().code == 0)

            let status = try await site.read("status")
            let json = try await site.read("status", "--json").json["in_the_way"]

            #expect(status.code == 0, "\(status)")
            let line = status.output.split(separator: "\n").first { $0.hasPrefix("in the way") }
            #expect(line?.contains("\(site.root)/latest.json ") == true, "\(status)")
            #expect(line?.contains("move it away") == true, "\(status)")
            #expect(json?.elements.count == 1)
            #expect(try Directory(opening: site.root).read("latest.json") == Array("mine".utf8))

            _ = try await site.shell("rm \"$APOD_MIRROR_ROOT/latest.json\"")
            #expect(try await site.mirror().code == 0)
            let later = try await site.read("status")
            #expect(!later.output.contains("in the way"), "\(later)")
        }
    }

    @Test func statusCountsTheFilesInTheWayThatItDoesNotName() async throws {
        try await withSite { site in
            _ = try await site.mirror()
            let pages = ["search", "anyday", "slideshow"].map { "gallery/\($0).html" }
            for file in ["latest.json"] + pages { try site.write("mine", to: "apod/\(file)") }
            try site.simulator.edit(Site.today) { $0.title = "Quite Another Title" }
            #expect(try await site.mirror().code == 0)

            let status = try await site.read("status")

            let lines = status.output.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix("in the way") } == 3, "\(status)")
            #expect(lines.contains { $0.hasSuffix("and 1 more; --json lists all") }, "\(status)")
            let json = try await site.read("status", "--json").json["in_the_way"]
            #expect(json?.elements.count == 4)
        }
    }

    /// Each as one link of the index in the gallery, which searches with the same term.
    @Test func searchFindsAsManyDaysAsTheIndexOfObjectsCounts() async throws {
        try await withSite(days: 3) { site in
            for (age, text) in [
                "M1 and M13, NGC-7000, 67P/Churyumov, from 1 to 7P/Pons, Sh2-155, B72",
                "M 1, ngc7000 and C/2023 A3, in 2019 M13, Sharpless 2-155, and Abell 1656",
                "C/2023 A3 (Tsuchinshan) beside Messier 13, Sharpless 155, Barnard 72, as NGC 700, NGC 7001 and IC 405 are",
            ].enumerated() {
                try site.simulator.edit(Site.day(age)) { $0.explanationHTML = text }
            }
            _ = try await site.mirror("--since", "3d")
            let page = try Directory(opening: site.root).read("gallery/objects.html") ?? []
            let entries = String(decoding: page, as: UTF8.self)
                .matches(of: /q=([^&"]*)&amp;all">[^<]*<\/a> <span class="count">(\d+)</)
            #expect(
                Set(entries.map { "\($0.1)" }).isSuperset(of: [
                    "M1", "M13", "NGC7000", "NGC700", "67P/", "7P/", "Sh2-155", "Barnard72",
                    "C/2023A3", "Abell1656", "IC405",
                ]))

            for entry in entries {
                let found = try await site.read("search", "\(entry.1)")

                let days = found.output.split(separator: "\n").count
                #expect(days == Int(entry.2), "\(entry.1): \(found)")
            }
        }
    }
}
