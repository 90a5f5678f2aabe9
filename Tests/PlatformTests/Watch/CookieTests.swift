import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    @Suite struct Proof {
        @Test func theNewsOfTheCookieComesAndIsNoReasonToLook() async throws {
            try await withDisk { disk in
                let watch = FolderWatch(of: "favorites", in: try Folder(opening: disk.path))
                try await watch.begin()
                for _ in 0..<100 {
                    await watch.prove()
                    #expect(await watch.nextHint() == .proven)
                }

                #expect(await watch.isSilent())
                #expect(names(in: "\(disk.path)/favorites") == [])
            }
        }

        /// Without a watch no news comes: that is what the cookie finds out.
        @Test func withoutAWatchThereIsNoNews() async throws {
            try await withDisk { disk in
                let watch = FolderWatch(of: "favorites", in: try Folder(opening: disk.path))
                _ = await watch.nextHint()
                await watch.prove()

                #expect(await watch.isSilent())
            }
        }

        @Test func aChangeAtTheSameTimeIsNotLost() async throws {
            try await withDisk { disk in
                let watch = FolderWatch(of: "favorites", in: try Folder(opening: disk.path))
                try await watch.begin()
                disk.link("favorites/link")
                await watch.prove()

                let hint = await watch.nextHint() ?? []
                #expect(hint.contains(.changed))
                #expect(hint.contains(.proven))
            }
        }

        enum Obstacle: CaseIterable {
            case left, folder, fifo, link, noFolder
        }

        /// Where there is no news to be had, the answer comes without: nothing is wrong with the watch.
        @Test(arguments: Obstacle.allCases)
        func whatIsInItsPlaceIsNoHarm(obstacle: Obstacle) async throws {
            try await withDisk { disk in
                let cookie: Path = "favorites/.apod-mirror-cookie"
                switch obstacle {
                case .left: disk.write(cookie)
                case .folder: disk.makeFolder(cookie)
                case .fifo: #expect(unsafe mkfifo("\(disk.path)/\(cookie)", 0o600) == 0)
                case .link: disk.link(cookie, to: "/tmp")
                case .noFolder: disk.removeFolder("favorites")
                }
                let watch = FolderWatch(of: "favorites", in: try Folder(opening: disk.path))
                _ = await watch.nextHint()
                _ = try await watch.list()
                await watch.prove()

                #expect(await watch.nextHint()?.contains(.proven) == true)
                let left = obstacle == .folder ? [".apod-mirror-cookie"] : []
                #expect(names(in: "\(disk.path)/favorites") == left)
            }
        }
    }
}
