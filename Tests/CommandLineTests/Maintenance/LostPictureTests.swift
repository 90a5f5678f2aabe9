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
        @Test func aDeletedPictureThatNASADoesNotServeIsMissingForRunAndStatus() async throws {
            try await withMirroredSite { site in
                let day = Site.day(4)
                try Directory(opening: site.root).remove(site.picture(of: day))
                site.simulator.inject(.status(500, body: nil), on: .mediaOf(day), times: nil)

                for _ in 1...2 {
                    let ending = try await site.mirror()
                    #expect(ending.code == 3, "\(ending)")
                    #expect(ending.errors.contains("9 of 10 days complete"), "\(ending)")
                    let status = try await site.read("status", "--json")
                    #expect(try status.code == 3 && status.json["complete"] == 9, "\(status)")
                }

                site.simulator.clearFaults()
                #expect(try await site.mirror().code == 0)
                #expect(try await site.read("status").code == 0)
            }
        }

        /// The name begins with the day, as that of a picture.
        @Test(arguments: [true, false])
        func anOriginalThatWasRenamedOrIsGoneBesideACopyComesBack(isRenamed: Bool) async throws {
            try await withMirroredSite { site in
                let root = try Directory(opening: site.root)
                let path = try site.picture(of: Site.day(4))
                let original = try root.read(path)
                let mine = path.replacing(".jpg", with: " at sea.jpg")
                if isRenamed {
                    #expect(unsafe rename("\(root.path)/\(path)", "\(root.path)/\(mine)") == 0)
                } else {
                    try site.write("mine", to: "apod/\(mine)")
                    try root.remove(path)
                }
                let copy = try root.read(mine)
                let status = try await site.read("status")
                #expect(status.code == 3, "\(status)")

                let ending = try await site.mirror()

                #expect(ending.code == 0 && ending.errors.contains("downloaded: 1 "), "\(ending)")
                #expect(try root.read(path) == original && root.read(mine) == copy)
                #expect(try await site.read("status").code == 0)
            }
        }

        @Test func aFavoriteRestoredAfterKeepHasItsPictureWithoutNASA() async throws {
            try await withSite { site in
                let day = Site.day(9)
                #expect(try await site.mirror().code == 0)
                let path = try site.picture(of: day)
                let root = try Directory(opening: site.root)
                let original = try root.read(path)
                #expect(try await site.read("favorites", "add", "\(day)").code == 0)
                #expect(try await site.mirror().code == 0)
                #expect(try await site.read("favorites", "remove", "\(day)").code == 0)
                for _ in 0..<2 { _ = try await site.mirror("--keep", "8d") }
                #expect(try root.status(path) == nil)
                site.simulator.inject(.refuse, on: .any, times: nil)

                let restored = try await site.read("favorites", "restore", "\(day)")

                #expect(restored.code == 0 && restored.output.contains("\(day)"), "\(restored)")
                #expect(try root.read(path) == original)
                #expect(root.target(of: "favorites/\(Layout.split(path).name)") == "../\(path)")
                let list = try await site.read("favorites", "list", "--json")
                #expect(try list.json["favorites"]?.elements.first?["state"] == "kept")
                let offline = try await site.mirror("--keep", "8d")
                #expect(offline.code != 0, "\(offline)")
                #expect(try site.record(of: day)?["picture"]?["removed"]?.string == nil)
                #expect(try await site.read("verify").code == 0)

                site.simulator.clearFaults()
                site.simulator.resetLog()
                #expect(try await site.mirror("--keep", "8d").code == 0)
                #expect(try root.read(path) == original)
                #expect(site.simulator.requests.allSatisfy { $0.kind != .media })
            }
        }

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
