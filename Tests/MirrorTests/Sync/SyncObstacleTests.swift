import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// What keeps all days away, and how long it counts.
@Suite(.timeLimit(.minutes(10))) struct SyncObstacleTests {
    /// The time of the newest day, or an earlier one.
    private static func noon(daysBefore days: Int) -> Date {
        Date(
            timeIntervalSince1970: Double(MirrorUnderTest.newest.advanced(by: -days).noon))
    }

    /// The first request of a new mirror has no sync that says so.
    @Test(arguments: [
        FeedError.future, .noRoute(errorOfFirst: .future, reason: "no route can be used"),
    ])
    func aRequestThatFindsOnlyDaysOfTheFutureNamesTheClock(error: FeedError) {
        #expect(Obstacle(ofRequest: error, to: .basic).kind == .clock)
        #expect(Obstacle(ofRequest: .unusable("HTML"), to: .basic).kind == .network)
    }

    /// All entries are later than tomorrow; or the clock is before the program was built, and no certificate is valid.
    @Test(arguments: [(30, Fault?.none), (400, .refuse)])
    func aWrongClockIsNamed(daysBehind: Int, fault: Fault?) async throws {
        try await withMirror { mirror in
            if let fault { mirror.simulator.inject(fault, on: .any, times: nil) }

            let now = Self.noon(daysBefore: daysBehind)
            let summary = await mirror.synchronizer(now: { now }).sync().summary()

            let state = try mirror.store.state()
            #expect(summary.obstacle?.kind == .clock, "\(summary)")
            #expect(state.obstacle?.kind == .clock)
        }
    }

    @Test func anObstacleCountsSinceTheFirstOfItsSyncs() async throws {
        try await withSyncedMirror { mirror in
            mirror.simulator.inject(.refuse, on: .any, times: nil)
            _ = await mirror.sync()
            let first = try #require(try mirror.store.state().obstacle)
            _ = await mirror.sync()
            let second = try #require(try mirror.store.state().obstacle)
            mirror.simulator.clearFaults()
            _ = await mirror.sync()

            #expect(first.kind == .network && second.kind == .network)
            #expect(second.since == first.since)
            #expect(try mirror.store.state().obstacle == nil)
        }
    }

    /// Services that could not write then try again at once.
    @Test func theEndOfAnObstacleIsNews() async throws {
        try await withSyncedMirror { mirror in
            let synchronizer = mirror.synchronizer(rechecks: false)
            func pollHasNews() async throws -> Bool {
                _ = try mirror.store.snapshots.walk(at: Date(timeIntervalSince1970: 43_200))
                mirror.store.snapshots.release(holdingUntilMidnight: true)
                return await synchronizer.sync(reusesWalk: true).summary().hasNews
            }

            let before = try await pollHasNews()
            mirror.simulator.inject(.refuse, on: .any, times: nil)
            let during = try await pollHasNews()
            mirror.simulator.clearFaults()
            let after = try await pollHasNews()
            let later = try await pollHasNews()

            #expect(!before && during && after && !later)
        }
    }

    /// One day may have a cause of its own.
    @Test func anErrorOfThisMachineThatKeepsSeveralDaysAwayLastsUntilOneIsPublished() async throws {
        try await withMirror { mirror in
            let newest = MirrorUnderTest.newest
            let synchronizer = mirror.synchronizer()
            /// The obstacle of a sync in which each of `days` has the outcome `result`.
            func obstacle(_ result: EntryOutcome.Result, of days: [Day]) throws -> Obstacle? {
                var state = try SyncRoundState(
                    of: synchronizer, retry: .due, reusesWalk: false, underWay: [])
                state.recordPoll(newest: newest, entries: [])
                for day in days { state.apply(EntryOutcome(day, result)) }
                try state.close()
                return state.summary.obstacle
            }
            func failure(_ kind: Obstacle.Kind) -> EntryOutcome.Result {
                .incomplete(DayProblem(.localError, "-", .obstacle(Obstacle(kind, "-"))))
            }
            let days = [newest, newest.advanced(by: -1)]

            let one = try obstacle(failure(.disk), of: [newest])
            let oneWithoutRights = try obstacle(failure(.rights), of: [newest])
            let both = try obstacle(failure(.disk), of: days)
            // They wait for their retries.
            let later = try obstacle(.unchanged, of: [])
            let published = try obstacle(.downloaded(path: "", bytes: 1), of: [newest])

            #expect(one == nil && both?.kind == .disk && later?.kind == .disk)
            #expect(oneWithoutRights?.kind == .rights)
            #expect(published == nil)
            #expect(try mirror.store.state().obstacle == nil)
        }
    }

    /// The days may have failed by the same lack, such as that of a quota.
    ///
    /// A disk on which no file can be published may pass every check, so that its obstacle has not ended.
    @Test(arguments: [(Obstacle.Kind?.none, false), (.space, true), (.disk, false)])
    func failedDaysAreDueAfterALackOfSpace(
        last: Obstacle.Kind?, isDue: Bool
    ) async throws {
        try await withMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -3)
            mirror.simulator.inject(.refuse, on: .mediaOf(day), times: nil)
            let synchronizer = mirror.synchronizer(rechecks: false)
            _ = await synchronizer.sync().summary()
            let state = try mirror.store.state()
            #expect(state.retries[day]?.cause.isTransient == true)
            mirror.simulator.clearFaults()
            synchronizer.lastObstacle.withLock { $0 = last }

            _ = await synchronizer.sync().summary()

            let later = try mirror.store.state()
            #expect((later.retries[day] == nil) == isDue)
        }
    }

    /// Of a quota, nobody knows how much is left: the day is tried again as after any other error of this machine.
    @Test func aDayThatMetAQuotaIsRequestedByAReloadAndNamesTheQuota() throws {
        let error = SystemError("write", path: "/srv/apod/x", code: EDQUOT)

        let result = EntryOutcome.Result(error, spaceObstacle: { nil })
        let problem = try #require(result.problem)

        #expect(problem.cause.isTransient)
        // A disk that takes other files is no obstacle.
        #expect(problem.obstacle == nil)
        for text in [problem.reason, Obstacle(error).text, "\(TreeError.notWritable(error))"] {
            #expect(text.contains("quota exceeded; raise the quota"), "\(text)")
            #expect(!text.contains("--min-free"))
        }
        #expect(Obstacle(error).kind == .space)
    }

    @Test func aDiskWithLessThanMinFreeGetsNoRequestAndSaysHowMuchIsFree() async throws {
        try await withMirror { mirror in
            let store = try Store(tree: mirror.tree, minimumFree: 1 << 60)
            let obstacle = try #require(try store.spaceObstacle())

            #expect(obstacle.kind == .space)
            #expect(obstacle.text.hasPrefix("--min-free 1048576TiB: "), "\(obstacle)")
            #expect(obstacle.summary.hasSuffix("are free, nothing is downloaded"), "\(obstacle)")
        }
    }
}
