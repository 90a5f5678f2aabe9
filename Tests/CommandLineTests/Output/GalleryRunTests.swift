import Mirror
import Platform
import Testing

/// The gallery of a mirror, built by the program.
@Suite(.timeLimit(.minutes(10))) struct GalleryRunTests {
    @Test func directoriesInFavoritesBecomeCollectionPages() async throws {
        try await withMirroredSite { site in
            let pictures = try site.tree().pictures
            let root = try Directory(opening: site.root)
            try root.makeDirectory("favorites/Nebulae & <b>").symlink(
                "a.jpg", to: "../../\(pictures[0])")
            try root.makeDirectory("favorites").symlink("b.jpg", to: "../\(pictures[1])")
            _ = try await site.mirror()
            let all = try #require(try site.text("gallery/favorites.html"))
            let name = try #require(
                try root.folder("gallery")?.textNames().first { $0.hasPrefix("collection-") })
            let page = try #require(try site.text("gallery/\(name)"))

            #expect(all.contains("href=\"\(name)\"") && all.contains("Nebulae &amp; &lt;b&gt;"))
            #expect(all.split(separator: "<article ").count == 3)
            #expect(page.contains("Nebulae &amp; &lt;b&gt;") && !page.contains("<b>"))
            #expect(page.split(separator: "<article ").count == 2)

            try root.makeDirectory("favorites/Nebulae & <b>").rename(
                "a.jpg", to: root.makeDirectory("favorites"), as: "a.jpg")
            _ = try await site.mirror()
            #expect(try site.text("gallery/\(name)") == nil)
            #expect(try site.text("gallery/favorites.html")?.contains("Nebulae") == false)
        }
    }
}

extension Site {
    fileprivate func text(_ path: String) throws -> String? {
        try Directory(opening: root).read(path).map { String(decoding: $0, as: UTF8.self) }
    }
}
