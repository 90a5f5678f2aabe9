import CInotifyTools
import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    /// The pitfalls of libinotifytools.
    @Suite struct InotifyTests {
        @Test func theDescriptorOfAnInstanceIsFound() throws {
            let inotify = try Inotify()

            #expect(fcntl(inotify.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(inotify.descriptor, F_GETFL) & O_NONBLOCK != 0)
            #expect(openInotifies() == ["anon_inode:inotify"])
        }

        @Test func oneInstanceExistsAtATime() throws {
            let first = try Inotify()
            #expect(throws: WatchObstacle.inUse) { try Inotify() }
            withExtendedLifetime(first) {}
        }

        @Test func anInstanceReturnsNoEventOfAnEarlierOne() async throws {
            try await withDisk { disk in
                let folder = try Directory(opening: disk.path)
                do {
                    let inotify = try Inotify()
                    _ = try inotify.watch(folder.descriptor.rawValue, for: .named)
                    for number in 0..<5 { disk.makeDirectory("favorites\(number)") }
                    #expect(inotify.next()?.name == Array("favorites0".utf8))
                }

                #expect(try Inotify().next() == nil)
            }
        }

        @Test func eventsAreCopiesOfTheReusedBuffer() async throws {
            try await withDisk { disk in
                let inotify = try Inotify()
                let folder = try #require(try Directory(opening: disk.path).folder("favorites"))
                _ = try inotify.watch(folder.descriptor.rawValue, for: .named)
                disk.makeDirectory("favorites/one")
                let one = inotify.next()
                disk.makeDirectory("favorites/two")
                let two = inotify.next()

                #expect(one?.name == Array("one".utf8))
                #expect(two?.name == Array("two".utf8))
                #expect(two?.kinds.contains(.folder) == true)
                #expect(inotify.next() == nil)
            }
        }

        @Test func aDirectoryIsWatchedOnce() async throws {
            try await withDisk { disk in
                let inotify = try Inotify()
                let folder = try Directory(opening: disk.path)
                let again = try Directory(opening: "\(disk.path)/favorites/..")

                #expect(try inotify.watch(folder.descriptor.rawValue, for: .named) != nil)
                #expect(try inotify.watch(again.descriptor.rawValue, for: .named) == nil)
            }
        }

        /// The library would return the watch of the deleted directory with the same path.
        @Test func aRecreatedDirectoryHasANewWatch() async throws {
            try await withDisk { disk in
                let inotify = try Inotify()
                let parent = try Directory(opening: disk.path)
                var watches: Set<Int32> = []
                for _ in 0..<100 {
                    let folder = try #require(try parent.folder("favorites"))
                    let watch = try #require(
                        try inotify.watch(folder.descriptor.rawValue, for: .named))
                    #expect(watches.insert(watch).inserted)

                    disk.makeDirectory("favorites/a")
                    let events = AnyIterator { inotify.next() }.filter { !$0.name.isEmpty }
                    #expect(events.last?.watch == watch)
                    disk.removeFolder("favorites/a")
                    disk.removeFolder("favorites")
                    disk.makeDirectory("favorites")
                }
            }
        }

        @Test func theWatchOfADirectoryThatWasMovedOutIsRemoved() async throws {
            try await withDisk { disk in
                let parent = try Directory(opening: disk.path)
                let tree = try WatchedTree(of: "favorites")
                disk.makeDirectory("favorites/a")
                for _ in 1...2 {
                    tree.beginScan(in: parent)
                    _ = try parent.listing(of: "favorites") { tree.watch($0, $1) }
                    tree.endScan()
                    disk.rename("favorites/a", "outside/a")
                }

                _ = tree.readEvents()
                #expect(tree.count == 1)
                #expect(tree.endedCount == 1)
            }
        }

        @Test func theEndedWatchOfAReplacedDirectoryOfRequestsIsCounted() async throws {
            try await withDisk { disk in
                let parent = try Directory(opening: disk.path)
                let tree = try WatchedTree(of: "favorites", beside: "requests")
                for number in 1...3 {
                    disk.makeDirectory("requests")
                    tree.beginScan(in: parent)
                    tree.endScan()
                    disk.rename("requests", "outside/\(number)")
                }

                _ = tree.readEvents()
                #expect(tree.endedCount == 2)
            }
        }

        @Test func theInstanceIsReplacedBeforeEndedWatchesAccumulate() async throws {
            try await withDisk { disk in
                let watch = try disk.watch(debounce: .none)
                try await watch.begin()
                var highest = 0
                for round in 0..<WatchedTree.maximumEndedCount + 500 {
                    disk.makeDirectory("favorites/\(round)")
                    _ = await watch.nextReason()
                    _ = try await watch.scan()
                    highest = max(highest, highestWatch())
                    disk.removeFolder("favorites/\(round)")
                }
                disk.link("favorites/link")

                try await watch.scan { $0.count == 1 }
                #expect(highest <= WatchedTree.maximumEndedCount + 10)
                #expect(highest >= WatchedTree.maximumEndedCount - 10)
            }
        }
    }
}

/// The highest watch descriptor in use; see proc_pid_fdinfo(5).
private func highestWatch() -> Int {
    let folder = try? Directory(opening: "/proc/self/fd")
    let number = names(in: "/proc/self/fd").first {
        folder?.target(of: $0)?.contains("inotify") == true
    }
    let watches = text(of: "/proc/self/fdinfo/\(number ?? "")").matches(of: #/wd:([0-9a-f]+)/#)
    return watches.compactMap { Int($0.1, radix: 16) }.max() ?? 0
}
