import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import Testing
import Transfer

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct LastRunTests {
    private static let snapshot: LastRun = {
        var snapshot = LastRun(process: getpid())
        snapshot.record(.polling(.watches, every: .seconds(10)))
        snapshot.lastSuccess = EmptyFileMirror.now - 60
        snapshot.nextSync = EmptyFileMirror.now + 60
        snapshot.written = EmptyFileMirror.now
        snapshot.settings = ["limit-rate": "500k"]
        return snapshot
    }()

    @Test(arguments: [
        "", "nonsense", "[]", "{}", #"{"process": "me"}"#, #"{"process": 99999999999999}"#,
    ])
    func damagedSnapshotsAreIgnored(text: String) async throws {
        try await withEmptyMirror { mirror, store in
            try store.publish(Array(text.utf8), at: Layout.service)

            #expect(try LastRun.read(from: mirror.tree) == nil)
            #expect(try mirror.report().watcher == nil)
        }
    }

    @Test func onlyTheSnapshotOfARunningDaemonIsReported() async throws {
        try await withEmptyMirror { mirror, store in

            try store.write(Self.snapshot, to: Layout.service)
            let running = try mirror.report()
            var other = Self.snapshot
            other.process += 1
            try store.write(other, to: Layout.service)
            let gone = try mirror.report()

            #expect(running.watcher == .polling && running.nextSync == EmptyFileMirror.now + 60)
            #expect(running.watcherReason?.contains("max_user_watches") == true)
            #expect(running.bandwidth == Bandwidth(bytesPerSecond: 512_000))
            #expect(gone.watcher == nil && gone.nextSync == nil && gone.bandwidth == nil)
            #expect(running.lastSuccess == EmptyFileMirror.now - 60)
        }
    }

    /// A timer may start two a day, and NASA pause for weeks: then `state.json` has the time of one in a day or two.
    @Test func aSingleSyncWithoutChangesWritesThatItReachedNASA() async throws {
        try await withEmptyMirror { mirror, store in
            var summary = SyncSummary()
            summary.lastSuccess = EmptyFileMirror.now - 60

            LastRunWriter(store, changes: ChangeListener(), log: Log(environment: [:]))
                .recordResult(of: summary, nextSync: nil, hasNews: false)

            let lastSuccess = try mirror.report().lastSuccess
            #expect(lastSuccess == EmptyFileMirror.now - 60)
        }
    }

    /// As of a person who replaces the daemon by a timer: `status` would say that the daemon has ended.
    @Test func aSingleSyncWithoutChangesAfterADaemonSaysThatItWasNone() async throws {
        try await withEmptyMirror { mirror, store in
            var daemon = Self.snapshot
            daemon.written = Date()
            try store.write(daemon, to: Layout.service)

            LastRunWriter(
                store, settings: daemon.settings, changes: ChangeListener(),
                log: Log(environment: [:])
            ).recordResult(of: SyncSummary(), nextSync: nil, hasNews: false)

            let saved = try #require(try LastRun.read(from: mirror.tree))
            #expect(saved.watcher == nil)
        }
    }

    @Test func theDaemonWritesASyncWithoutNewsTwiceADay() async throws {
        try await withEmptyMirror { mirror, store in
            /// Records a sync of a daemon that finds the present file.
            func sync(hasNews: Bool, isWrittenMeanwhile: Bool = false) throws -> FileIdentity? {
                let writer = LastRunWriter(
                    store, changes: ChangeListener(), log: Log(environment: [:]))
                if isWrittenMeanwhile {
                    writer.recordProgress(.planned(days: 0))
                    writer.write()
                }
                writer.recordResult(of: SyncSummary(), nextSync: Date(), hasNews: hasNews)
                return try mirror.tree.root.status(Layout.service)?.identity
            }

            let first = try sync(hasNews: false)
            let quiet = try sync(hasNews: false)
            let fruitful = try sync(hasNews: true)
            var old = try #require(try LastRun.read(from: mirror.tree))
            old.written = Date() - 13 * 3600
            try store.write(old, to: Layout.service)
            let before = try mirror.tree.root.status(Layout.service)?.identity
            let late = try sync(hasNews: false)

            #expect(first != nil && quiet == first)
            #expect(fruitful != quiet && late != before)
            _ = try sync(hasNews: false, isWrittenMeanwhile: true)
            #expect(try #require(try LastRun.read(from: mirror.tree)).sync == nil)
        }
    }

    /// The first download of the whole archive is a row of syncs: each ends for a poll, and leaves thousands of days to the next.
    @Test func daysThatASyncLeavesToTheNextOneArePartOfTheProgress() async throws {
        try await withEmptyMirror { mirror, store in
            let writer = LastRunWriter(store, changes: ChangeListener(), log: Log(environment: [:]))
            func saved() throws -> LastRun {
                writer.write()
                return try #require(try LastRun.read(from: mirror.tree))
            }
            var summary = SyncSummary()
            summary.underWay = 4
            summary.leftToNextSync = 11_464

            writer.recordResult(of: summary, nextSync: Date(), hasNews: true)
            let between = try saved()
            writer.recordProgress(.planned(days: 11_464))
            let next = try saved()
            summary.underWay = 0
            summary.leftToNextSync = 0
            writer.recordResult(of: summary, nextSync: Date(), hasNews: true)
            let last = try saved()

            #expect(between.sync?.planned == 11_468 && between.nextSync == nil)
            #expect(next.sync?.planned == 11_468)
            #expect(last.sync == nil && last.nextSync != nil)
        }
    }

    /// A service that fails tries again and again, and one that does not has nothing to say.
    @Test func aFailureIsWrittenWhenItBeginsAndWhenItEnds() async throws {
        try await withEmptyMirror { mirror, store in
            let writer = LastRunWriter(store, changes: ChangeListener(), log: Log(environment: [:]))
            let error = SystemError("rename", path: "/p", code: EACCES)
            func attempt(_ failure: WriteFailure?) throws -> FileIdentity? {
                writer.recordFailure(failure, of: .views)
                return try mirror.tree.root.status(Layout.service)?.identity
            }

            let silent = try attempt(nil)
            let first = try attempt(WriteFailure(text: "cannot update the page", error: error))
            let failing = try mirror.report()
            let again = try attempt(WriteFailure(text: "cannot update the page", error: error))
            let over = try attempt(nil)
            let quiet = try attempt(nil)

            #expect(silent == nil && first != nil && again == first)
            #expect(over != first && quiet == over)
            let message = try #require(failing.failures.first).message
            #expect(message.hasPrefix("cannot update the page; as root, run “chown -R "))
            #expect(failing.health == .unknown)
            #expect(try mirror.report().failures == [])
        }
    }

    /// Each begin requests a sync, which would follow the one before it at once.
    @Test func aFailureThatComesAndGoesBeginsOnce() async throws {
        try await withEmptyMirror { _, store in
            let requests = SharedValue([Bool]())
            let writer = LastRunWriter(
                store, changes: ChangeListener(), log: Log(environment: [:])
            ) { change in requests.withLock { $0.append(change.needsSync) } }
            let error = SystemError("rename", path: "/p", code: EIO)
            let failure = WriteFailure(text: "cannot update the page", error: error)

            for result in [failure, nil, failure, nil] { writer.recordFailure(result, of: .views) }
            writer.recordFailure(failure, of: .favorites)

            #expect(requests.withLock(\.self) == [true, false, false, false, false])
        }
    }

    /// By the schedule, or earlier for a retry.
    @Test func afterPollsWithoutNewsTheNextSyncIsThatOfTheSchedule() async throws {
        try await withEmptyMirror { mirror, store in
            var snapshot = Self.snapshot
            snapshot.nextSync = EmptyFileMirror.now - 3600
            try store.write(snapshot, to: Layout.service)
            let scheduled = try #require(try mirror.report().nextSync)
            snapshot.nextSync = EmptyFileMirror.now - 1200
            try store.write(snapshot, to: Layout.service)
            // NASA has the entry of today, so that the next poll is that of tomorrow.
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today
                state.retries[EmptyFileMirror.today] = RetryState(
                    .reduced, "…", after: nil, at: EmptyFileMirror.now - 1800)
            }

            let wait = scheduled.timeIntervalSince(EmptyFileMirror.now)
            #expect(wait > 0 && wait < 6 * 3600)
            #expect(try mirror.report().nextSync == EmptyFileMirror.now + 1800)
        }
    }

    /// The state has the settings of the last sync, whose process may be another one.
    @Test func theSettingsOfTheRunningDaemonSayWhichDaysAreWanted() async throws {
        try await withEmptyMirror { mirror, store in
            try mirror.add(0...2)
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today
                state.lastSuccess = EmptyFileMirror.now - 60
                state.since = .days(3)
            }
            let before = try mirror.report()
            var snapshot = Self.snapshot
            snapshot.settings = ["since": "5d"]
            snapshot.sync = .init(start: EmptyFileMirror.now - 120, planned: 12, done: 4)
            try store.write(snapshot, to: Layout.service)
            let during = try mirror.report()

            #expect(before.health == .ok && before.days.wanted.count == 3)
            #expect(during.health == .missing && during.days.wanted.missing.count == 2)
            #expect(during.sync?.rate(at: EmptyFileMirror.now) == 4.0 / 120)
        }
    }

    /// As a sync with `--keep` does at its end.
    @Test func aRemovedDayIsNoneOfThePlannedOnes() {
        var sync: Progress?
        let results: [EntryOutcome.Result] = [
            .downloaded(path: "p", bytes: 1), .removed(bytes: 1), .removed(bytes: 1),
        ]
        sync.record(.planned(days: 2))
        for result in results { sync.record(.day(EntryOutcome(.first, result))) }

        #expect(sync?.planned == 2 && sync?.ended == 1)
    }
}
