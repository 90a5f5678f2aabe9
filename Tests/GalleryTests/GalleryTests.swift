import APOD
import FoundationEssentials
import Glibc
import JSON
import Mirror
import Platform
import Testing
import Views

/// The conditions under which pages are built and written.
@Suite(.timeLimit(.minutes(10))) struct GalleryTests {
    @Test func anEmptyMirrorHasAFirstPage() async throws {
        try await withMirror { mirror in
            try await mirror.refresh()

            #expect(try mirror.has("There are no pictures yet.", in: "index.html"))
            #expect(try mirror.has("There are no favorites yet.", in: "gallery/favorites.html"))
        }
    }

    @Test func whatAPersonOpensInTheFolderIsAPage() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try await mirror.refresh()

            let folder = try #require(try mirror.tree.root.folder("gallery"))
            let files = try folder.textNames().filter { try folder.status($0)?.kind == .file }
            #expect(files.contains("search.html") && files.allSatisfy { $0.hasSuffix(".html") })
            let page = try #require(try mirror.text("gallery/2026.html"))
            #expect(page.contains("href=\"../gallery/assets/style.css\""))
            #expect(try mirror.text("gallery/assets/style.css") != nil)
        }
    }

    @Test func aNewDayOrFavoriteWritesTheFirstPageAndThePagesOfItsYearAndMonth() async throws {
        try await withMirror { mirror in
            for year in 2020...2026 { try mirror.add(day("\(year)-05-01"), "May of \(year)") }
            try await mirror.refresh()
            try mirror.add(day("2026-11-20"), "The Crab")
            #expect(
                try await Set(mirror.refresh()) == [
                    "index.html", "gallery/2026.html", "gallery/2026-11.html",
                    "gallery/2026-05.html", "gallery/words/2026.js", "gallery/days/2026.js",
                    "gallery/links/2026.txt",
                ])

            mirror.favorites = [day("2020-05-01")]
            #expect(
                try await Set(mirror.refresh()) == [
                    "index.html", "gallery/2020.html", "gallery/2020-05.html",
                    "gallery/words/2020.js", "gallery/days/2020.js", "gallery/links/2020.txt",
                    "gallery/favorites.html",
                ])
            let page = try #require(try mirror.text("gallery/favorites.html"))
            #expect(page.contains("May of 2020") && !page.contains("The Crab"))
        }
    }

    @Test func ofAYearOnlyTheRecordsOfChangedMonthsAreRead() async throws {
        try await withMirror { mirror in
            let record = Layout.recordPath(of: day("2026-09-01"))
            try mirror.add(day("2026-09-01"), "The Moon")
            try mirror.add(day("2026-10-01"), "The Comet")
            try mirror.tree.root.setModified(1_000_000_000, of: record)
            try await mirror.refresh()
            let original = try #require(try mirror.text(record))
            // Its size and time are those of the original, so only a reader sees the change.
            try mirror.write(
                Array(original.replacing("The Moon", with: "The Mars").utf8), to: record)
            try mirror.tree.root.setModified(1_000_000_000, of: record)
            try mirror.add(day("2026-10-02"), "The Crab")
            try await mirror.refresh()
            for path in ["gallery/2026.html", "gallery/days/2026.js"] {
                #expect(try mirror.has("The Crab", in: path))
                #expect(try mirror.has("The Moon", in: path))
            }

            try mirror.write(Array(original.utf8), to: record)
            try mirror.tree.root.setModified(1_000_000_000, of: record)
            let paths = ["2026.html", "days/2026.js", "words/2026.js", "links/2026.txt"]
                .map { "gallery/\($0)" }
            let files = try paths.map { try mirror.text($0) }
            for path in paths { try mirror.tree.root.remove(path) }
            try await mirror.refresh()
            #expect(try paths.map { try mirror.text($0) } == files)
        }
    }

    @Test func theIndexHasTheNumberOfDaysThatNameAnObject() async throws {
        try await withMirror { mirror in
            func entries() throws -> [String] {
                try #require(try mirror.text("gallery/objects.html"))
                    .matches(of: /q=([^&"]*)&amp;all">([^<]*)<\/a> <span class="count">(\d+)</)
                    .map { "\($0.1) \($0.2) \($0.3)" }
            }
            try mirror.add(
                day("2025-11-20"), "M31, and M 31",
                ["explanation": "NGC-7000 and IC\u{A0}1805; from 1 to M200, NGC 0 and NGC 70000."])
            try mirror.add(
                day("2026-11-19"), "C/2023 A3 beside 67P/Churyumov and P/2010 A2",
                [
                    "explanation": """
                    Sh2-155, SH2 155, Sharpless 155, Sh 2-155, Sharpless 171, Sharpless 2-106; \
                    Barnard 33 (B33), a B2 star, C/1996 B2, Messier 13, Abell 1656.
                    """
                ])
            try await mirror.refresh()
            try mirror.add(day("2026-11-20"), "M5 and M13", ["credit": "The NGC 7000 Team"])
            #expect(try await mirror.refresh().contains("gallery/objects.html"))

            #expect(
                try entries() == [
                    "M5 M5 1", "M13 M13 2", "M31 M31 1", "NGC7000 NGC 7000 2", "IC1805 IC 1805 1",
                    "Sh2-106 Sh2-106 1", "Sh2-155 Sh2-155 1", "Sh2-171 Sh2-171 1",
                    "Barnard33 Barnard 33 1", "Abell1656 Abell 1656 1", "67P/ 67P/ 1",
                    "C/1996B2 C/1996 B2 1", "P/2010A2 P/2010 A2 1",
                    "C/2023A3 C/2023 A3 1",
                ])

            try mirror.add(day("2026-11-20"), "The Crab")
            #expect(try await mirror.refresh().contains("gallery/objects.html"))
            #expect(try entries().first == "M13 M13 1")
            try mirror.add(day("2026-11-20"), "The Other Crab")
            #expect(try await !mirror.refresh().contains("gallery/objects.html"))
        }
    }

    @Test func theFirstPageHasTheSameDateOfEarlierYears() async throws {
        try await withMirror { mirror in
            for year in 2018...2025 {
                try mirror.add(day("\(year)-11-20"), "A Day of \(year)")
                try mirror.add(day("\(year)-11-21"), "Another of \(year)")
            }
            try mirror.add(day("2026-11-20"), "The Crab")
            func titles() throws -> [Substring] {
                let page = try #require(try mirror.text("index.html"))
                let shelf =
                    page.split(separator: "id=\"anniversaries\"").dropFirst().first?
                    .split(separator: "</section>").first ?? ""
                return shelf.split(separator: "class=\"name\">").dropFirst()
                    .map { $0.prefix { $0 != "<" } }
            }
            try await mirror.refresh()
            #expect(try titles() == (2021...2025).reversed().map { "A Day of \($0)" })
            #expect(try mirror.has("gallery/anyday.html#on-2026-11-20", in: "index.html"))

            try mirror.add(day("2026-11-22"), "The Comet")
            try await mirror.refresh()
            #expect(try titles() == [])
        }
    }

    @Test func theFirstDayOfAMonthIsLinkedFromTheLastOfTheMonthBefore() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2024-12-31"), "Before")
            try mirror.add(day("2025-12-31"), "The Last")
            try await mirror.refresh()
            try mirror.add(day("2026-01-01"), "The First")
            let written = try await mirror.refresh()

            let (last, first) = ("gallery/2025-12.html", "gallery/2026-01.html")
            #expect(written.contains(last) && !written.contains("gallery/2024-12.html"))
            #expect(try mirror.has("href=\"2026-01.html#2026-01-01\"", in: last))
            #expect(try mirror.has("href=\"2025-12.html#2025-12-31\"", in: first))
        }
    }

    /// The first page loads no very large picture.
    @Test func thumbnailsAndRenditionsAreShownOnceTheyExist() async throws {
        try await withMirror { mirror in
            let (small, large) = (day("2026-11-19"), day("2026-11-20"))
            try mirror.add(small, "The Comet")
            try await mirror.refresh()
            let tile =
                "class=\"tile\"><img src=\"../pictures/2026/2026-11/2026-11-19%20The%20Comet.jpg\""
            #expect(try mirror.has(tile, in: "gallery/2026.html"))

            let picture: JSON = [
                "path": "pictures/2026/2026-11/2026-11-20 The Crab.png", "bytes": 37_700_000,
                "sha256": "", "type": "image/png", "width": 4455, "height": 5592,
                "origin": "http://127.0.0.1/",
            ]
            try mirror.write([1], to: "pictures/2026/2026-11/2026-11-20 The Crab.png")
            try mirror.record(large, "The Crab", ["picture": picture])
            let bytes: [UInt8] = [0xFF, 0xD8, 0xFF]
            for day in [small, large] { try mirror.write(bytes, to: Layout.thumbnail(of: day)) }
            try await mirror.refresh()
            let thumbnail = "<img src=\"../\(Layout.thumbnail(of: small))\""
            #expect(try mirror.has(thumbnail, in: "gallery/2026.html"))
            #expect(try mirror.has("<img src=\"\(Layout.thumbnail(of: large))\"", in: "index.html"))
            #expect(try !mirror.has("src=\"pictures/", in: "index.html"))

            try mirror.write(bytes, to: Rendition.path(of: large))
            let written = try await mirror.refresh()
            #expect(try mirror.has("<img src=\"\(Rendition.path(of: large))\"", in: "index.html"))
            #expect(try !mirror.has("src=\"pictures/", in: "index.html"))
            #expect(Set(written).isSuperset(of: ["index.html", "gallery/2026-11.html"]))
        }
    }

    /// Also one that a script makes, as for a hit of a search.
    @Test func aCardWithoutAnImageSaysWhetherThereIsAPicture() async throws {
        try await withMirror { mirror in
            let picture: JSON = [
                "path": "pictures/2026/2026-11/2026-11-18 Io.tif", "bytes": 100, "sha256": "",
                "type": "image/tiff", "width": 3, "height": 2, "origin": "http://127.0.0.1/",
            ]
            try mirror.write([1], to: "pictures/2026/2026-11/2026-11-18 Io.tif")
            try mirror.record(day("2026-11-18"), "Io", ["picture": picture])
            try mirror.record(day("2026-11-19"), "Europa")
            try mirror.add(day("2026-11-20"), "Callisto")
            try mirror.tree.root.remove("pictures/2026/2026-11/2026-11-20 Callisto.jpg")
            try await mirror.refresh()

            for label in ["Open the picture", "No picture", "Missing"] {
                let tile = "<span class=\"none\">\(label)</span>"
                #expect(try mirror.has(tile, in: "gallery/2026.html"))
                #expect(try mirror.has(",0,\"\(label)\"],", in: "gallery/days/2026.js"))
            }
        }
    }

    /// The thumbnail is shown all the same: it may be all that is left.
    @Test func noPageNamesAPictureOrVideoThatIsGone() async throws {
        try await withMirror { mirror in
            let folder = "pictures/2026/2026-11"
            try mirror.add(day("2026-11-20"), "Io")
            try mirror.write([1], to: Layout.thumbnail(of: day("2026-11-20")))
            let video: JSON = [
                "url": "https://www.nasa.gov/a.mp4", "path": .string("\(folder)/2026-11-19 A.mp4"),
                "bytes": 1, "sha256": "",
            ]
            try mirror.write([1], to: "\(folder)/2026-11-19 A.mp4")
            try mirror.record(day("2026-11-19"), "A", ["video": video])
            mirror.favorites = [day("2026-11-20"), day("2026-11-19")]
            let pages = ["gallery/2026-11.html", "gallery/favorites.html"]
            try await mirror.refresh()
            for page in pages {
                #expect(try mirror.has("2026-11-20%20Io.jpg", in: page), "\(page)")
                #expect(try mirror.has("2026-11-19%20A.mp4", in: page), "\(page)")
            }

            try mirror.tree.root.rename(folder, to: mirror.tree.root, as: "elsewhere")
            try await mirror.refresh()

            for page in pages {
                #expect(try mirror.has("The file of this day is missing", in: page), "\(page)")
                #expect(try mirror.has("https://www.nasa.gov/a.mp4", in: page), "\(page)")
            }
            for page in pages + ["index.html", "gallery/2026.html"] {
                #expect(try !mirror.has("pictures/2026", in: page), "\(page)")
                #expect(try mirror.has("thumbnails/2026/2026-11/2026-11-20.jpg", in: page))
            }
            try mirror.tree.root.rename("elsewhere", to: mirror.tree.root, as: folder)
            try await mirror.refresh()
            for page in pages {
                #expect(try mirror.has("2026-11-20%20Io.jpg", in: page), "\(page)")
            }
        }
    }

    @Test func aCollectionWithoutAPictureIsShownByATitle() async throws {
        try await withMirror { mirror in
            let (film, poster) = (day("2026-11-13"), day("2026-11-14"))
            let video: JSON = ["url": "https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0"]
            try mirror.record(film, "A Film & More", ["video": video])
            try mirror.add(poster, "A Poster", ["video": video])
            mirror.favorites = [film, poster]
            mirror.collections = ["films": [film], "posters": [poster]]
            try await mirror.refresh()

            let page = try #require(try mirror.text("gallery/favorites.html"))
            #expect(page.contains("<span class=\"none\">A Film &amp; More</span>"))
            #expect(
                page.contains("<span class=\"tile\"><img src=\"../pictures/2026/2026-11/2026-11-14")
            )
            #expect(!page.contains("<span class=\"none\"></span></span><span class=\"name\">"))
        }
    }

    @Test func manyFavoritesAreSplitIntoPages() async throws {
        try await withMirror { mirror in
            let days = (0..<110).map { day("2025-01-01").advanced(by: $0) }
            for day in days { try mirror.record(day, "Number \(day.number)") }
            mirror.favorites = Set(days)
            try await mirror.refresh()
            let first = try #require(try mirror.text("gallery/favorites.html"))
            let second = try #require(try mirror.text("gallery/favorites-2.html"))
            #expect(first.split(separator: "<article ").count == 91)
            #expect(second.split(separator: "<article ").count == 21)
            #expect(first.contains("href=\"favorites-2.html#\(days[19])\""))
            #expect(second.contains("href=\"favorites.html#\(days[20])\""))

            mirror.favorites = Set(days.prefix(10))
            let written = try await mirror.refresh()
            #expect(written.contains("gallery/favorites-2.html"))
            #expect(try mirror.text("gallery/favorites-2.html") == nil)
        }
    }

    @Test func aDayWithAnUnreadableRecordShowsAMessage() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try mirror.write(Array("{".utf8), to: "metadata/2026/2026-11/2026-11-19.json")
            try await mirror.refresh()

            #expect(try mirror.has("id=\"2026-11-19\"", in: "gallery/2026-11.html"))
            #expect(try mirror.has("cannot read its record", in: "gallery/2026-11.html"))
        }
    }

    @Test(arguments: [
        "no picture: NASA calls it “other”",
        "a video without a still picture: https://example.org/",
        "NASA names no picture, or only a placeholder", "",
    ])
    func aDayWithoutAPictureShowsTheReasonOnce(_ reason: String) async throws {
        try await withMirror { mirror in
            try mirror.record(
                day("2026-11-20"), "The Story of a Mission",
                [
                    "media_type": "other", "permalink": "https://science.nasa.gov/the-page/",
                    "no_picture": ["reason": .string(reason), "since": "2026-11-20T00:00:00Z"],
                ])
            try await mirror.refresh()
            let page = try #require(try mirror.text("gallery/2026-11.html"))
            let said = try #require(page.split(separator: "class=\"nothing\">").last)
                .prefix { $0 != "<" }.lowercased()

            #expect(said.split(separator: " picture").count <= 2, "\(said)")
            #expect(said.contains("picture") && !said.contains("picture: "), "\(said)")
            #expect(page.contains("href=\"https://science.nasa.gov/the-page/\""))
        }
    }

    @Test func aPictureWithoutADescriptionIsDescribedByItsTitle() async throws {
        let descriptions = ["", "  ", "See Explanation.  Clicking on the picture"]
        try await withMirror { mirror in
            for (number, alt) in descriptions.enumerated() {
                try mirror.add(
                    day("2026-11-18").advanced(by: number), "Day \(number)", ["alt": .string(alt)])
            }
            try await mirror.refresh()

            #expect(try mirror.has("alt=\"Day 2\"", in: "index.html"))
            for number in descriptions.indices {
                #expect(try mirror.has("alt=\"Day \(number)\"", in: "gallery/2026-11.html"))
            }
        }
    }

    @Test func theLicenseIsShownWithTheCreditAndLinksToWebServersOnly() async throws {
        try await withMirror { mirror in
            let name = "CC <BY> 4.0"
            try mirror.add(
                day("2026-11-20"), "The Crab",
                ["license": ["name": .string(name), "url": "https://creativecommons.org/by/4.0/"]])
            try mirror.add(
                day("2026-11-19"), "The Comet",
                ["license": ["name": .string(name), "url": "javascript:window.ran=1"]])
            try await mirror.refresh()
            let page = try #require(try mirror.text("gallery/2026-11.html"))

            // A license without a web address is not read from a record.
            #expect(page.split(separator: "CC &lt;BY&gt; 4.0").count == 2)
            #expect(page.contains("href=\"https://creativecommons.org/by/4.0/\""))
            #expect(!page.contains("window.ran"))
        }
    }

    @Test func eachPageIsReadableByAllWithOneHeadingAndNamedRegions() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            mirror.favorites = [day("2026-11-20")]
            try await mirror.refresh()
            for path in try mirror.pages {
                var status = stat()
                try #require(unsafe stat("\(mirror.root)/\(path)", &status) == 0)
                #expect(status.st_mode & 0o777 == 0o644, "\(path)")
                guard path.hasSuffix(".html") else { continue }
                let page = try #require(try mirror.text(path))
                #expect(page.split(separator: "<h1").count == 2, "\(path)")
                let levels = page.matches(of: #/<h([1-6])/#).compactMap { Int($0.1) }
                #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 <= $0 + 1 }, "\(levels)")
                // What the keyboard scrolls has a name.
                for place in page.split(separator: "<") where place.contains("tabindex=\"0\"") {
                    #expect(place.contains("role=\"region\"") && place.contains("aria-label"))
                }
            }
            #expect(try mirror.text("gallery/2026-11.html")?.contains("tabindex=\"0\"") == true)
        }
    }
}
