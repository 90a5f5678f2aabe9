import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// What people see in a window of a real file manager: `make test-machine`.
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
    }
}
