import APOD
import Glibc
import JSON
import Mirror
import Platform
import Testing

extension WholeProgram {
    /// Favorites created in a real file manager.
    @Suite(
        .timeLimit(.minutes(10)),
        .enabled(
            if: Desktop.isPossible, "needs Xvfb, dbus-run-session, xdotool, and thunar or pcmanfm"))
    struct FileManagerTests {
        @Test(arguments: FileManager.installed)
        func aLinkMadeByControlShiftDragIsAFavorite(manager: FileManager) async throws {
            try await withMirror { site, daemon in
                try await drag(in: manager, of: site, keys: ["ctrl", "shift"])
                try await end(daemon, after: "\(Site.today) added to favorites")

                let tree = try site.tree()
                let name = try favorite(via: ["link"], in: tree)
                let path = try #require(tree.pictures.first)
                // Both create an absolute link, and a working link is not changed.
                #expect(tree.files[name] == Array("\(site.root)/\(path)".utf8))
            }
        }

        @Test(arguments: FileManager.installed)
        func anOriginalMovedToFavoritesStaysThereAndIsCopiedBack(
            manager: FileManager
        ) async throws {
            try await withMirror { site, daemon in
                let before = try site.tree()
                try await drag(in: manager, of: site, keys: [])
                try await end(daemon, after: "was missing: restored it")

                let tree = try site.tree()
                let name = try favorite(via: ["copy"], in: tree)
                let path = try #require(tree.pictures.first)
                #expect(tree.pictures == before.pictures)
                #expect(tree.files[path] == before.files[path])
                #expect(tree.files[name] == tree.files[path])
            }
        }

        /// Thunar copies files that it may not move; PCManFM does nothing.
        @Test(
            .enabled(
                if: getuid() == 0 && FileManager.installed.contains(.thunar),
                "drags as a user who may not write to the mirror"))
        func aCopyMadeBySomebodyElseIsAFavorite() async throws {
            let nobody = 65534
            try await withMirror { site, daemon in
                let before = try site.tree()
                try site.open(to: nobody)
                try await drag(in: .thunar, of: site, keys: [], user: nobody)
                try await end(daemon, after: "\(Site.today) added to favorites")

                let tree = try site.tree()
                let name = try favorite(via: ["copy"], in: tree)
                let path = try #require(tree.pictures.first)
                #expect(tree.pictures == before.pictures)
                #expect(tree.files[name] == tree.files[path])
            }
        }

        // MARK: The mirror and the hand

        /// Runs `body` with a mirror of one day, and its daemon.
        private func withMirror(
            _ body: nonisolated(nonsending) (Site, Program) async throws -> Void
        ) async throws {
            try await withSite(days: 1) { site in
                let daemon = try site.start(["run"] + site.settings())
                try await daemon.errors.wait(for: "\(Site.today) “")
                try await body(site, daemon)
            }
        }

        /// Returns when `daemon` has logged `text` and has ended.
        private func end(_ daemon: Program, after text: String) async throws {
            try await daemon.errors.wait(for: text)
            let ending = try await daemon.stop()
            #expect(ending.code == 0, "\(ending)")
        }

        private func drag(
            in manager: FileManager, of site: Site, keys: [String], user: Int? = nil
        ) async throws {
            try await withDesktop(home: site.home, user: user) { desktop in
                try await desktop.drag(
                    in: manager,
                    from: "\(site.root)/\(Layout.folder(Layout.pictures, of: Site.today))",
                    to: "\(site.root)/favorites", keys: keys)
            }
        }

        /// Expects that the day is the only favorite, recorded and pinned.
        ///
        /// - Returns: Its name in `favorites/`.
        private func favorite(via: Set<String>, in tree: TreeImage) throws -> String {
            let store = ".apod-mirror/favorites/\(Site.today)"
            let record = try JSON(parsing: #require(tree.files["\(store).json"]))
            let names = tree.files.keys.filter { $0.hasPrefix("favorites/") }
            #expect(record["names"] == .array(names.map { .string(String($0.dropFirst(10))) }))
            #expect(via.contains(record["via"]?.string ?? "") && record["missing_since"] == nil)
            let picture = try #require(tree.pictures.first)
            #expect(tree.files["\(store).jpg"] == tree.files[picture])
            #expect(tree.damage == [] && tree.incoming == [])
            return try #require(names.first)
        }
    }
}

extension Site {
    /// Lets another user read the mirror and write to `favorites/`, with a home directory.
    fileprivate func open(to user: Int) throws {
        _ = try Directory(opening: folder).makeDirectory("home")
        for (path, mode) in [(folder, 0o711), ("\(root)/favorites", 0o777), (home, 0o700)] {
            try retryingInterrupts("chmod", path: path) { unsafe chmod(path, mode_t(mode)) }
        }
        try retryingInterrupts("chown", path: home) {
            unsafe chown(home, uid_t(user), gid_t(user))
        }
    }
}
