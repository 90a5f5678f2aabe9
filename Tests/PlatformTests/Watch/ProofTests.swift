import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    @Suite struct Proof {
        @Test func aPingIsAnsweredAndCausesNoScan() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                for _ in 0..<100 {
                    await watch.ping()
                    #expect(await watch.nextReason() == .pinged)
                }

                #expect(await watch.isSilent())
            }
        }

        /// A disk that sleeps is not woken.
        @Test func aPingModifiesNothing() async throws {
            try await withDisk { disk in
                let parent = try Directory(opening: disk.path)
                var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                unsafe utimensat(AT_FDCWD, "\(disk.path)/favorites", &times, 0)
                let watch = DirectoryWatcher(of: "favorites", in: parent)
                try await watch.begin()

                await watch.ping()

                #expect(await watch.nextReason() == .pinged)
                #expect(try parent.status("favorites")?.modified == 1)
            }
        }

        /// Others may look at the folder without waking anybody.
        @Test func opensAreWatchedDuringThePingOnly() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                await watch.ping()
                #expect(await watch.nextReason() == .pinged)

                #expect(names(in: "\(disk.path)/favorites") == [])
                disk.write("favorites/copy.jpg")

                #expect(await watch.nextReason() == .changed)
                #expect(await watch.isSilent())
            }
        }

        /// Without a watch no news comes: that is what it finds out.
        @Test func aPingWithoutAWatchIsNotAnswered() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                _ = await watch.nextReason()
                await watch.ping()

                #expect(await watch.isSilent())
            }
        }

        @Test func aChangeAtTheSameTimeIsNotLost() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                disk.link("favorites/link")
                await watch.ping()

                let reason = await watch.nextReason() ?? []
                #expect(reason.contains(.changed))
                #expect(reason.contains(.pinged))
            }
        }

        /// Another folder has its name, perhaps its inode too: of what happens there no news would come.
        @Test(arguments: [true, false])
        func aPingOfAReplacedDirectoryIsNotAnswered(isRemoved: Bool) async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                if isRemoved {
                    disk.removeFolder("favorites")
                } else {
                    disk.rename("favorites", "former")
                }
                disk.makeDirectory("favorites")

                await watch.ping()

                let reason = await watch.nextReason() ?? []
                #expect(reason.contains(.replaced) && !reason.contains(.pinged))
                _ = try await watch.scan()
                await watch.ping()
                #expect(await watch.nextReason() == .pinged)
            }
        }

        /// Where there is no news to be had, the answer comes without: nothing is wrong with the watch.
        @Test func aPingWithoutADirectoryIsAnsweredAtOnce() async throws {
            try await withDisk { disk in
                disk.removeFolder("favorites")
                let watch = try disk.watch()
                _ = await watch.nextReason()
                _ = try await watch.scan()
                await watch.ping()

                #expect(await watch.nextReason()?.contains(.pinged) == true)
            }
        }
    }
}
