import APOD
import Gallery
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

/// The gallery with foreign items in place of its files.
@Suite(.timeLimit(.minutes(1))) struct ForeignItemTests {
    @Test func aLinkInPlaceOfAPageIsReplacedAndNotFollowed() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try mirror.tree.root.symlink("canary", to: "nowhere")
            try mirror.write(Array("mine".utf8), to: "mine.txt")
            try mirror.tree.root.symlink("index.html", to: "mine.txt")
            try await mirror.refresh()

            #expect(try mirror.text("mine.txt") == "mine")
            #expect(try mirror.tree.root.status("index.html")?.kind == .file)
        }
    }

    @Test func aLinkInPlaceOfTheDirectoryIsReportedAndNotFollowed() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            let other = "\(mirror.root)/../other"
            try #require(unsafe mkdir(other, 0o755) == 0)
            try mirror.tree.root.symlink("gallery", to: "../other")
            await #expect(throws: GalleryError.obstructed("\(mirror.root)/gallery")) {
                try await mirror.refresh()
            }
            #expect(try Directory(opening: other).names().isEmpty)

            try mirror.tree.root.remove("gallery")
            try await mirror.refresh()
            #expect(try mirror.text("gallery/2026.html") != nil)
        }
    }

    @Test func anObstructedPageDoesNotPreventOthers() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2026-11-20"), "The Crab")
            try mirror.add(day("2025-11-20"), "The Claw")
            try mirror.write(Array("mine".utf8), to: "gallery/2026.html/mine.txt")
            try mirror.write(Array("mine".utf8), to: "gallery/favorites.html/mine.txt")
            for _ in 0..<2 {
                await #expect(
                    throws: GalleryError.obstructed("\(mirror.root)/gallery/2026.html")
                ) { try await mirror.refresh() }
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
            _ = try recordEarlierProgram(in: mirror)
            let written = try await mirror.another().refresh(favorites: [])

            #expect(try mirror.text("gallery/favorites-2.html") == nil)
            #expect(written.contains("gallery/favorites.html"))
        }
    }

    @Test func unchangedPagesOfAnEarlierVersionAreRebuiltOnce() async throws {
        try await withMirror { mirror in
            try mirror.add(day("2025-01-01"), "The Crab")
            try await mirror.refresh()
            let program = try recordEarlierProgram(in: mirror)
            let written = try await mirror.another().refresh(favorites: [])

            #expect(written == [])
            #expect(try mirror.text(Self.cache)?.contains("\"\(program)\"") == true)
        }
    }

    private static let cache = Layout.own + "/gallery.json"

    /// Replaces the program in the cache by an earlier one; returns the program.
    private func recordEarlierProgram(in mirror: SampleMirror) throws -> Substring {
        let text = try #require(try mirror.text(Self.cache))
        let program = try #require(text.split(separator: "\"").dropFirst(3).first)
        try mirror.write(
            Array(text.replacing(program, with: "an earlier one").utf8), to: Self.cache)
        return program
    }
}
