import Favorites
import FavoritesModel
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Service

/// Whatever is done while the favorites are kept, the records come to be what the rules say.
@Suite(.serialized, .watching) struct FavoritesServiceTests {
    /// `APOD_MIRROR_OPERATIONS` sets how much is done, `APOD_MIRROR_SEED` what.
    static let operations =
        processEnvironment()["APOD_MIRROR_OPERATIONS"].flatMap { Int($0) } ?? 1500
    static let seed =
        processEnvironment()["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...99_999)

    @Test(.timeLimit(.minutes(600))) func everyChangeIsDelivered() async throws {
        try await expectNoDifference(bursts: 1...60)
    }

    /// A look is due when a missed link may be believed gone; nothing else tells of that moment.
    @Test(.timeLimit(.minutes(1))) func missingDaysAreRetried() async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (outcomes, continuation) = AsyncStream.makeStream(of: ReconcileOutcome.self)
            // From one look to the next it is nearly a minute.
            let seconds = Monitor(0.0)
            let keeper = FavoritesService(
                tree: trial.tree, spellings: [], wanted: WantedDays(),
                log: Log(threshold: .error, environment: [:]),
                uptime: {
                    let time = seconds.withLock { seconds in
                        seconds += 59.95
                        return seconds
                    }
                    return Uptime(boot: "this", milliseconds: Int(time * 1000))
                }, didReconcile: { continuation.yield($1) })
            let task = Task(executorPreference: ThreadPoolExecutor.shared) { await keeper.run() }
            defer { task.cancel() }
            let link = Operation.make(.link(.absolute(Script.days[0])), at: "favorites/x")
            _ = try await trial.perform(link)
            for await outcome in outcomes where !outcome.favorites.isEmpty { break }

            _ = try await trial.perform(.remove("favorites/x"))
            for await outcome in outcomes where outcome.nextScan != nil { break }
            // Too early, by a moment.
            keeper.requestScan()

            for await outcome in outcomes where !outcome.removed.isEmpty { break }
            let recorded = try trial.recorded()
            // The next test gets the one watch of the process.
            task.cancel()
            await task.value
            #expect(recorded.isEmpty)
        }
    }

    /// Nothing changes in the folder itself, and nobody asks for a look.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func aRequestStartsASyncAtOnce(isFolderReplaced: Bool) async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (outcomes, continuation) = AsyncStream.makeStream(of: ReconcileOutcome.self)
            let keeper = FavoritesService(
                tree: trial.tree, spellings: [], wanted: WantedDays(),
                log: Log(threshold: .error, environment: [:]),
                // No absence is ever long enough to be believed.
                uptime: { Uptime(boot: "this", milliseconds: 1000) },
                didReconcile: { continuation.yield($1) })
            let task = Task(executorPreference: ThreadPoolExecutor.shared) { await keeper.run() }
            defer { task.cancel() }
            let (kept, other) = (Script.days[0], Script.days[1])
            _ = try await trial.perform(.make(.link(.absolute(kept)), at: "favorites/x"))
            for await outcome in outcomes where outcome.favorites[kept] != nil { break }
            if isFolderReplaced {
                try trial.tree.root.rename(
                    FavoriteStore.requests, to: trial.tree.root, as: "elsewhere")
                _ = try trial.tree.root.makeDirectory(FavoriteStore.requests)
                _ = try await trial.perform(.make(.link(.absolute(other)), at: "favorites/y"))
                for await outcome in outcomes where outcome.favorites[other] != nil { break }
            }

            _ = try await trial.perform(.remove("favorites/x"))
            for await outcome in outcomes where outcome.favorites[kept]?.isMissing == true { break }

            try FavoriteStore(tree: trial.tree).requestForget(kept)

            for await outcome in outcomes where outcome.favorites[kept] == nil { break }
            let record = try FavoriteStore(tree: trial.tree).contents().favorites[kept]
            task.cancel()
            await task.value
            #expect(record == nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theLastLogLineOfAFavoriteIsItsState() async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (lines, seconds) = (Monitor([String]()), Monitor(0))
            let keeper = FavoritesService(
                tree: trial.tree, spellings: [], wanted: WantedDays(),
                log: Log(environment: [:], output: { line in lines.withLock { $0.append(line) } }),
                uptime: { Uptime(boot: "this", milliseconds: seconds.withLock { $0 } * 1000) })
            let day = Script.days[0]
            for isThere in [true, false, true, false, true] {
                _ = try await trial.perform(
                    isThere
                        ? .make(.link(.absolute(day)), at: "favorites/x") : .remove("favorites/x"))
                await keeper.scanOnce()
                seconds.withLock { $0 += 61 }
                await keeper.scanOnce()
            }

            let words = lines.withLock { $0.filter { $0.contains("\(day)") } }
            #expect(words.count == 5, "\(words)")
            #expect(Set(words).count == 2 && words.first == words.last && words[0] != words[1])
        }
    }

    /// The kernel remembers sixteen events.
    @Test(
        .timeLimit(.minutes(600)),
        .enabled(if: getuid() == 0, "lowers fs.inotify.max_queued_events"))
    func everyChangeIsKeptWhereTheKernelForgets() async throws {
        let setting = try KernelSetting("fs/inotify/max_queued_events")
        let overflows = try await expectNoDifference(
            bursts: 100...300, of: 3 * Self.operations, with: setting)
        #expect(overflows > 0)
    }

    /// - Returns: How often events were lost.
    @discardableResult
    private func expectNoDifference(
        bursts: ClosedRange<Int>, of operations: Int = operations,
        with setting: KernelSetting? = nil
    ) async throws -> Int {
        try await withTemporaryFolder(inMemory: true) { root in
            // The length of the queue is read when the instance is made.
            let trial = try await setting.set("16") {
                let trial = try WatchedTrial(root: root, seed: Self.seed)
                await trial.begin()
                return trial
            }
            var lines: [String] = []
            var rounds = 0
            while lines.isEmpty, trial.operations < operations {
                rounds += 1
                lines = try await trial.burst(of: bursts)
                for _ in 0..<3 where lines.isEmpty { lines = try await trial.step() }
            }
            await trial.stop()
            print(
                "seed \(Self.seed): \(trial.operations) operations in \(rounds) rounds,"
                    + " \(trial.count) looks, \(trial.overflows) overflows")
            #expect(lines == [], "APOD_MIRROR_SEED=\(Self.seed), round \(rounds)")
            return trial.overflows
        }
    }
}
