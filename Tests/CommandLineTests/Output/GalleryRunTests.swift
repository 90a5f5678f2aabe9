import APOD
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

/// The gallery of a mirror, built by the program.
@Suite(.timeLimit(.minutes(10))) struct GalleryRunTests {
    @Test(.enabled(if: FaultShim.isPossible, "needs a C compiler"))
    func aRecordThatCouldNotBeReadOnceIsShownByTheNextRun() async throws {
        try await withSite { site in
            let shim = try await FaultShim(for: site)
            func run(failingAt number: Int) async throws -> [String: [UInt8]] {
                let fault = shim.variables(.ioError, atOpening: number)
                _ = try await site.mirror(
                    "--since", "3d", "--jobs", "1", environment: fault)
                let pages = try site.tree().files.filter { path, _ in
                    path.hasPrefix("gallery/") || path == "index.html"
                }
                // Without the last line: it identifies the files from which a page is made, and a record that the
                // sync could not read was written again.
                return pages.mapValues { Array($0.split(separator: 0x0a).dropLast().joined()) }
            }
            let pages = try await run(failingAt: -1)
            let newest = try site.text("latest.json")
            func removePages() {
                removeTree("\(site.root)/gallery")
                removeTree("\(site.root)/index.html")
            }
            removePages()
            #expect(try await run(failingAt: -1) == pages)
            let calls = shim.calls.count
            var wrong: Set<[String]> = []

            // The gallery is built after the sync, the first page after those of the years.
            for number in calls / 3..<calls where !wrong.contains(["index.html"]) {
                removePages()
                let changed = try await run(failingAt: number).filter { pages[$0] != $1 }.keys
                // No older day passes for the newest where a directory cannot be listed.
                #expect(try site.text("latest.json") == newest, "\(number)")
                guard !changed.isEmpty else { continue }
                wrong.insert(changed.sorted())
                #expect(try await run(failingAt: -1) == pages, "\(changed) at \(number)")
            }

            #expect(wrong.contains(["index.html"]) && wrong.count > 1, "\(wrong)")
        }
    }

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
