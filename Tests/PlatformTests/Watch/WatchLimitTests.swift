import CInotifyTools
import Glibc
import Platform
import TestSupport
import Testing

extension WatchTests {
    /// The watcher polls if the kernel refuses a watch.
    @Suite struct WatchLimitTests {
        /// Expects that the watcher polls because of `limit`, and uses events again after `cure`.
        private static func expectPolling(
            because limit: WatchObstacle, hit: (DirectoryWatcher) async throws -> Void,
            cure: () throws -> Void = {}
        ) async throws {
            try await withDisk { disk in
                let reports = Monitor([DirectoryWatcher.Mode]())
                let watch = DirectoryWatcher(
                    of: "favorites", in: try Directory(opening: disk.path),
                    pollingEvery: .milliseconds(50)
                ) { mode in reports.withLock { $0.append(mode) } }
                disk.makeDirectory("favorites/a")
                disk.link("favorites/a/link")
                #expect(await watch.nextReason() == .started)

                try await hit(watch)

                #expect(reports.withLock { $0 } == [.polling(limit)])
                // Polling finds changes late; an event may arrive nevertheless.
                disk.link("favorites/a/another")
                #expect(
                    await watch.nextReason()?.isDisjoint(with: [.unwatched, .changed]) == false)

                try cure()
                try await watch.scan { $0.count == 2 }
                #expect(reports.withLock { $0 } == [.polling(limit), .events])
                disk.link("favorites/a/third")
                #expect(try await watch.scan { $0.count == 3 } == .changed)
                #expect(await watch.causesNoReason())
            }
        }

        /// The scanned part is watched; the rest does not cause polling.
        @Test(arguments: [
            ScanRules(items: 2), ScanRules(folders: 2), ScanRules(bytes: 20),
            ScanRules(pathLength: 5),
        ])
        func aDirectoryAboveTheLimitsIsWatched(rules: ScanRules) async throws {
            try await withDisk { disk in
                for path in ["a", "b", "a/deeper", "b/deeper"] {
                    disk.makeDirectory("favorites/\(path)")
                }
                for number in 0..<5 { disk.link("favorites/a/link \(number)") }
                let reports = Monitor([DirectoryWatcher.Mode]())
                let watch = DirectoryWatcher(
                    of: "favorites", in: try Directory(opening: disk.path), by: rules,
                    debounce: .none
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

        @Test func withoutInotifyInstancesTheWatcherPolls() async throws {
            await #expect(processExitsWith: .success) {
                let taken = Monitor([Int32]())
                try await Self.expectPolling(because: .instances) { watch in
                    // The limit of the user, 128 by default; closed when this process ends.
                    taken.withLock { taken in
                        while case let instance = inotify_init(), instance >= 0 {
                            taken.append(instance)
                        }
                    }
                    let count = try await watch.scan()?.items.count
                    #expect(count == 1)
                } cure: {
                    taken.withLock { for instance in $0 { close(instance) } }
                }
            }
        }

        @Test(arguments: [true, false]) func withFewDescriptorsTheWatcherPolls(
            areHigh: Bool
        ) async throws {
            if areHigh {
                await #expect(processExitsWith: .success) {
                    // The library would abort the process for a descriptor above 1023.
                    try await Self.expectPolling {
                        var limits = rlimit(rlim_cur: 4096, rlim_max: 4096)
                        unsafe setrlimit(__rlimit_resource_t(7), &limits)
                        var taken: [Int32] = []
                        while case let copy = dup(0), copy >= 0, copy < 1024 {
                            taken.append(copy)
                        }
                        return taken
                    }
                }
            } else {
                await #expect(processExitsWith: .success) {
                    // Enough descriptors remain for listing, and none for watching.
                    try await Self.expectPolling { takeDescriptors(leaving: 2) }
                }
            }
        }

        private static func expectPolling(
            taking take: @escaping @Sendable () -> [Int32]
        ) async throws {
            let taken = Monitor([Int32]())
            try await expectPolling(because: .descriptors) { watch in
                taken.withLock { $0 = take() }
                let count = try await watch.scan()?.items.count
                #expect(count == 1)
            } cure: {
                taken.withLock { for copy in $0 { close(copy) } }
            }
        }
    }
}
