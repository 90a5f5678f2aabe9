import CInotifyTools
import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    /// The pitfalls of libinotifytools.
    @Suite struct InotifyTests {
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
