import APOD
import FoundationEssentials
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror
@testable import Service

/// What goes on while a file comes so slowly that it would take minutes.
@Suite(.timeLimit(.minutes(10))) struct SlowDownloadTests {
    private let newest = MirrorUnderTest.newest
    private func day(_ ago: Int) -> Day { newest.advanced(by: -ago) }

    /// A service that polls without a pause, and its syncs wait for no download.
    private func service(
        _ synchronizer: Synchronizer, _ mirror: MirrorUnderTest,
        didReceive: @escaping @Sendable (SyncEvent) -> Void
    ) -> MirrorService {
        var service = MirrorService(
            synchronizer: synchronizer, schedule: Schedule(mirror: mirror.tree.id),
            log: Log(threshold: .error, environment: [:]), wakeReasons: CoalescingSignal(),
            changes: ChangeBroadcaster(),
            notify: { if case .syncReported(let event) = $0 { didReceive(event) } })
        // The time of the next poll is in the past by the timer, which so ends at once.
        service.now = { Date(timeIntervalSince1970: 0) }
        service.longestSync = .zero
        return service
    }

    @Test func aNewDayIsPublishedBesideASlowFileWhoseOutcomeIsAppliedOnce() async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = day(1)
            let slow = day(3)
            try mirror.simulator.sendSlowly(slow)
            let (days, continuation) = AsyncStream.makeStream(of: Day.self)
            let service = service(mirror.synchronizer(jobs: 1, rechecks: false), mirror) {
                guard case .day(let outcome) = $0 else { return }
                if case .downloaded = outcome.result { continuation.yield(outcome.day) }
            }
            let requests = mirror.simulator.arrivals()
            let daemon = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }

            for await request in requests where request.kind == .media && request.day == slow {
                break
            }
            mirror.simulator.newest = newest
            var published: [Day] = []
            for await day in days {
                published.append(day)
                if day == newest { break }
            }
            #expect(!published.contains(slow))
            #expect(
                mirror.simulator.requests.filter { $0.kind == .media && $0.day == slow }.count == 1)
            let path = try #require(try mirror.store.record(of: newest)?.picture?.path)
            #expect(try mirror.tree.exists(path))

            mirror.simulator.release()
            for await day in days {
                published.append(day)
                if day == slow { break }
            }
            // Any second outcome would come with the next polls.
            mirror.simulator.resetLog()
            var polls = 0
            for await request in mirror.simulator.arrivals() where request.kind == .newest {
                polls += 1
                if polls > 3 { break }
            }
            daemon.cancel()
            _ = await daemon.result
            continuation.finish()
            for await day in days { published.append(day) }

            #expect(published.count { $0 == slow } == 1)
            #expect(Set(published).count == published.count)
            #expect(try mirror.store.state().retries == [:])
        }
    }

    @Test func theEndOfTheServiceCancelsASlowFileWhoseDayStaysDue() async throws {
        try await withMirror { mirror in
            let slow = day(3)
            try mirror.simulator.sendSlowly(slow)
            let (days, continuation) = AsyncStream.makeStream(of: Day.self)
            let service = service(mirror.synchronizer(rechecks: false), mirror) {
                if case .day(let outcome) = $0 { continuation.yield(outcome.day) }
            }
            let daemon = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }
            var ended: Set<Day> = []
            for await day in days {
                ended.insert(day)
                if ended.count == 9 { break }
            }

            daemon.cancel()
            _ = await daemon.result

            #expect(!ended.contains(slow))
            #expect(mirror.simulator.requests.count { $0.day == slow && $0.kind == .media } == 1)
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
            let state = try mirror.store.state()
            #expect(state.newest == newest && state.retries[slow] == nil)
            mirror.simulator.clearFaults()
            let next = await mirror.sync()
            #expect(next.downloaded == 1 && next.withFiles == 10)
        }
    }

    /// A slow day is neither due again nor missing from what the status line and the schedule count.
    @Test func aSyncThatEndsBeforeItsDownloadsSaysSo() async throws {
        try await withMirror { mirror in
            let slow = day(3)
            try mirror.simulator.sendSlowly(slow)
            let synchronizer = mirror.synchronizer(rechecks: false)
            let events = synchronizer.sync()
            var ended = 0
            for await event in events {
                if case .day = event { ended += 1 }
                if ended == 9 { events.end() }
            }
            let first = await events.summary()
            #expect(first.underWay == 1 && first.missing == 1 && first.nextRetry == nil)
            #expect(!first.isUnfinished)

            // It neither waits nor requests the day again.
            let second = await synchronizer.sync().summary()
            #expect(second.underWay == 1 && second.downloaded == 0 && second.nextRetry == nil)

            var line = StatusLine(newest: newest)
            line.record(second)
            #expect(line.text == "newest \(newest), 1 day under way, 1 day missing")
            mirror.simulator.release()
            var last = second
            while last.underWay > 0 { last = await synchronizer.sync().summary() }
            #expect(last.withFiles == 10)
            #expect(mirror.simulator.requests.count { $0.day == slow && $0.kind == .media } == 1)
            line.record(last)
            #expect(line.text == "newest \(newest), 0 days missing")
        }
    }

    /// Else a slow line would carry more of them with each sync, until each is too slow and ended.
    @Test(arguments: [1, 2])
    func syncsBeginNoDownloadsBeyondTheSlots(jobs: Int) async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = day(1)
            mirror.simulator.inject(.hang, on: .media, times: nil)
            let requests = mirror.simulator.arrivals()
            let favorites = Set((6..<10).map(day))
            let wanted = SharedValue(Set<Day>())
            let synchronizer = mirror.synchronizer(
                .init(since: .days(10), jobs: jobs, rechecks: false),
                wantedFavorites: { wanted.withLock(\.self) }, favorites: { favorites },
                damagedDays: { [] })
            var asked: Set<Day> = []
            let rounds: [(newest: Day, favorites: Set<Day>, count: Int)] = [
                (day(1), [], jobs), (day(1), favorites, jobs + 2), (newest, favorites, jobs + 3),
            ]
            for (newest, favorites, count) in rounds {
                mirror.simulator.newest = newest
                wanted.withLock { $0 = favorites }
                let events = synchronizer.sync()
                while asked.count < count {
                    for await request in requests where request.kind == .media {
                        asked.formUnion([request.day].compactMap(\.self))
                        break
                    }
                }
                events.end()
                let summary = await events.summary()
                #expect(summary.underWay == count && !summary.isUnfinished)
                #expect(summary.leftToNextSync > 0)
                let next = Schedule(mirror: mirror.tree.id).next(
                    after: mirror.now, summary, failures: 0)
                #expect(next > mirror.now + 540, "its next poll, at the earliest at 12:10")
            }
            #expect(asked.contains(newest) && asked.intersection(favorites).count == 2)
            #expect(mirror.simulator.concurrency.peak == jobs + 3)

            await mirror.simulator.releaseRequests()
            let summary = await synchronizer.sync().summary()
            #expect(summary.withFiles == 10)
            // The oldest day was wanted before the newest one came.
            #expect(mirror.simulator.requests.count { $0.kind == .media } == 11)
        }
    }

    /// If slow favorites keep another one waiting, and then the disk is full, the next sync waits for no download.
    @Test(arguments: [true, false])
    func theTimeOfTheNextSyncIsKnownIfTheDiskIsFull(isFull: Bool) async throws {
        try await withMirror { mirror in
            var state = try SyncRoundState(
                of: mirror.synchronizer(), retry: .due, reusesWalk: false, underWay: [])
            state.recordPoll(newest: newest, entries: [])
            state.leavesDueDays = true
            if isFull { state.apply(EntryOutcome(newest, .noSpace(Obstacle(.space, "full")))) }
            try state.close()
            let next = Schedule(mirror: mirror.tree.id).next(
                after: mirror.now, state.summary, failures: 0)
            let writer = LastRunWriter(
                mirror.store, changes: ChangeListener(), log: Log(environment: [:]))

            writer.recordResult(of: state.summary, nextSync: next, hasNews: true)

            let written = try LastRun.read(from: mirror.tree)
            #expect(written != nil && written?.nextSync == (isFull ? mirror.now + 60 : nil))
        }
    }

    /// No poll in between would find a free slot.
    @Test func theEndOfASlowFileCausesTheNextSync() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(.hang, on: .mediaOf(self.newest), times: nil)
            let wakeReasons = CoalescingSignal<WakeReason>()
            let synchronizer = mirror.synchronizer(
                .init(since: .days(10), jobs: 1, rechecks: false), wantedFavorites: { [] },
                favorites: { [] }, damagedDays: { [] },
                downloadDidEnd: { wakeReasons.send(.freeSlot) })
            let (pauses, continuation) = AsyncStream.makeStream(of: Double.self)
            let isComplete = CancellableContinuation()
            let now = SharedValue(Date(timeIntervalSince1970: 1e11))
            var service = MirrorService(
                synchronizer: synchronizer, schedule: Schedule(mirror: mirror.tree.id),
                log: Log(threshold: .error, environment: [:]), wakeReasons: wakeReasons,
                changes: ChangeBroadcaster(),
                notify: { event in
                    switch event {
                    case .syncEnded(let summary):
                        if summary.withFiles == 10 { isComplete.resume() }
                    case .waitBegan(_, let next):
                        continuation.yield(next.timeIntervalSince(now.withLock(\.self)))
                    case .syncBegan, .syncReported: break
                    }
                })
            service.now = { now.withLock(\.self) }
            service.longestSync = .zero
            let daemon = Task(executorPreference: ThreadPoolExecutor.shared) { [service] in
                try await service.run()
            }
            var pause = pauses.makeAsyncIterator()
            let first = await pause.next()
            #expect(try #require(first) >= 60)
            #expect(mirror.simulator.requests.count { $0.kind == .newest } == 1)

            // From here on, each timer has ended before it begins.
            now.withLock { $0 = Date(timeIntervalSince1970: 0) }
            await mirror.simulator.releaseRequests()
            try await isComplete.wait()
            daemon.cancel()
            _ = await daemon.result
            #expect(mirror.simulator.requests.count { $0.kind == .media } == 10)
        }
    }

    /// Nor does the next sync ask for them.
    @Test func favoritesThatWaitForSlowOnesDelayNoOtherDay() async throws {
        try await withMirror { mirror in
            let favorites = Set((2..<6).map(day))
            for day in favorites { mirror.simulator.inject(.hang, on: .mediaOf(day), times: nil) }
            let events = mirror.synchronizer(jobs: 1, rechecks: false, favorites: favorites).sync()
            var ended: Set<Day> = []
            for await event in events {
                if case .day(let outcome) = event { ended.insert(outcome.day) }
                if ended.count == 6 { await mirror.simulator.releaseRequests() }
            }

            #expect(await events.summary().withFiles == 10)
        }
    }

    /// Also one whose turn it is by `--keep`.
    @Test func aDayThatIsDownloadedOrVerifiedIsNotRemoved() async throws {
        try await withSyncedMirror { mirror in
            let oldest = day(9)
            #expect(mirror.store.claims.claim(oldest))

            let during = await mirror.synchronizer(rechecks: false, keep: .days(9)).sync()
                .summary()
            #expect(during.removed == 0)

            mirror.store.claims.release(oldest)
            let after = await mirror.synchronizer(rechecks: false, keep: .days(9)).sync().summary()
            #expect(after.removed == 1)
        }
    }

    @Test func aDayThatIsVerifiedIsDownloadedByALaterSync() async throws {
        try await withMirror { mirror in
            #expect(mirror.store.claims.claim(day(2)))

            let during = await mirror.sync()
            #expect(during.withFiles == 9 && during.nextRetry != nil && during.obstacle == nil)
            #expect(mirror.simulator.requests.allSatisfy { $0.day != day(2) })

            mirror.store.claims.release(day(2))
            let after = await mirror.sync()
            #expect(after.withFiles == 10)
        }
    }
}
