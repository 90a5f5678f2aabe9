import Glibc
import Platform
import Testing

extension WatchTests {
    /// Changes of the watched directory itself.
    @Suite struct WatchedDirectoryTests {
        @Test func aRemovedAndRecreatedDirectoryIsWatched() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                disk.removeFolder("favorites")
                #expect(await watch.nextReason()?.contains(.replaced) == true)
                #expect(try await watch.scan() == nil)

                disk.makeDirectory("favorites")
                #expect(await watch.nextReason()?.contains(.replaced) == true)
                #expect(try await watch.scan()?.items.isEmpty == true)
                disk.link("favorites/link")

                #expect(try await watch.scan { $0.count == 1 } == .changed)
            }
        }

        @Test func aReplacedDirectoryIsWatched() async throws {
            try await withDisk { disk in
                let parent = try Directory(opening: disk.path)
                disk.makeDirectory("outside/new")
                disk.link("outside/new/link")
                let watch = DirectoryWatcher(of: "favorites", in: parent)
                try await watch.begin()
                let old = try await watch.scan()?.identity

                disk.rename("favorites", "outside/old")
                disk.rename("outside/new", "favorites")

                #expect(await watch.nextReason()?.contains(.replaced) == true)
                let listing = try #require(try await watch.scan())
                #expect(listing.identity != old)
                #expect(listing.identity == (try parent.status("favorites")?.identity))
                disk.link("outside/old/link")
                #expect(await watch.causesNoReason())
            }
        }

        /// An unreadable directory has no watch.
        @Test func aDirectoryThatBecomesReadableIsScanned() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()

                disk.setMode("favorites", 0o700)

                #expect(await watch.nextReason()?.contains(.replaced) == true)
            }
        }

        @Test func aLinkInPlaceOfTheDirectoryIsNotFollowed() async throws {
            try await withDisk { disk in
                disk.link("outside/secret")
                let watch = try disk.watch()
                try await watch.begin()
                disk.rename("favorites", "hidden")
                disk.link("favorites", to: "outside")
                #expect(await watch.nextReason()?.contains(.replaced) == true)

                await #expect {
                    try await watch.scan()
                } throws: {
                    ($0 as? SystemError)?.isNotDirectory == true
                }
                #expect(await watch.mode == .events)
                disk.link("outside/another")
                #expect(await watch.causesNoReason())

                disk.unlink("favorites")
                disk.rename("hidden", "favorites")
                disk.link("favorites/link")
                try await watch.scan { $0.count == 1 }
            }
        }

        @Test func changesBesideTheDirectoryCauseNoScan() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()

                disk.write("index.html")
                disk.rename("index.html", "favorites2")
                disk.link("favorite")
                disk.link("outside/link")

                #expect(await watch.causesNoReason())
            }
        }

        @Test(.enabled(if: getuid() == 0, "mounts a file system"))
        func aFileSystemMountedOverTheDirectoryIsDetected() async throws {
            try await withDisk { disk in
                let parent = try Directory(opening: disk.path)
                let watch = DirectoryWatcher(of: "favorites", in: parent)
                disk.link("favorites/beneath")
                try await watch.begin()
                let before = try await watch.scan()?.identity

                let path = "\(disk.path)/favorites"
                try #require(unsafe mount("tmpfs", path, "tmpfs", 0, nil) == 0)
                defer { _ = unsafe umount(path) }
                try await watch.scan { $0.isEmpty }
                #expect(try await watch.scan()?.identity != before)
                disk.link("favorites/above")
                try await watch.scan { $0.map(\.path) == ["above"] }
                try #require(unsafe umount(path) == 0)

                try await watch.scan { $0.map(\.path) == ["beneath"] }
                #expect(try await watch.scan()?.identity == before)
            }
        }

        @Test(.enabled(if: getuid() == 0, "mounts file systems"))
        func aBurstOfMountsElsewhereIsNoReasonToScan() async throws {
            try await withDisk { disk in
                let parent = try Directory(opening: disk.path)
                _ = try parent.makeDirectory("elsewhere")
                let watch = DirectoryWatcher(of: "favorites", in: parent)
                try await watch.begin()

                let path = "\(disk.path)/elsewhere"
                for _ in 1...20 {
                    try #require(unsafe mount("tmpfs", path, "tmpfs", 0, nil) == 0)
                    try #require(unsafe umount(path) == 0)
                }

                #expect(await watch.causesNoReason())
            }
        }
    }
}
