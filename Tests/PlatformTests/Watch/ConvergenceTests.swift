import Platform
import TestSupport
import Testing

extension WatchTests {
    /// Whatever is done, what was found last is what is there: a hint comes after the last change, and no
    /// folder is ever left unwatched. `APOD_MIRROR_OPERATIONS` sets how much is done, `APOD_MIRROR_SEED` what.
    @Test(.timeLimit(.minutes(60))) func everyChangeIsFoundInTheEnd() async throws {
        let variables = processEnvironment()
        let operations = variables["APOD_MIRROR_OPERATIONS"].flatMap { Int($0) } ?? 3000
        let seed = variables["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...9999)
        try await withDisk { disk in
            var user = RandomUser(seed: seed, disk: disk)
            let looker = Looker(disk)
            var most = 0
            for done in stride(from: 0, to: operations, by: 30) {
                for _ in 0..<30 { user.doSomething() }
                most = max(most, await looker.looks(untilFound: disk.found()))
                try #require(!looker.missedSome, "seed \(seed), before operation \(done + 30)")
            }
            await looker.stop()
            let count = user.done.values.reduce(0, +)
            print(
                "seed \(seed): \(operations / 30) states, \(count) of \(operations) operations done,"
                    + " at most \(most) looks after the last: \(user.done)")
            #expect(user.done.count == 11)
            #expect(most < 10)
        }
    }
}
