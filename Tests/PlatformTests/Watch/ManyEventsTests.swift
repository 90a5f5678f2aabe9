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

    /// libinotifytools keeps the path of a watch that has ended, as long as the instance exists.
    @Test func thousandsOfEndedWatchesEndTheirInstanceAndNoChangeIsLost() async {
        await #expect(processExitsWith: .success) {
            try await withDisk(inMemory: true) { disk in
                let watch = try disk.watch()
                for number in 0...4097 { disk.makeDirectory("favorites/\(number)") }
                try await watch.begin()
                #expect(try Self.latestWatch() > 4097)
                for number in 0...4097 { disk.removeFolder("favorites/\(number)") }
                #expect(await watch.nextReason() != nil)
                _ = try await watch.scan()

                _ = try await watch.scan()
                disk.link("favorites/link")

                try await watch.scan { $0.count == 1 }
                #expect(try Self.latestWatch() < 10)
            }
        }
    }

    /// The largest number of a watch of this process, see proc(5); an instance numbers its watches from 1.
    private static func latestWatch() throws -> Int {
        let folder = try Directory(opening: "/proc/self/fd")
        let instances = try folder.textNames().filter {
            folder.target(of: $0) == "anon_inode:inotify"
        }
        let lines = instances.flatMap { instance in
            (FileDescriptor.kernelFile("/proc/self/fdinfo/\(instance)") ?? "").split(
                separator: "\n")
        }
        return lines.compactMap { line in
            line.hasPrefix("inotify wd:")
                ? Int(line.dropFirst("inotify wd:".count).prefix { $0 != " " }, radix: 16) : nil
        }.max() ?? 0
    }
}
