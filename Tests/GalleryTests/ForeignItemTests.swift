import APOD
import Gallery
import Glibc
import JSON
import Mirror
import Platform
import TestSupport
import Testing

/// The gallery with foreign items in place of its files.
@Suite(.timeLimit(.minutes(10))) struct ForeignItemTests {
    @Test func aLinkInPlaceOfAPageIsReportedAndNotFollowed() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try mirror.tree.root.symlink("canary", to: "nowhere")
            try mirror.write(Array("mine".utf8), to: "mine.txt")
            try mirror.tree.root.symlink("index.html", to: "mine.txt")
            let problems = try await mirror.problems()

            #expect(problems == [mirror.obstruction(by: "index.html")])
            #expect(try mirror.text("mine.txt") == "mine")
            #expect(mirror.tree.root.target(of: "index.html") == "mine.txt")
        }
    }

    static let files = [
        "index.html", "gallery/2026.html", "gallery/days/2026.js", "gallery/favorites.html",
        "gallery/search.html", "gallery/style.css", "gallery/icon.svg",
    ]

    @Test(arguments: files, [true, false])
    func aFileOfTheUserInPlaceOfAPageIsReportedAndNotChanged(
        _ file: String, isFirst: Bool
    ) async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            if !isFirst { try await mirror.refresh() }
            try mirror.write(Array("mine, and not of apod-mirror".utf8), to: file)
            for _ in 0..<2 {
                #expect(try await mirror.problems() == [mirror.obstruction(by: file)])
                #expect(try mirror.text(file) == "mine, and not of apod-mirror")
            }
            #expect(try Self.files.allSatisfy { try mirror.text($0) != nil })

            try mirror.tree.root.remove(file)
            #expect(try await mirror.refresh() == [file])
        }
    }

    /// As a power cut leaves it.
    @Test(arguments: files, [0, 9, 600]) func aCutPageIsMadeAgain(
        _ file: String, length: Int
    ) async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try await mirror.refresh()
            let whole = try mirror.text(file)
            try mirror.write(Array((whole ?? "").utf8.prefix(length)), to: file)

            #expect(try await mirror.problems() == [])
            #expect(try mirror.text(file) == whole)
        }
    }

    /// As in a mirror that was copied without `.apod-mirror/`, by another version.
    @Test func allPagesAreRecognizedWithoutTheCache() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try await mirror.refresh()
            let pages = try mirror.pages
            for page in pages {
                try mirror.write(Array("\(mirror.text(page) ?? "") ".utf8), to: page)
            }
            try mirror.tree.root.remove(Self.cache)
            let outcome = try await mirror.another().refresh(favorites: [])

            #expect(outcome.problems == [])
            #expect(Set(outcome.written) == Set(pages))
        }
    }

    @Test func aLinkInPlaceOfTheDirectoryIsReportedAndNotFollowed() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            let other = "\(mirror.root)/../other"
            try #require(unsafe mkdir(other, 0o755) == 0)
            try mirror.tree.root.symlink("gallery", to: "../other")
            try mirror.write(Array("mine".utf8), to: "index.html")

            let problems = try await mirror.problems()

            #expect(
                Set(problems) == [
                    mirror.obstruction(by: "gallery"), mirror.obstruction(by: "index.html"),
                ])
            #expect(problems.count == 2)
            #expect(try Directory(opening: other).names().isEmpty)

            try mirror.tree.root.remove("gallery")
            try await mirror.refresh()
            #expect(try mirror.text("gallery/2026.html") != nil)
            #expect(try mirror.text("index.html") == "mine")
        }
    }

    @Test func anObstructedPageDoesNotPreventOthers() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try mirror.add(day("2025-11-20"), "The Claw")
            try mirror.write(Array("mine".utf8), to: "gallery/2026.html/mine.txt")
            try mirror.write(Array("mine".utf8), to: "gallery/favorites.html/mine.txt")
            for _ in 0..<2 {
                let problems = try await mirror.problems()
                #expect(
                    problems == [
                        mirror.obstruction(by: "gallery/2026.html"),
                        mirror.obstruction(by: "gallery/favorites.html"),
                    ])
                #expect(try mirror.text("gallery/2025.html")?.contains("The Claw") == true)
                #expect(try mirror.text("gallery/words/2026.js")?.contains("The Crab") == true)
                #expect(try mirror.text("index.html")?.contains("The Crab") == true)
                #expect(try mirror.text("gallery/style.css") != nil)
                #expect(try mirror.text("gallery/2026.html/mine.txt") == "mine")
            }

            removeTree("\(mirror.root)/gallery/2026.html")
            removeTree("\(mirror.root)/gallery/favorites.html")
            let written = try await mirror.refresh()
            #expect(Set(written) == ["gallery/2026.html", "gallery/favorites.html"])
        }
    }

    @Test func aForeignFileWithTheNameOfAnOldPageIsNotChanged() async throws {
        try await withMirror { mirror in
            mirror.favorites = Set((0..<400).map { day("2025-01-01").advanced(by: $0) })
            try await mirror.refresh()
            #expect(try mirror.text("gallery/favorites-2.html") != nil)
            try mirror.write(Array("mine".utf8), to: "gallery/favorites-2.html")
            mirror.favorites = []
            try await mirror.refresh()

            #expect(try mirror.text("gallery/favorites-2.html") == "mine")
        }
    }

    @Test func obsoletePagesOfAnEarlierVersionAreRemoved() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2025-01-01"), "The Crab")
            mirror.favorites = Set((0..<400).map { day("2025-01-01").advanced(by: $0) })
            try await mirror.refresh()
            try recordEarlierProgram(in: mirror)
            let written = try await mirror.another().refresh(favorites: []).written

            #expect(try mirror.text("gallery/favorites-2.html") == nil)
            #expect(written.contains("gallery/favorites.html"))
        }
    }

    @Test func unchangedPagesOfAnEarlierVersionAreRebuiltOnce() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2025-01-01"), "The Crab")
            try await mirror.refresh()
            try recordEarlierProgram(in: mirror)
            let written = try await mirror.another().refresh(favorites: []).written

            #expect(written == [])
            #expect(try mirror.text(Self.cache)?.contains("of an earlier program") == false)
        }
    }

    private static let cache = Layout.own + "/gallery.json"

    /// Replaces the signatures in the cache, which depend on the program.
    private func recordEarlierProgram(in mirror: SampleMirror) throws {
        let cache = try JSON(parsing: try #require(try mirror.tree.root.read(Self.cache)))
        let pages = try #require(cache["pages"]).members.map { page in
            JSON.Member(key: page.key, value: "of an earlier program")
        }
        #expect(!pages.isEmpty)
        try mirror.write(
            (["years": cache["years"], "pages": .object(pages)] as JSON).document, to: Self.cache)
    }
}

extension SampleMirror {
    /// The sentence that the file of a user is in the way.
    fileprivate func obstruction(by path: String) -> String {
        DerivedFile.obstruction(by: "\(root)/\(path)")
    }
}
