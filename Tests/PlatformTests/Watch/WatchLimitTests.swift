import CInotifyTools
import Glibc
import Platform
import TestSupport
import Testing

extension WatchTests {
    /// What happens where the kernel does not let a folder be watched.
    @Suite struct Limits {
        /// Expects that the watch polls because of `limit`, and that it listens again after `cure`.
        private static func expectPolling(
            because limit: WatchLimit, hit: (DirectoryWatcher) async throws -> Void,
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
                // What changes meanwhile is found late, but found; an event may come all the same.
                disk.link("favorites/a/another")
                #expect(
                    await watch.nextReason()?.isDisjoint(with: [.unwatched, .changed]) == false)

                // There is no news to be had that would prove anything.
                await watch.ping()
                #expect(await watch.nextReason()?.contains(.pinged) == true)

                try cure()
                try await watch.look { $0.count == 2 }
                #expect(reports.withLock { $0 } == [.polling(limit), .events])
                disk.link("favorites/a/third")
                #expect(try await watch.look { $0.count == 3 } == .changed)
                #expect(await watch.isSilent())
            }
        }

        /// What was looked at is watched; the rest is no reason to look every ten seconds.
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
                    let isComplete = try await watch.scan()?.isComplete
                    #expect(isComplete == false)
                }

                #expect(await watch.isSilent())
                disk.link("favorites/mine")
                #expect(await watch.nextReason() == .changed)
                #expect(await watch.mode == .events && reports.withLock { $0 }.isEmpty)
            }
        }

        @Test(.enabled(if: getuid() == 0, "lowers fs.inotify.max_user_watches"))
        func watchesUsedUp() async throws {
            let path = "/proc/sys/fs/inotify/max_user_watches"
            let old = text(of: path)
            defer { Self.write(old, to: path) }
            try await Self.expectPolling(because: .watches) { watch in
                Self.write("0", to: path)
                defer { Self.write(old, to: path) }
                // It is told of once, however often it is hit.
                for _ in 1...2 {
                    let count = try await watch.scan()?.items.count
                    #expect(count == 1)
                }
            }
        }

        @Test func instancesUsedUp() async throws {
            await #expect(processExitsWith: .success) {
                let taken = Monitor([Int32]())
                try await Self.expectPolling(because: .instances) { watch in
                    // The user's own limit, 128 unless set: given back when this process ends.
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

        @Test(arguments: [true, false]) func descriptorsUsedUp(areHigh: Bool) async throws {
            if areHigh {
                await #expect(processExitsWith: .success) {
                    // The library would abort the process when it waits for a descriptor above 1023.
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
                    // Enough are left to list by, none to watch by.
                    try await Self.expectPolling { takeDescriptors(leaving: 2) }
                }
            }
        }

        @Test func withoutDescriptorsTheWatcherPolls() async throws {
            await #expect(processExitsWith: .success) {
                try await withDisk { disk in
                    let watch = try disk.watch()
                    try await watch.begin()
                    _ = takeDescriptors()

                    await #expect(throws: SystemError.self) { try await watch.scan() }

                    #expect(await watch.mode == .polling(.descriptors))
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

        @Test func aSecondWatcherPollsUntilTheFirstEnds() async throws {
            try await withDisk { disk in
                let other = Monitor(
                    DirectoryWatcher?.some(
                        DirectoryWatcher(of: "outside", in: try Directory(opening: disk.path))))
                try await other.withLock { $0 }?.begin()
                try await Self.expectPolling(because: .inUse) { watch in
                    let count = try await watch.scan()?.items.count
                    #expect(count == 1)
                } cure: {
                    other.withLock { $0 = nil }
                }
            }
        }

        private static func write(_ value: String, to path: String) {
            try? FileDescriptor(opening: path, O_WRONLY).write(Array(value.utf8), path: path)
        }
    }
}
