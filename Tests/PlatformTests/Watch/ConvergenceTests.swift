import Platform
import TestSupport
import Testing

extension WatchTests {
    /// Whatever is done, what was found last is what is there.
    ///
    /// A reason comes after the last change, and no folder is ever left unwatched.
    /// `APOD_MIRROR_OPERATIONS` sets how much is done, `APOD_MIRROR_SEED` what.
    @Test(.timeLimit(.minutes(60)), arguments: [DirectoryWatcher.Debounce.standard, .none])
    func everyChangeIsFoundByTheLastScan(debounce: DirectoryWatcher.Debounce) async throws {
        let variables = processEnvironment()
        let operations = variables["APOD_MIRROR_OPERATIONS"].flatMap { Int($0) } ?? 3000
        let seed = variables["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...9999)
        try await withDisk { disk in
            var user = RandomUser(seed: seed, disk: disk)
            let looker = Looker(disk, debounce: debounce)
            var most = 0
            var states = 0
            while user.count < operations {
                let batch = .random(in: 1...10) * (states % 10 == 0 ? 100 : 1)
                for _ in 0..<batch { user.doSomething() }
                most = max(most, await looker.looks(untilFound: disk.found()))
                states += 1
                try #require(!looker.missedSome, "seed \(seed), before operation \(user.count)")
            }
            await looker.stop()
            print(
                "seed \(seed): \(states) states, \(user.count) operations,"
                    + " at most \(most) looks after the last: \(user.done)")
            #expect(user.done.count == 11)
            #expect(most < 10)
        }
    }
}
