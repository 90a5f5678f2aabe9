import Testing

@testable import Platform

/// More events and watches than a queue or an instance keeps.
///
/// They take seconds. Each has a process of its own, with an instance of inotify of its own, and so runs beside the others
/// instead of taking a turn with ``WatchTests``.
@Suite(.timeLimit(.minutes(10))) struct ManyEventsTests {
    @Test func theInstanceIsReplacedBeforeEndedWatchesAccumulate() async {
        await #expect(processExitsWith: .success) {
            try await withDisk(inMemory: true) { disk in
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

    @Test func anOverflowOfTheEventQueueIsAReason() async {
        await #expect(processExitsWith: .success) {
            try await withDisk(inMemory: true) { disk in
                disk.makeDirectory("favorites/a")
                let watch = try disk.watch()
                #expect(await watch.nextReason() == .started)
                _ = try await watch.scan()
                let limit = text(of: "/proc/sys/fs/inotify/max_queued_events")
                let length = try #require(Int(limit.filter(\.isNumber)))

                // Nothing reads the queue until a task waits.
                for number in 0...length { disk.link("favorites/a/\(number)") }

                #expect(await watch.nextReason()?.contains(.overflow) == true)
                #expect(try await watch.scan()?.items.count == length + 1)
                disk.link("favorites/a/last")
                #expect(await watch.nextReason() == .changed)
                #expect(try await watch.scan()?.items.count == length + 2)
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
