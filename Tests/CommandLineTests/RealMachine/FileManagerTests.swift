import APOD
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// What people see and do in a window of a real file manager: `make test-machine`.
    @Suite(.serialized, .timeLimit(.minutes(10))) struct FileManagerTests {
        @Test(arguments: FileManagerWindow.Kind.usable)
        func anOpenWindowListsWhatTheMirrorReplaces(kind: FileManagerWindow.Kind) async throws {
            try await withSite(days: 3) { site in
                #expect(try await site.mirror("--since", "3d").code == 0)
                let favorites = "\(site.root)/\(Layout.favorites)"
                let link = try Directory(opening: favorites)
                try link.symlink("mine.jpg", to: "../\(Layout.latestPicture)")
                try link.remove(Layout.favoritesHint)
                try await FileManagerWindow.with(kind, showing: site.root, for: site) { top in
                    try await FileManagerWindow.with(kind, showing: favorites, for: site) { below in
                        for window in [top, below] { try await window.listsAll() }
                        try site.simulator.edit(Site.today) {
                            $0.title += " II"
                            $0.media = .drawn("b.jpeg", seed: 7, width: 64, height: 40)
                        }

                        #expect(try await site.mirror("--since", "3d").code == 0)

                        #expect(link.target(of: "mine.jpg")?.hasPrefix("../pictures/") == true)
                        for window in [top, below] {
                            try Directory(opening: window.folder).symlink("sign", to: "nothing")
                            // A later listing may have again what was dropped.
                            let first = try await window.firstItems(with: "sign")
                            #expect(try first == window.names())
                        }
                    }
                }
            }
        }

        @Test(arguments: FileManagerWindow.Kind.usable)
        func favoritesAreMadeCheckedAndRemovedInAWindow(
            kind: FileManagerWindow.Kind
        ) async throws {
            try await withSite { site in
                let poster = SimulatedPicture.drawn("p.jpg", seed: 3, width: 64, height: 40)
                try site.simulator.edit(Site.today) {
                    $0.title += " II"
                    $0.media = .iframe(src: "https://player.example.org/1", poster: poster)
                }
                let favorites = "\(site.root)/\(Layout.favorites)"
                let daemon = try await site.daemon("--thumbnails", "no")
                try await FileManagerWindow.with(kind, showing: favorites, for: site) { window in
                    try await makeFavorites(in: window, of: site)
                    #expect(try await daemon.stop().code == 0)
                    // A scan in between would hold some, and remove the others a minute later.
                    try await window.deleteAll()
                    let next = try site.start(["run"] + site.settings() + ["--thumbnails", "no"])
                    try await removeFavorites(in: window, of: site)
                    #expect(try await next.stop().code == 0)
                }
            }
        }

        /// Six copies, a page that is moved, a link to a folder, and one as Nemo makes it of a recent file.
        private func makeFavorites(in window: FileManagerWindow, of site: Site) async throws {
            let favorites = try Directory(opening: window.folder)
            let copies = (1...6).map(Site.day)
            try await window.paste(.copy, copies.map { "\(site.root)/\(try site.picture(of: $0))" })
            try await reached { try recorded(in: site).isSuperset(of: copies) }

            let page = try #require(site.tree().files.keys.first { $0.hasSuffix(" II.html") })
            try await window.paste(.cut, ["\(site.root)/\(page)"])
            try await reached { try recorded(in: site).contains(Site.today) }
            try await reached { try Directory(opening: site.root).status(page) != nil }

            let month = Layout.folder(Layout.pictures, of: Site.today)
            try Directory(opening: site.folder).symlink("A month", to: "\(site.root)/\(month)")
            try await window.paste(.copy, ["\(site.folder)/A month"])
            try await reached { try report(in: favorites).contains("A month: ") }

            let recent = Layout.split(try site.picture(of: Site.day(7))).name
            try favorites.symlink(recent, to: "/0123456789abcdef0123456789abcdef")
            try await reached { favorites.target(of: recent)?.hasPrefix("../pictures/") == true }
            try await window.listsAll()
        }

        /// So many at once are held, until the text that says so is renamed.
        private func removeFavorites(in window: FileManagerWindow, of site: Site) async throws {
            let favorites = try Directory(opening: window.folder)
            try await reached {
                let report = try report(in: favorites)
                return (0...7).allSatisfy { report.contains("  \(Site.day($0)) ") }
            }
            #expect(try recorded(in: site).count == 8)
            try await window.listsAll()

            let lines = try report(in: favorites).split(separator: "\n")
            let confirmation = try #require(lines.first { $0.hasPrefix("  Remove ") }).dropFirst(2)
            try await window.rename(Layout.favoritesReport, to: String(confirmation))
            try await reached { try recorded(in: site).isEmpty }
            try await reached { try favorites.status(Layout.favoritesHint) != nil }
            try await window.listsAll()
        }

        /// Thunar moves what is dragged, and links it while Ctrl and Shift are held.
        @Test(
            .enabled(if: FileManagerWindow.Kind.usable.contains(.thunar), "needs Thunar"),
            arguments: [[], ["ctrl", "shift"]])
        func aPictureThatAMouseDragsOntoTheFolderIsAFavorite(keys: [String]) async throws {
            try await withSite(days: 2) { site in
                let daemon = try site.start(["run"] + site.settings() + ["--thumbnails", "no"])
                try await reached { (try? site.tree().complete.count) == 2 }
                let month = "\(site.root)/\(Layout.folder(Layout.pictures, of: Site.today))"
                try await FileManagerWindow.with(
                    .thunar, showing: site.root, beside: month, for: site
                ) { window in
                    let name = try await window.drop(
                        firstOf: month, into: Layout.favorites, holding: keys)

                    let day = try #require(FileName.day(of: name))
                    try await reached { try recorded(in: site) == [day] }
                    let root = try Directory(opening: site.root)
                    let target = root.target(of: "\(Layout.favorites)/\(name)")
                    #expect((target == nil) == keys.isEmpty)
                    // One that was moved comes back.
                    try await reached { try Directory(opening: month).status(name)?.kind == .file }
                    try await window.listsAll()
                }
                #expect(try await daemon.stop().code == 0)
            }
        }

        private func reached(
            at place: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
        ) async throws {
            try await polled(at: place) { try condition() ? () : nil }
        }

        private func report(in favorites: Directory) throws -> String {
            String(decoding: try favorites.read(Layout.favoritesReport) ?? [], as: UTF8.self)
        }

        private func recorded(in site: Site) throws -> Set<Day> {
            let names = try Directory(opening: site.root).textNames(in: Layout.favoriteStore)
            return Set(names.filter { $0.hasSuffix(".json") }.compactMap { FileName.day(of: $0) })
        }
    }
}
