import APOD
import Mirror
import Platform
import Testing

extension WholeProgram {
    /// A reported favorite survives a power cut, as the order of the calls shows.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Trace.isPossible)) struct DurabilityTests {
        /// One by one, and many at once.
        @Test(arguments: [1, 25])
        func aFavoriteIsReportedAfterItIsOnDisk(count: Int) async throws {
            try await withSite(days: 30) { site in
                #expect(try await site.mirror("--since", "30d").code == 0)
                try link(count, in: site)
                let calls = try await calls(site)

                let records = calls.indices.filter {
                    calls[$0].isRename(of: "favorite ", ".json\"")
                }
                #expect(records.count == count)
                for index in records {
                    let draft = try #require(calls[index].quoted.first)
                    let isWritten = calls[..<index].contains {
                        $0.contains(" syncfs(")
                            || $0.contains(" fsync(") && $0.contains("/\(draft)>")
                    }
                    #expect(isWritten, "\(draft) has its name before its bytes are on the disk")
                }
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
            let strace = [
                "strace", "-f", "-y", "-s", "4096", "-o", file, "-e",
                "trace=fsync,syncfs,renameat,renameat2,linkat,write",
            ]
            let words =
                [Program.path, "run", "--once"] + site.settings()
                + ["--since", "30d", "--thumbnails", "no"]
            #expect(try await site.command(strace + words).code == 0)
            return try Trace(of: file).calls(on: "")
        }
    }
}

extension String {
    /// The texts in quotes.
    fileprivate var quoted: [Substring] {
        split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map(\.element)
    }

    fileprivate func isRename(of start: String, _ end: String) -> Bool {
        contains(" renameat(") && quoted.first?.hasPrefix(start) == true && contains(end)
    }

    /// Whether the call gives something a name in `folder`.
    fileprivate func isNew(in folder: String) -> Bool {
        (contains(" renameat(") || contains(" linkat(")) && contains("\(folder), \"")
    }
}
