import CInotifyTools
import Glibc
import Platform
import Testing

extension WatchTests {
    /// The watcher polls if the kernel refuses a watch.
    @Suite struct WatchLimitTests {
        /// The scanned part is watched; the rest does not cause polling.
        @Test(arguments: [1, 4])
        func aDirectoryAboveTheLimitIsWatched(maximumNames: Int) async throws {
            try await withDisk { disk in
                for path in ["a", "b", "a/deeper", "b/deeper"] {
                    disk.makeDirectory("favorites/\(path)")
                }
                for number in 0..<5 { disk.link("favorites/a/link \(number)") }
                let reports = Monitor([DirectoryWatcher.Mode]())
                let watch = DirectoryWatcher(
                    of: "favorites", in: try Directory(opening: disk.path),
                    by: ScanRules(maximumNames: maximumNames),
                    timing: .init(quietPeriod: .zero, maximumDelay: .zero)
                ) { mode in reports.withLock { $0.append(mode) } }
                #expect(await watch.nextReason() == .started)
                for _ in 1...2 {
                    let isComplete = try await watch.scan()?.failures.isEmpty
                    #expect(isComplete == false)
                }

                #expect(await watch.causesNoReason())
                disk.link("favorites/mine")
                #expect(await watch.nextReason() == .changed)
                #expect(await watch.mode == .events && reports.withLock { $0 }.isEmpty)
            }
        }

        /// It uses events again as soon as it can.
        @Test func withoutInotifyInstancesTheWatcherPolls() async throws {
            await #expect(processExitsWith: .success) {
                try await withDisk { disk in
                    let reports = Monitor([DirectoryWatcher.Mode]())
                    let watch = DirectoryWatcher(
                        of: "favorites", in: try Directory(opening: disk.path),
                        timing: .init(pollInterval: .milliseconds(50))
                    ) { mode in reports.withLock { $0.append(mode) } }
                    disk.makeDirectory("favorites/a")
                    disk.link("favorites/a/link")
                    #expect(await watch.nextReason() == .started)
                    // The limit of the user, 128 by default.
                    var taken: [Int32] = []
                    while case let instance = inotify_init(), instance >= 0 {
                        taken.append(instance)
                    }

                    #expect(try await watch.scan()?.items.count == 1)

                    #expect(
                        reports.withLock { $0 } == [.polling(.instances, every: .milliseconds(50))])
                    // Polling finds changes late; an event may arrive nevertheless.
                    disk.link("favorites/a/another")
                    #expect(
                        await watch.nextReason()?.isDisjoint(with: [.unwatched, .changed])
                            == false)

                    for instance in taken { close(instance) }
                    try await watch.scan { $0.count == 2 }
                    #expect(
                        reports.withLock { $0 } == [
                            .polling(.instances, every: .milliseconds(50)), .events,
                        ])
                    disk.link("favorites/a/third")
                    #expect(try await watch.scan { $0.count == 3 } == .changed)
                    #expect(await watch.causesNoReason())
                }
            }
        }
    }
}
