import TestSupport
import Testing

@testable import Platform

/// More events and watches than a queue or an instance keeps.
///
/// They take seconds. Each has a process of its own, with a queue of its own.
@Suite(.watching, .timeLimit(.minutes(10))) struct ManyEventsTests {
    @Test func anOverflowOfTheEventQueueIsAReason() async {
        await #expect(processExitsWith: .success) {
            try await withDisk(inMemory: true) { disk in
                disk.makeDirectory("favorites/a")
                let watch = try disk.watch()
                #expect(await watch.nextReason() == .started)
                _ = try await watch.scan()
                let limits = try Directory(opening: "/proc/sys/fs/inotify")
                let limit = String(
                    decoding: try limits.read("max_queued_events") ?? [], as: UTF8.self)
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
