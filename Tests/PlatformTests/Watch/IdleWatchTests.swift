import Glibc
import Platform
import TestSupport
import Testing

extension WatchTests {
    @Test func anIdleWatchWakesNoThread() async {
        await #expect(processExitsWith: .success) {
            try await withDisk { disk in
                let watch = try disk.watch()
                let scans = Monitor(0)
                Task(executorPreference: ThreadPoolExecutor.shared) {
                    while await watch.nextReason() != nil {
                        _ = try await watch.scan()
                        scans.withLock { $0 += 1 }
                        scans.signal()
                    }
                }
                let _: Bool = scans.wait { $0 > 0 ? true : nil }
                disk.link("favorites/link")
                let _: Bool = scans.wait { $0 > 1 ? true : nil }
                // Waits until idle threads have ended and the last one sleeps.
                usleep(UInt32(ThreadPoolExecutor.idleTimeout / .microseconds(1)) + 500_000)
                let before = sleeps(ofThreads: ["events", "worker"])

                // The measured time: longer than any timer of Swift's own pool.
                usleep(2_500_000)

                #expect(before.count >= 2)
                #expect(sleeps(ofThreads: ["events", "worker"]) == before)
            }
        }
    }

    @Test(.enabled(if: getuid() == 0, "mounts a file system"))
    func aFileSystemMountedOverTheDirectoryIsDetected() async throws {
        try await withDisk { disk in
            let parent = try Directory(opening: disk.path)
            let watch = DirectoryWatcher(of: "favorites", in: parent)
            disk.link("favorites/beneath")
            try await watch.begin()
            let before = try await watch.scan()?.identity

            let path = "\(disk.path)/favorites"
            try #require(unsafe mount("tmpfs", path, "tmpfs", 0, nil) == 0)
            defer { _ = unsafe umount(path) }
            try await watch.scan { $0.isEmpty }
            #expect(try await watch.scan()?.identity != before)
            disk.link("favorites/above")
            try await watch.scan { $0.map(\.path) == ["above"] }
            try #require(unsafe umount(path) == 0)

            try await watch.scan { $0.map(\.path) == ["beneath"] }
            #expect(try await watch.scan()?.identity == before)
        }
    }

    @Test(.enabled(if: getuid() == 0, "mounts file systems"))
    func aBurstOfMountsElsewhereIsNoReasonToScan() async throws {
        try await withDisk { disk in
            let parent = try Directory(opening: disk.path)
            _ = try parent.makeDirectory("elsewhere")
            let watch = DirectoryWatcher(of: "favorites", in: parent)
            try await watch.begin()

            let path = "\(disk.path)/elsewhere"
            for _ in 1...20 {
                try #require(unsafe mount("tmpfs", path, "tmpfs", 0, nil) == 0)
                try #require(unsafe umount(path) == 0)
            }

            #expect(await watch.causesNoReason())
        }
    }
}
