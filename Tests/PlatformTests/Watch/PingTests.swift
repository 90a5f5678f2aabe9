import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    @Suite struct PingTests {
        @Test func aPingIsAnsweredAndCausesNoScan() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                for _ in 0..<100 {
                    await watch.ping()
                    #expect(await watch.nextReason() == .pinged)
                }

                #expect(await watch.causesNoReason())
            }
        }

        /// A sleeping disk is not woken.
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

        /// Other processes may open the directory without waking the daemon.
        @Test func opensAreWatchedDuringThePingOnly() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()
                await watch.ping()
                #expect(await watch.nextReason() == .pinged)

                #expect(names(in: "\(disk.path)/favorites") == [])
                disk.write("favorites/copy.jpg")

                #expect(await watch.nextReason() == .changed)
                #expect(await watch.causesNoReason())
            }
        }

        /// Without a watch no event arrives, which a ping detects.
        @Test func aPingWithoutAWatchIsNotAnswered() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                _ = await watch.nextReason()
                await watch.ping()

                #expect(await watch.causesNoReason())
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

        /// Another directory has the name, perhaps the inode too: it would cause no events.
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

        /// Without a directory there are no events, and the watcher works as intended.
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
