import APOD
import Mirror
import Platform
import Testing

extension WholeProgram {
    /// A reported favorite survives a power cut, as the order of the calls shows.
    ///
    /// That its bytes are on the disk before its name: `PublicationOrderTests`.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Trace.isPossible)) struct DurabilityTests {
        /// One by one, and many at once.
        @Test(arguments: [1, 25])
        func aFavoriteIsReportedAfterItIsOnDisk(count: Int) async throws {
            try await withSite(days: 30) { site in
                #expect(try await site.mirror("--since", "30d").code == 0)
                try link(count, in: site)
                let calls = try await calls(site)

                let named = calls.lastIndex { $0.isNew(in: "/.apod-mirror/favorites>") }
                let settled = calls.lastIndex {
                    $0.contains(" fsync(") && $0.contains("/.apod-mirror/favorites>)")
                }
                let reported = try #require(calls.firstIndex { $0.contains("added to favorites") })
                #expect(try #require(named) < #require(settled))
                #expect(try #require(settled) < reported)
                // Syncing one by one would take a minute for ten thousand.
                let syncs = calls[..<reported].count { $0.contains("sync") }
                #expect(count < 25 || syncs < 20)
            }
        }

        /// Creates links to `count` pictures.
        private func link(_ count: Int, in site: Site) throws {
            let root = try Directory(opening: site.root)
            let favorites = try root.makeDirectory(Layout.favorites)
            let pictures = try site.tree().pictures
            try #require(pictures.count >= count)
            for (number, picture) in pictures.prefix(count).enumerated() {
                try favorites.symlink("\(number)", to: "../\(picture)")
            }
        }

        /// The calls of a run that finds the links, in their order.
        private func calls(_ site: Site) async throws -> [String] {
            let file = "\(site.folder)/calls"
            let strace = Trace.prefix(
                to: file, tracing: "fsync,syncfs,renameat,renameat2,linkat,write")
            let words =
                [Program.path, "run", "--once"] + site.settings()
                + ["--since", "30d", "--thumbnails", "no"]
            #expect(try await site.command(strace + words).code == 0)
            return try Trace(of: file).calls(on: "")
        }
    }
}

extension String {
    /// Whether the call gives something a name in `folder`.
    fileprivate func isNew(in folder: String) -> Bool {
        (contains(" renameat(") || contains(" linkat(")) && contains("\(folder), \"")
    }
}
