import Glibc
import Platform
import Testing

extension WholeProgram {
    /// A link in `wallpapers/` that is gone means “never this one”, if a person deleted it.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct WallpaperKillTests {
        @Test func aLinkThatTheMirrorRemovedBeforeItsEndIsMadeAgain() async throws {
            try await withSite(days: 3, inMemory: true) { site in
                let shim = try await FaultShim(for: site)
                func sync(
                    links: Int, _ environment: [String: String] = [:]
                ) async throws -> Ending {
                    try await site.mirror(
                        "--since", "3d", "--wallpaper-size", "48x32", "--wallpapers", "\(links)",
                        environment: environment)
                }
                func links() throws -> Int {
                    try Directory(opening: site.root).folder("wallpapers")?.names().count ?? 0
                }
                /// Makes all links, in a table that intends no removal, and then runs the removal of two.
                func removeTwo(_ environment: [String: String]) async throws {
                    for count in [1, 3] { #expect(try await sync(links: count).code == 0) }
                    _ = try await sync(links: 1, environment)
                }
                try await removeTwo(shim.variables(.kill, at: -1))
                let calls = shim.calls
                // What is removed after a first file was published.
                let start = try #require(calls.firstIndex(of: "renameat"))

                var left: Set<Int> = []
                var lastWithAll = 0
                for index in calls.indices[start...] where calls[index] == "unlinkat" {
                    // Before the next call, as these are counted from 1.
                    try await removeTwo(shim.variables(.kill, at: index + 2))
                    left.insert(try links())
                    if try links() == 3 { lastWithAll = index + 2 }

                    #expect(try await sync(links: 3).code == 0)
                    #expect(try links() == 3, "\(index)")
                }
                // A process ended after the first of two removals, and after the second.
                #expect(left.isSuperset(of: [1, 2]), "\(left) \(calls)")

                // After an end before the first removal, a link that a person deletes is not made again.
                try await removeTwo(shim.variables(.kill, at: lastWithAll))
                #expect(try await sync(links: 3).code == 0)
                let folder = try #require(try Directory(opening: site.root).folder("wallpapers"))
                try folder.remove(try #require(try folder.textNames().first))
                #expect(try await sync(links: 3).code == 0)
                #expect(try links() == 2)
            }
        }
    }
}
