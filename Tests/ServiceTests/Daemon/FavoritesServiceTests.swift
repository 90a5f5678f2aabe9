import Favorites
import FavoritesModel
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Service

/// The records converge to the model, whatever a user does while the service runs.
@Suite(.serialized, .watching) struct FavoritesServiceTests {
    /// `APOD_MIRROR_OPERATIONS` sets the number of operations, for “make test-machine” 3,000; `APOD_MIRROR_SEED` the seed.
    static let operations =
        processEnvironment()["APOD_MIRROR_OPERATIONS"].flatMap { Int($0) } ?? 500
    static let seed =
        processEnvironment()["APOD_MIRROR_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...99_999)

    @Test(.timeLimit(.minutes(600))) func everyChangeIsRecorded() async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try WatchedTrial(root: root, seed: Self.seed)
            await trial.waitForFirstScan()
            var lines: [String] = []
            var rounds = 0
            while lines.isEmpty, trial.operations < Self.operations {
                rounds += 1
                lines = try await trial.runBurst(of: 1...60)
                for _ in 0..<3 where lines.isEmpty { lines = try await trial.runStep() }
            }
            await trial.stop()
            print(
                "seed \(Self.seed): \(trial.operations) operations in \(rounds) rounds,"
                    + " \(trial.count) scans")
            #expect(lines == [], "APOD_MIRROR_SEED=\(Self.seed), round \(rounds)")
        }
    }

    /// Whether the name of an item in a removed folder stays depends on a scan before a link takes the folder's place: the
    /// model accepts both.
    @Test(arguments: [false, true])
    func theModelAcceptsAScanBetweenTwoOperations(isScanned: Bool) async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let service = FavoritesService(
                of: try Store(besideWriterOf: trial.tree),
                log: Log(threshold: .error, environment: [:]),
                now: trial.now,
                uptime: trial.uptime)
            let link = Thing.link(.absolute(Script.days[0]))
            _ = try await trial.perform(.makeDirectory("favorites/a"))
            _ = try await trial.perform(.make(link, at: "favorites/a/x"))
            _ = try await trial.perform(.make(link, at: "favorites/b"))
            trial.scanModel()
            await service.scanOnce()

            _ = try await trial.perform(.remove("favorites/a"))
            if isScanned { await service.scanOnce() }
            _ = try await trial.perform(.make(.link(.nowhere), at: "favorites/a"))
            trial.scanModel()
            await service.scanOnce()

            try trial.copyUnobservedState()
            #expect(try trial.differences() == [])
        }
    }

    /// A scan is due at the end of the grace period, without any event.
    @Test(.timeLimit(.minutes(10))) func aMissingFavoriteIsRemovedByTheNextScanThatIsDue()
        async throws
    {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (outcomes, continuation) = AsyncStream.makeStream(of: ReconcileOutcome.self)
            // Scans are nearly a minute apart.
            let seconds = Monitor(0.0)
            let service = FavoritesService(
                of: try Store(besideWriterOf: trial.tree),
                log: Log(threshold: .error, environment: [:]),
                uptime: {
                    let time = seconds.withLock { seconds in
                        seconds += 59.95
                        return seconds
                    }
                    return Uptime(boot: "this", milliseconds: Int(time * 1000))
                },
                notify: { if case .reconciled(_, let outcome) = $0 { continuation.yield(outcome) } }
            )
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            defer { task.cancel() }
            let link = Operation.make(.link(.absolute(Script.days[0])), at: "favorites/x")
            _ = try await trial.perform(link)
            for await outcome in outcomes where !outcome.favorites.isEmpty { break }

            _ = try await trial.perform(.remove("favorites/x"))
            for await outcome in outcomes where outcome.timeUntilNextScan != nil { break }
            // Slightly before the end of the grace period.
            service.requestScan()

            for await outcome in outcomes where !outcome.removed.isEmpty { break }
            let recorded = try trial.recorded()
            // The next test needs the only inotify instance of the process.
            task.cancel()
            _ = await task.result
            #expect(recorded.isEmpty)
        }
    }

    /// With a new link and another file in `favorites/`, as on a full disk: the scan reads no file before the link is recorded,
    /// and is to be continued at once.
    @Test(.timeLimit(.minutes(10))) func whatCannotBeRecordedIsNotTriedAgainAtOnce() async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (scans, continuation) = AsyncStream.makeStream(
                of: (RescanReason, ReconcileOutcome).self)
            let service = FavoritesService(
                of: try Store(besideWriterOf: trial.tree),
                log: Log(threshold: .error, environment: [:], output: { _ in }),
                notify: {
                    guard case .reconciled(let reasons, let outcome) = $0 else { return }
                    continuation.yield((reasons, outcome))
                })
            _ = try await trial.perform(.make(.link(.absolute(Script.days[0])), at: "favorites/x"))
            trial.disk.write(Array("a text".utf8), to: "favorites/y")
            // No record can be written.
            try trial.tree.root.removeDirectory(Layout.incoming)
            trial.disk.write([], to: Layout.incoming)
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            defer { task.cancel() }

            var reasons: [RescanReason] = []
            for await (reason, outcome) in scans {
                reasons.append(reason)
                #expect(!outcome.failures.isEmpty)
                if reasons.count == 20 { break }
                service.requestScanForUser()
            }
            task.cancel()
            _ = await task.result

            // The service may have waited for the next request, or not.
            #expect(!reasons.contains(.due), "\(reasons)")
        }
    }

    /// As on a full disk: each attempt writes another draft, whose name has a random part.
    @Test(.timeLimit(.minutes(10))) func whatFailsInEachScanIsLoggedOnce() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder(inMemory: true) { root in
                let trial = try Trial(root: root, days: Script.days)
                let (lines, start) = (Monitor([String]()), ContinuousClock.now)
                let log = Log(
                    threshold: .error, environment: [:], now: { start },
                    output: { line in lines.withLock { $0.append(line) } })
                let service = FavoritesService(
                    of: try Store(besideWriterOf: trial.tree), log: log)
                let link = Operation.make(.link(.absolute(Script.days[0])), at: "favorites/x")
                _ = try await trial.perform(link)
                trial.disk.write(Array("a text".utf8), to: "favorites/y")
                // From here on, no file can be written.
                _ = signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 0, rlim_max: 0)
                let sizeOfFiles = __rlimit_resource_t(1)
                try #require(unsafe setrlimit(sizeOfFiles, &limit) == 0)

                for _ in 0..<20 { #expect(await service.scanOnce() != nil) }

                let written = lines.withLock(\.self)
                #expect((1...2).contains(written.count), "\(written)")
            }
        }
    }

    /// Neither a change of the directory nor a request causes a scan.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func aForgetRequestIsExecutedAtOnce(isFolderReplaced: Bool) async throws {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (outcomes, continuation) = AsyncStream.makeStream(of: ReconcileOutcome.self)
            let service = FavoritesService(
                of: try Store(besideWriterOf: trial.tree),
                log: Log(threshold: .error, environment: [:]),
                // The grace period never ends.
                uptime: { Uptime(boot: "this", milliseconds: 1000) },
                notify: { if case .reconciled(_, let outcome) = $0 { continuation.yield(outcome) } }
            )
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            defer { task.cancel() }
            let (kept, other) = (Script.days[0], Script.days[1])
            _ = try await trial.perform(.make(.link(.absolute(kept)), at: "favorites/x"))
            for await outcome in outcomes where outcome.favorites[kept] != nil { break }
            if isFolderReplaced {
                try trial.tree.root.rename(
                    Layout.requests, to: trial.tree.root, as: "elsewhere")
                _ = try trial.tree.root.makeDirectory(Layout.requests)
                _ = try await trial.perform(.make(.link(.absolute(other)), at: "favorites/y"))
                for await outcome in outcomes where outcome.favorites[other] != nil { break }
            }

            _ = try await trial.perform(.remove("favorites/x"))
            for await outcome in outcomes where outcome.favorites[kept]?.isMissing == true { break }

            try FavoriteStore(tree: trial.tree).requestForget(kept)

            for await outcome in outcomes where outcome.favorites[kept] == nil { break }
            let record = try FavoriteStore(tree: trial.tree).storedFavorites().favorites[kept]
            task.cancel()
            _ = await task.result
            #expect(record == nil)
        }
    }

    /// As if somebody moved it to the trash: records in a new folder would make a mirror of it that has lost all others.
    @Test(.timeLimit(.minutes(10))) func nothingIsMadeWithoutTheHiddenFolderUntilItReturns()
        async throws
    {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (outcomes, continuation) = AsyncStream.makeStream(of: ReconcileOutcome.self)
            let (lines, lineContinuation) = AsyncStream.makeStream(of: String.self)
            let service = FavoritesService(
                of: try Store(besideWriterOf: trial.tree),
                log: Log(
                    threshold: .error, environment: [:],
                    output: { line in lineContinuation.yield(line) }),
                notify: { if case .reconciled(_, let outcome) = $0 { continuation.yield(outcome) } }
            )
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            defer { task.cancel() }
            let (first, second) = (Script.days[0], Script.days[1])
            _ = try await trial.perform(.make(.link(.absolute(first)), at: "favorites/x"))
            for await outcome in outcomes where outcome.favorites[first] != nil { break }

            let folder = trial.tree.root
            try folder.rename(Layout.own, to: folder, as: "trash")
            _ = try await trial.perform(.make(.link(.absolute(second)), at: "favorites/y"))

            for await line in lines where line.contains("is no longer the mirror") { break }
            #expect(try folder.status(Layout.own) == nil)

            try folder.rename("trash", to: folder, as: Layout.own)
            service.requestScanForUser()
            for await outcome in outcomes where outcome.favorites[second] != nil { break }
            let recorded = try FavoriteStore(tree: trial.tree).storedFavorites().favorites.keys
            task.cancel()
            _ = await task.result
            #expect(Set(recorded) == [first, second])
        }
    }

    /// Its first sync then ends the daemon.
    @Test(.timeLimit(.minutes(10))) func theStartGoesOnAlthoughTheHiddenFolderIsGone() async throws
    {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let (limits, continuation) = AsyncStream.makeStream(of: Void.self)
            let store = try Store(besideWriterOf: trial.tree)
            try trial.tree.root.rename(Layout.own, to: trial.tree.root, as: "trash")
            let service = FavoritesService(
                of: store,
                log: Log(threshold: .error, environment: [:], output: { _ in }),
                startLimit: .milliseconds(300),
                notify: { if case .startLimitReached = $0 { continuation.yield() } })
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            defer { task.cancel() }

            for await _ in limits { break }

            #expect(try trial.tree.root.status(Layout.own) == nil)
            task.cancel()
            _ = await task.result
        }
    }

    /// Such as one of a disk that hangs: systemd would kill a service that is never ready.
    @Test(.timeLimit(.minutes(10))) func aScanThatHangsDelaysTheStartForALimitedTime() async throws
    {
        try await withTemporaryFolder(inMemory: true) { root in
            let trial = try Trial(root: root, days: Script.days)
            let gate = Gate()
            let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
            let service = FavoritesService(
                of: try Store(besideWriterOf: trial.tree),
                log: Log(threshold: .error, environment: [:]),
                startLimit: .milliseconds(1),
                notify: { event in
                    switch event {
                    case .reconciled: gate.pass()
                    case .startLimitReached: continuation.yield()
                    case .modeChanged, .recorded, .scanEnded, .syncNeeded: break
                    }
                })
            gate.shut()
            let task = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            defer { task.cancel() }

            // Only the limit: the scan ends after this.
            for await _ in ready { break }

            gate.open()
            task.cancel()
            _ = await task.result
        }
    }
}
