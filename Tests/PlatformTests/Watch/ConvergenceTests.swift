import Platform
import TestSupport
import Testing

extension WatchTests {
    /// The last scan matches the disk after any changes.
    ///
    /// A reason follows the last change, and no directory is unwatched.
    /// `APOD_MIRROR_OPERATIONS` sets the number of operations, `APOD_MIRROR_SEED` the seed.
    @Test(.timeLimit(.minutes(60)), arguments: [DirectoryWatcher.Debounce.standard, .none])
    func everyChangeIsFoundByTheLastScan(debounce: DirectoryWatcher.Debounce) async throws {
        let variables = processEnvironment()
        let operations = variables["APOD_MIRROR_OPERATIONS"].flatMap { Int($0) } ?? 1500
        let seed = variables["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...9999)
        try await withDisk { disk in
            var user = RandomUser(seed: seed, disk: disk)
            let scanner = BackgroundScanner(disk, debounce: debounce)
            var most = 0
            var states = 0
            while user.count < operations {
                let batch = .random(in: 1...10) * (states % 10 == 0 ? 100 : 1)
                for _ in 0..<batch { user.performOperation() }
                most = max(most, await scanner.scans(untilFound: disk.found()))
                states += 1
                try #require(!scanner.missedChange, "seed \(seed), before operation \(user.count)")
            }
            await scanner.stop()
            print(
                "seed \(seed): \(states) states, \(user.count) operations,"
                    + " at most \(most) scans after the last: \(user.done)")
            #expect(user.done.count == 11)
            #expect(most < 10)
        }
    }
}
