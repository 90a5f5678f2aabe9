import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import Testing

@testable import Maintenance
@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct VerificationTests {
    // MARK: Slices

    @Test(arguments: [0, 1, 9, 10, 29, 30, 31, 300, 8962, 11_500])
    func thirtySlicesCoverAllDaysWhileOneIsAddedEachDay(count: Int) {
        var days = (0..<count).map { Day.first.advanced(by: $0) }
        var next: Day?
        var seen: Set<Day> = []
        var slices = 0
        repeat {
            let slice = VerifySlice(of: days, from: next)
            seen.formUnion(days.filter(slice.range.contains))
            next = slice.next
            slices += 1
            if next != nil { days.append(Day.first.advanced(by: days.count)) }
        } while next != nil
        #expect(slices <= 30)
        #expect(seen == Set(days))
    }

    @Test func aSliceBeginsWhereTheLastOneEndedEvenIfThatDayIsGone() {
        let days = (0..<100).map { Day.first.advanced(by: $0 * 2) }
        let first = VerifySlice(of: days, from: nil)
        let second = VerifySlice(of: days, from: Day.first.advanced(by: 21))

        #expect(first.range.lowerBound == .first && first.next == days[10])
        #expect(days.first(where: second.range.contains) == days[11])
    }

    // MARK: Daily

    private func summary(downloaded: Int = 0) -> SyncSummary {
        var summary = SyncSummary()
        summary.downloaded = downloaded
        return summary
    }

    private func verification(
        _ mirror: MirrorUnderTest, at time: Monitor<Date>
    ) throws -> Verification {
        try Verification(
            mirror.store, expecting: { VerifyExpectations() }, now: { time.withLock(\.self) })
    }

    @Test func theStateOfTheSliceSurvivesARestart() async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
            var walks = 0
            for _ in 0..<4 {
                // A new process each day.
                let verification = try verification(mirror, at: time)
                _ = try verification.run(after: summary())
                let state = try VerifyState.read(from: mirror.tree)
                #expect(state.lastSlice == time.withLock(\.self))
                if state.next == nil { walks += 1 }
                time.withLock { $0 += 86_400 }
            }
            #expect(walks == 1)
            let complete = try VerifyState.read(from: mirror.tree).lastComplete
            #expect(complete == time.withLock(\.self) - 86_400)
        }
    }

    @Test func aSecondSyncOfTheDayVerifiesNothing() async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
            let verification = try verification(mirror, at: time)
            _ = try verification.run(after: summary())
            let state = try VerifyState.read(from: mirror.tree)

            time.withLock { $0 += 3600 }
            _ = try verification.run(after: summary())

            #expect(try VerifyState.read(from: mirror.tree) == state)
        }
    }

    @Test func aSyncThatDidNotReachNASAIsFollowedByNoSlice() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
            var summary = summary()
            summary.obstacle = .init(.unreachable, "no network")

            _ = try verification(mirror, at: time).run(after: summary)

            #expect(try VerifyState.read(from: mirror.tree) == VerifyState())
        }
    }

    @Test func aSliceFindsDamageAndTheNextSyncRepairsIt() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture(8)
            try mirror.flipBit(path)
            let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
            let verification = try verification(mirror, at: time)

            let outcome = try verification.run(after: summary())
            #expect(outcome.needsSync && outcome.repairs.map(\.finding.path) == [path])
            #expect(try VerifyState.read(from: mirror.tree).damage.map(\.path) == [path])

            // The next process reads it, too.
            let next = try self.verification(mirror, at: time)
            let sync = await mirror.sync(suspects: next.suspects)
            #expect(sync.downloaded == 1)
            let last = try next.run(after: sync)
            #expect(!last.needsSync && last.repairs.isEmpty)
            let state = try VerifyState.read(from: mirror.tree)
            #expect(state.damage == [] && state.repaired == 1)
            #expect(try mirror.findings() == [])
        }
    }

    @Test func damageThatCannotBeRepairedRequestsOneSyncOnly() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            try mirror.flipBit(mirror.picture(8))
            let verification = try verification(mirror, at: Monitor(.now))

            #expect(try verification.run(after: summary()).needsSync)
            #expect(try !verification.run(after: summary(downloaded: 1)).needsSync)
            #expect(try !verification.run(after: summary()).needsSync)
            #expect(try VerifyState.read(from: mirror.tree).damage.count == 1)
        }
    }

    @Test func damageThatBecomesAnotherOneIsRecordedAnewWithItsFirstTime() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture(8)
            let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
            let verification = try verification(mirror, at: time)
            try mirror.flipBit(path)
            _ = try verification.run(after: summary())
            try mirror.remove(path)
            time.withLock { $0 += 3600 }

            _ = try verification.run(after: summary(downloaded: 1))

            let damage = try VerifyState.read(from: mirror.tree).damage
            #expect(damage.map(\.kind) == [.missing])
            #expect(damage.map(\.since) == [Date(timeIntervalSince1970: 1_800_000_000)])
        }
    }

    // MARK: Copies

    @Test func aStoppedRecoveryOfACopyContinuesLater() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var state = try mirror.store.state()
            state.tree = "the original"
            try mirror.store.save(state)
            let verification = try verification(mirror, at: Monitor(.now))

            try await Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                try verification.recoverCopy()
            }.value

            #expect(try mirror.store.state().tree == "the original")
            try verification.recoverCopy()
            #expect(try mirror.store.state().tree == mirror.tree.directoryIdentity())
        }
    }

    @Test func whatACopyLostIsKnownUntilASyncHasDownloadedIt() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture(8)
            try mirror.rot(path) { $0.removeLast($0.count / 2) }
            var state = try mirror.store.state()
            let identity = state.tree
            state.tree = "the original"
            try mirror.store.save(state)
            let day = MirrorUnderTest.newest.advanced(by: -8)

            try verification(mirror, at: Monitor(.now)).recoverCopy()

            #expect(try mirror.store.state().tree == identity)
            // The next process knows it, too, and recovers nothing again.
            let next = try verification(mirror, at: Monitor(.now))
            try next.recoverCopy()
            #expect(next.suspects == [day])
            let sync = await mirror.sync(suspects: next.suspects)
            #expect(sync.downloaded == 1)
            _ = try next.run(after: sync)
            #expect(next.suspects == [])
            #expect(try mirror.findings() == [])
        }
    }

    @Test func aSyncDoesNotTakeACopyForRecovered() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var state = try mirror.store.state()
            state.tree = SyncState.unmarkedTree
            try mirror.store.save(state)

            await mirror.sync()

            #expect(try mirror.store.state().tree == SyncState.unmarkedTree)
        }
    }

    // MARK: Requests

    @Test func aRequestIsRemovedAfterItsExecution() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest.advanced(by: -8)
            try mirror.flipBit(mirror.picture(8))
            let verification = try verification(mirror, at: Monitor(.now))
            try RepairRequest.leave([day], in: mirror.tree)
            #expect(verification.hasRequest)

            var offline = summary()
            offline.obstacle = .init(.unreachable, "no network")
            #expect(try verification.run(after: offline).needsSync)
            #expect(!verification.hasRequest)
            let sync = await mirror.sync(suspects: verification.suspects)
            _ = try verification.run(after: sync)

            #expect(try RepairRequest.all(in: mirror.tree).isEmpty)
            #expect(try mirror.findings() == [])
        }
    }

    @Test func aRequestThatComesDuringAVerificationStays() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let tree = mirror.tree
            let (first, second) = (MirrorUnderTest.newest, MirrorUnderTest.newest.advanced(by: -1))
            // A verification begins with reading what is expected.
            let verification = try Verification(mirror.store) {
                try RepairRequest.leave([second], in: tree)
                return VerifyExpectations()
            }
            try RepairRequest.leave([first], in: tree)
            var offline = summary()
            offline.obstacle = .init(.unreachable, "no network")

            #expect(try !verification.run(after: offline).needsSync)

            #expect(try Array(RepairRequest.all(in: tree).values) == [.success([second])])
            #expect(verification.hasRequest)
        }
    }

    @Test func aRequestStaysIfItsVerificationIsStopped() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let verification = try verification(mirror, at: Monitor(.now))
            let tree = mirror.tree
            try RepairRequest.leave([MirrorUnderTest.newest], in: tree)

            let isStopped = try await Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try verification.run(after: SyncSummary()).isStopped
            }.value

            #expect(isStopped && verification.hasRequest)
            #expect(
                try Array(RepairRequest.all(in: tree).values)
                    == [.success([MirrorUnderTest.newest])])
        }
    }

    /// A later process tries again; this one would sync without end.
    @Test func aRequestThatCannotBeReadOrRemovedIsReportedOnce() async {
        await #expect(processExitsWith: .success) {
            // Root may read and remove all files.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withMirror { mirror in
                let requests = "\(mirror.tree.root.path)/\(Layout.requests)"
                try RepairRequest.leave([MirrorUnderTest.newest], in: mirror.tree)
                let name = try #require(try RepairRequest.all(in: mirror.tree).keys.first)
                try #require(unsafe chmod("\(requests)/\(name)", 0) == 0)
                try RepairRequest.leave([MirrorUnderTest.newest], in: mirror.tree)
                try #require(unsafe chmod(requests, 0o555) == 0)
                let verification = try Verification(mirror.store) { VerifyExpectations() }

                #expect(try verification.runRequest()?.failedRequests.count == 2)

                #expect(try verification.runRequest()?.failedRequests == nil)
                #expect(!verification.hasRequest)
                #expect(try Verification(mirror.store) { VerifyExpectations() }.hasRequest)
                try #require(unsafe chmod(requests, 0o755) == 0)
            }
        }
    }

    @Test func aDamagedStateRestartsTheWalk() async throws {
        try await withMirror { mirror in
            for text in ["", "{", "[]", "{\"next\": 5, \"damage\": [], \"repaired\": 4}"] {
                try mirror.write(text, to: Layout.verify)
                #expect(try VerifyState.read(from: mirror.tree) == VerifyState())
            }
        }
    }

    // MARK: Without a verification

    /// The sync itself detects files that the file system truncated because they were not synced.
    @Test func aSyncReplacesAFileOfTheWrongSize() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            try mirror.rot(mirror.picture()) { $0 = [] }
            mirror.advance(days: 1)

            await mirror.sync()

            #expect(try mirror.findings() == [])
        }
    }

    @Test func eachRequestIsRemovedOnItsOwn() async throws {
        try await withMirror { mirror in
            let (first, second) = (MirrorUnderTest.newest, MirrorUnderTest.newest.advanced(by: -1))
            try RepairRequest.leave([first], in: mirror.tree)
            try RepairRequest.leave([first, second], in: mirror.tree)

            try RepairRequest.remove([first], from: mirror.tree)

            let left = try RepairRequest.all(in: mirror.tree).values
            #expect(Array(left) == [.success([first, second])])
            try RepairRequest.remove([first, second], from: mirror.tree)
            #expect(try RepairRequest.all(in: mirror.tree).isEmpty)
        }
    }
}
