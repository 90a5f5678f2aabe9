import APOD
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// A simulated NASA with texts and media that other programs met, and what the mirror makes of them.
    @Suite(.timeLimit(.minutes(10))) struct NASATextTests {
        /// The members of records, each with the path to it, that tell what became of a title or a text.
        private static let expectedTexts: [(day: String, member: String, text: String)] = [
            ("2024-12-07", "title", "Rocket Engine Fireplace"),
            ("2024-12-07", "media_type", "image"),
            ("2024-12-07", "picture/path", path("2024-12-07 Rocket Engine Fireplace")),
            ("2024-12-08", "picture/path", path("2024-12-08 Stereo Jupiter")),
            ("2024-12-09", "title", Entry.untitled), ("2024-12-10", "title", "Day First"),
            ("2024-12-11", "title", "Short"), ("2024-12-12", "title", "Dot"),
            ("2026-09-18", "video/url", "https://earth.nullschool.net/"),
            ("2026-09-20", "title", "Earth’s Orbit"),
            ("2026-09-20", "picture/path", path("2026-09-20 Earth’s Orbit")),
            ("2026-09-20", "explanation", "It’s near…"),
            (
                "2026-09-21", "explanation",
                "One.\n\nIt is big. Two.\n\nA note on size: three.\n\nBig news: four."
            ),
            ("2026-09-23", "title", "Saturn’s Moon"),
            (
                "2026-09-23", "explanation",
                "Saturn's moon (Hyperion), “half” ½.\n\nWhat follows stays: NASA’s dust\n\nMars 2"
            ),
            ("2026-08-01", "title", "\u{FFFD} Moon"), ("2026-08-02", "title", "Raw ’ Feed"),
            ("2026-08-03", "picture/path", path("2026-08-03 2012")),
            ("2026-08-04", "picture/path", path("2026-08-04 Café")),
            (
                "2026-09-22", "explanation",
                "3×10⁶⁵ bits, 10⁻¹⁹ grams, the 5th, eˣ, T_(eff), 1/2"
            ),
        ]

        /// The path of a picture in the mirror, by the name that begins with its day.
        private static func path(_ name: String) -> String {
            "pictures/\(name.prefix(4))/\(name.prefix(7))/\(name).jpg"
        }

        /// The ends of the addresses from which pictures come.
        private static let expectedOrigins: [(day: String, name: String)] = [
            ("2026-09-19", "/sddefault.jpg"), ("2026-09-24", "/stars.jpg"),
            ("2026-09-25", "/foo_big.jpg"), ("2026-09-26", "/frame.jpg"),
            ("2026-09-28", "/wall.jpg"), ("2026-09-30", "/lazy.jpg"),
            ("2026-06-03", "/may/NGC2403-LRGB+Ha-v25-f.jpg"),
            ("2026-08-06", "/06.jpg"), ("2026-08-10", "/10.jpg"),
            ("2026-08-11", "/Harvest%20Moon%20(LD).jpg"), ("2026-08-15", "/stray.jpg"),
            ("2026-08-18", "/coding.jpg"),
        ]

        /// The beginnings of the reasons why days have no picture, or a field is left out.
        private static let expectedReasons: [(day: String, reason: String)] = [
            ("2026-08-04", "alt is not a text"), ("2026-08-05", "alt is longer than"),
            ("2026-08-14", "an SVG drawing"), ("2026-08-16", "too small"),
            ("2026-09-27", "HTML"), ("2026-09-27", refusedPicture),
        ]

        /// The bytes after which a line always breaks off.
        private static let lengthBeforeBreak = 1_500_000

        private static let refusedPicture = "\(folder)/2026/september/refused.jpg"

        @Test func everyTextAndPictureIsTheOneThatNASAMeans() async throws {
            try await withSite(of: Archive(Self.entries)) { site in
                injectAnswers(into: site.simulator)

                let ending = try await site.mirror(
                    "--since", "all", "--v1", "all", "--sidecars", thumbnails: true)

                let tree = try site.tree()
                for (day, member, text) in Self.expectedTexts {
                    let found = try record(day, in: tree, after: ending).member(at: member)
                    #expect(found?.string == text, "\(day) \(member)")
                }
                for exponent in Self.exponents {
                    try await expect(exponent, of: site, in: tree, after: ending)
                }
                #expect(text("feed.xml", in: tree).contains("3×10⁶⁵ bits"))
                let html = try record("2026-09-22", in: tree, after: ending)["explanation_html"]
                #expect(
                    html?.string?.hasSuffix("e<sup>x</sup>, T<sub>eff</sub>, 1/2") == true)
                let search = try await site.read("search", "CO2")
                #expect(search.output.contains("1997-06-27"), "\(search)")
                try expectMedia(in: tree, after: ending)
                expectThumbnails(in: tree)
                expectRestOfBrokenDownload(from: site.simulator, in: tree)
                expectLinks(in: tree)

                // A recheck of the same answers changes nothing.
                let again = try await site.mirror("--since", "all")
                #expect(again.errors.contains("edited: 0"), "\(again)")
            }
        }

        /// Real answers of NASA, without their files.
        @Test(.enabled(if: RealData.path != nil, "needs recorded answers"))
        func recordedAnswersBecomeRecords() async throws {
            let folder = try Directory(opening: "\(#require(RealData.path))/v2")
            let names = try folder.textNames().filter { $0.hasPrefix("apod-basic-") }
            let entries = try names.map { name in
                let answer = try JSON(parsing: folder.read(name) ?? [])
                let day = try #require(answer["date"]?.string.flatMap { Day(iso: $0) }, "\(name)")
                var entry = SimulatedEntry(day: day, title: "", explanationHTML: "", media: .lost)
                entry.answer = answer
                return entry
            }
            #expect(entries.count >= 5)
            try await withSite(of: Archive(entries)) { site in
                let ending = try await site.mirror("--since", "all")

                let tree = try site.tree()
                for entry in entries {
                    let record = try record("\(entry.day)", in: tree, after: ending)
                    #expect(record["title"]?.string != Entry.untitled, "\(entry.day)")
                    #expect(record["source"]?["problems"] == nil, "\(record)")
                    // Some texts were cut when they were recorded.
                    let words = record["explanation"]?.string?.split { $0.isWhitespace } ?? []
                    #expect(!words.isEmpty, "\(entry.day)")
                    for alone in ["'s", "’s", ",", ".", ")", "("] {
                        #expect(!words.contains { $0 == alone }, "\(entry.day): \(alone)")
                    }
                }
            }
        }

        /// Makes the simulator refuse two pictures, and answer for a poster as YouTube does for a size that it lacks.
        private func injectAnswers(into simulator: Simulator) {
            simulator.inject(.replacing(Self.replacements), on: .lists, times: nil)
            simulator.inject(
                .truncated(after: Self.lengthBeforeBreak),
                on: .path("\(Self.folder)/2026/august/cut.jpg"), times: nil)
            simulator.inject(
                .verbatim(
                    status: 200, headers: ["Content-Encoding": "aws-chunked"],
                    body: Drawing(seed: 23, width: 48, height: 32).encoded()),
                on: .path("\(Self.folder)/2026/august/coding.jpg"), times: nil)
            simulator.inject(.html, on: .path(Self.refusedPicture), times: nil)
            simulator.inject(
                .notFound,
                on: .path(
                    Self.refusedPicture.replacing("/content/dam/", with: "/dynamicimage/assets/")),
                times: nil)
            simulator.inject(
                .cookieWall, on: .path("\(Self.folder)/2026/september/wall.jpg"), times: nil)
            simulator.inject(
                .verbatim(
                    status: 404, headers: ["Content-Type": "image/jpeg"],
                    body: Drawing(seed: 16, width: 120, height: 90).encoded()),
                on: .path("\(Self.posters)/maxresdefault.jpg"), times: nil)
        }

        /// Expects the exponent in the record, the name of the picture, and all views that have the text.
        private func expect(
            _ exponent: Exponent, of site: Site, in tree: TreeImage, after ending: Ending
        ) async throws {
            let date = exponent.day
            let record = try record(date, in: tree, after: ending)
            #expect(record["explanation"]?.string == exponent.text)
            #expect(record["explanation_html"]?.string?.contains(exponent.html) == true)
            let path = Self.path("\(date) Exponents")
            #expect(record["picture"]?["path"]?.string == path)
            let symbol = exponent.symbol
            #expect(
                text("gallery/\(date.prefix(7)).html", in: tree).contains(symbol), "\(date)")
            let answer = try JSON(parsing: tree.files["v1/\(date).json"] ?? [])
            #expect(answer["explanation"]?.string == exponent.text)
            #expect(text("\(path).xmp", in: tree).contains(symbol), "\(date)")
            let shown = try await site.read("show", date)
            let words = shown.output.split { $0.isWhitespace }.joined(separator: " ")
            #expect(words.contains(exponent.text), "\(shown)")
        }

        private func expectMedia(in tree: TreeImage, after ending: Ending) throws {
            for (day, name) in Self.expectedOrigins {
                let origin = try record(day, in: tree, after: ending)["picture"]?["origin"]
                #expect(origin?.string?.hasSuffix(name) == true, "\(day)")
            }
            let poster = try record("2026-09-19", in: tree, after: ending)["picture"]
            #expect(poster?["width"]?.integer == 64)
            #expect(poster?["reduced"]?.bool != true)
            let linked = try record("2026-09-25", in: tree, after: ending)["picture"]
            #expect(linked?["reduced"]?.bool != true)
            for day in ["2026-09-17", "2026-09-26"] {
                #expect(try record(day, in: tree, after: ending)["video"] == nil)
            }
            for (day, reason) in Self.expectedReasons {
                let record = try record(day, in: tree, after: ending)
                let found =
                    record.member(at: "no_picture/reason")?.string
                    ?? "\(record.member(at: "source/problems") ?? .null)"
                #expect(found.contains(reason), "\(day): \(found)")
            }
        }

        private func expectThumbnails(in tree: TreeImage) {
            /// The pixels; before them, a thumbnail names its picture.
            func thumbnail(_ day: String) -> ArraySlice<UInt8>? {
                let file = tree.files["gallery/thumbnails/2026/2026-08/2026-08-\(day).jpg"] ?? []
                return file.range(of: [0xff, 0xda]).map { file[$0.lowerBound...] }
            }
            // That of the first frame that shows anything.
            #expect(thumbnail("13") != nil && thumbnail("13") == thumbnail("12"))
            #expect(thumbnail("15") != nil)
        }

        /// Expects that what a line brought before it broke off is not requested again.
        private func expectRestOfBrokenDownload(from simulator: Simulator, in tree: TreeImage) {
            #expect(tree.files[Self.path("2026-08-17 Cut")] == Self.largeBytes)
            let requests = simulator.requests.filter { $0.path.hasSuffix("/cut.jpg") }
            let ranges = requests.map { $0.headers["range"] }
            #expect(ranges == [nil, "bytes=\(Self.lengthBeforeBreak)-"])
        }

        private func expectLinks(in tree: TreeImage) {
            let page = text("gallery/2026-09.html", in: tree)
            #expect(page.contains("2002-04.html#2002-04-30\">grams</a>"))
            for target in ["2017-04-23", "1997-05-01", "1997-06-27", "1998-05-30"] {
                #expect(page.contains("\(target.prefix(7)).html#\(target)\">"), "\(target)")
            }
            #expect(!page.lowercased().contains("https://users/"))
            #expect(!page.contains("https:///"))
            #expect(page.contains("<a href=\"https://apod.nasa.gov/apod/lib/glossary.html#dust\""))
        }

        /// The record of a day, which must be there; `ending` says why it is not.
        private func record(
            _ date: String, in tree: TreeImage, after ending: Ending
        ) throws -> JSON {
            let day = try #require(Day(iso: date))
            return try #require(tree.records[Layout.recordPath(of: day)], "\(date): \(ending)")
        }

        private func text(_ path: String, in tree: TreeImage) -> String {
            String(decoding: tree.files[path] ?? [], as: UTF8.self)
        }
    }
}

extension JSON {
    /// The member of a member, by their names with a slash between them; `nil` if one is missing.
    fileprivate func member(at path: String) -> JSON? {
        path.split(separator: "/").reduce(Optional(self)) { value, name in value?[String(name)] }
    }
}
