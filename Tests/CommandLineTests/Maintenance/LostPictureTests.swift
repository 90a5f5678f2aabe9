import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Pictures that a person, or `--keep`, took away: exit codes, and what brings them back.
    @Suite(.timeLimit(.minutes(10))) struct LostPictureTests {
        /// As when a person deletes it again while no daemon runs.
        @Test func verifyFindsTheRemovedPictureOfAFavorite() async throws {
            try await withSite { site in
                let day = Site.day(9)
                #expect(try await site.mirror().code == 0)
                let path = try site.picture(of: day)
                let root = try Directory(opening: site.root)
                #expect(try await site.read("favorites", "add", "\(day)").code == 0)
                #expect(try await site.mirror().code == 0)
                let pin = "\(Layout.favoriteStore)/\(day).jpg"
                #expect(try await site.read("favorites", "remove", "\(day)").code == 0)
                for _ in 0..<2 { _ = try await site.mirror("--keep", "8d") }
                #expect(try await site.read("favorites", "restore", "\(day)").code == 0)
                try root.remove(path)

                let found = try await site.read("verify", "\(day)")
                let repaired = try await site.read("verify", "--repair")

                #expect(found.code == 8 && found.output.contains(path), "\(found)")
                #expect(repaired.code == 0, "\(repaired)")
                #expect(try root.read(path) == root.read(pin))
            }
        }
    }
}
