import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import TestSupport
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

    // MARK: Daily

    private let time = Monitor(Date(timeIntervalSince1970: 1_800_000_000))

    private func verification(_ mirror: MirrorUnderTest) throws -> Verification {
        Verification(mirror.store, now: { [time] in time.withLock(\.self) })
    }

    @Test func theStateOfTheSliceSurvivesARestart() async throws {
        try await withSyncedMirror(days: 40) { mirror in
            var walks = 0
            for _ in 0..<4 {
                // A new process each day.
                let verification = try verification(mirror)
                _ = try verification.run(after: .metNoObstacle)
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

    @Test func aSyncThatDidNotReachNASAAndASecondOneOfTheDayVerifyNothing() async throws {
        try await withSyncedMirror(days: 40) { mirror in
            let verification = try verification(mirror)
            var failed = SyncSummary()
            failed.obstacle = .init(.network, "no network")
            _ = try verification.run(after: .init(after: failed))
            #expect(try VerifyState.read(from: mirror.tree) == VerifyState())
            _ = try verification.run(after: .metNoObstacle)
            let state = try VerifyState.read(from: mirror.tree)

            time.withLock { $0 += 3600 }
            _ = try verification.run(after: .metNoObstacle)

            #expect(try VerifyState.read(from: mirror.tree) == state)
        }
    }

    @Test func aSliceFindsDamageAndTheNextSyncRepairsIt() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture(8)
            try mirror.flipBit(path)
            let verification = try verification(mirror)

            let outcome = try verification.run(after: .metNoObstacle)
            #expect(outcome.needsSync && outcome.repairs.map(\.finding.path) == [path])
            #expect(try VerifyState.read(from: mirror.tree).damage.map(\.path) == [path])

            // The next process reads it, too.
            let next = try self.verification(mirror)
            let sync = await mirror.sync(damagedDays: next.daysToDownload)
            #expect(sync.downloaded == 1)
            let last = try next.run(after: .init(after: sync))
            #expect(!last.needsSync && last.repairs.isEmpty)
            let state = try VerifyState.read(from: mirror.tree)
            #expect(state.damage == [] && state.repaired == 1)
            #expect(try mirror.findings() == [])
        }
    }

    /// A folder may have had wrong permissions until now.
    @Test(arguments: [Verification.Reason.syncEnded, .metNoObstacle])
    func aFileThatCouldNotBeMovedAwayIsDownloadedAsSoonAsItIs(
        reason: Verification.Reason
    ) async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture(8)
            try mirror.flipBit(path)
            try mirror.write("", to: Layout.damaged)
            let verification = try verification(mirror)
            let failures = try verification.run(after: .metNoObstacle).failures
            #expect(failures.keys.sorted() == [path])
            #expect(try mirror.tree.root.status(path) != nil)
            try mirror.remove(Layout.damaged)
            // With `.metNoObstacle`, the next daily slice is due.
            time.withLock { $0 += 86_400 }

            let outcome = try verification.run(after: reason)

            #expect(try mirror.tree.root.status(path) == nil)
            #expect(outcome.needsSync && outcome.repairs.map(\.finding.path) == [path])
            #expect(try !verification.run(after: .syncEnded).needsSync)
        }
    }

    /// A person put it back, for which nobody needs NASA.
    @Test func aFileThatIsBackIsNotDamagedAlthoughNASACannotBeReached() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture(8)
            let picture = try mirror.tree.root.read(path) ?? []
            try mirror.flipBit(path)
            let verification = try verification(mirror)
            _ = try verification.run(after: .metNoObstacle)
            var failed = SyncSummary()
            failed.obstacle = .init(.network, "no network")
            #expect(try verification.run(after: .init(after: failed)).resolved.isEmpty)
            #expect(verification.damage.map(\.path) == [path])

            let folder = try mirror.tree.root.makeDirectory(Layout.split(path).folder)
            try AtomicFile.publish(
                picture, in: folder, as: Layout.split(path).name, through: mirror.tree.root)
            let outcome = try verification.run(after: .init(after: failed))

            #expect(outcome.resolved.map(\.path) == [path])
            #expect(try VerifyState.read(from: mirror.tree).damage == [])
        }
    }

    @Test func damageThatCannotBeRepairedRequestsOneSyncOnly() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture(8)
            try mirror.flipBit(path)
            let verification = try verification(mirror)

            #expect(try verification.run(after: .metNoObstacle).needsSync)
            #expect(try mirror.tree.root.status(path) == nil)
            time.withLock { $0 += 3600 }
            #expect(try !verification.run(after: [.metNoObstacle, .updatedDays]).needsSync)
            #expect(try !verification.run(after: .metNoObstacle).needsSync)
            let damage = try VerifyState.read(from: mirror.tree).damage
            #expect(damage.map(\.kind) == [.missing])
            #expect(damage.map(\.since) == [Date(timeIntervalSince1970: 1_800_000_000)])
        }
    }

    /// Otherwise, one sync would follow the other without a pause, and each would leave a copy in `damaged/`.
    @Test func aFileThatIsDamagedAfterEachDownloadRequestsOneSyncOnly() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture(8)
            let picture = try mirror.tree.root.read(path) ?? []
            try mirror.flipBit(path)
            let verification = try verification(mirror)
            #expect(try verification.run(after: .metNoObstacle).needsSync)

            for _ in 0..<2 {
                try mirror.write(String(decoding: picture.map { $0 | 1 }, as: UTF8.self), to: path)

                let outcome = try verification.run(after: [.metNoObstacle, .updatedDays])

                #expect(outcome.repairs.map(\.finding.path) == [path] && !outcome.needsSync)
            }
        }
    }

    /// A walk lists the directories of all months.
    @Test func damageThatStaysCausesNoWalkAfterASyncWithNews() async throws {
        try await withSyncedMirror { mirror in
            try mirror.flipBit(mirror.picture(8))
            let verification = try verification(mirror)
            _ = try verification.run(after: .metNoObstacle)
            _ = try mirror.store.snapshots.walk()
            mirror.store.snapshots.release(holdingUntilMidnight: true)
            let reads = try DirectoryReads(of: "\(mirror.tree.root.path)/\(Layout.pictures)")

            let outcome = try verification.run(after: .updatedDays)

            #expect(outcome.repairs.map(\.finding.kind) == [.missing])
            #expect(!reads.happened())
        }
    }

    @Test func whatCannotBeReadIsLeftAloneAndDecidesNothingOfItsDay() async throws {
        try await withSyncedMirror { mirror in
            let verification = try verification(mirror)
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let (path, record) = (try mirror.picture(), mirror.recordPath())
            try mirror.flipBit(path)
            _ = try verification.verify([day])
            let unreadable = VerifyFinding(
                path: record, day: day, item: .record, kind: .unreadable, expected: "", found: "")

            let outcome = try verification.repair([unreadable], in: .days([day]))

            #expect(outcome.resolved.isEmpty && !outcome.needsSync)
            #expect(outcome.repairs.map(\.action) == [.leftToUser])
            #expect(Set(verification.damage.map(\.path)) == [path, record])
            #expect(verification.daysToDownload == [day])
            let later = try verification.repair([], in: .days([day]))
            #expect(Set(later.resolved.map(\.path)) == [path, record])
        }
    }

    /// Without the list of pins, or without `state.json`, a verification of all days says nothing about the damage there.
    @Test func whatWasNotExaminedIsNotSaidToBeRepaired() {
        let pin = VerifyFinding(
            path: "\(Layout.favoriteStore)/x.jpg", day: MirrorUnderTest.newest, item: .pin,
            kind: .damaged, expected: "-", found: "-")
        let record = VerifyFinding(
            path: Layout.recordPath(of: MirrorUnderTest.newest), day: MirrorUnderTest.newest,
            item: .record, kind: .missing, expected: "-", found: "-")
        func unreadable(_ path: String) -> VerifyFinding {
            VerifyFinding(
                path: path, day: nil, item: .folder, kind: .unreadable, expected: "-", found: "-")
        }
        var damaged = VerifyState.none
        damaged.record(
            [pin, record].map { Repair(finding: $0, action: .leftToSync) },
            after: .init(of: .all, [pin, record]), at: Date())
        for (path, kept) in [(Layout.favoriteStore, pin), (Layout.state, record)] {
            for (findings, inventories) in [
                ([unreadable(path)], Set<FileInventory>()),
                ([], Set(FileInventory.allCases.filter { $0.path == path })),
            ] {
                var state = damaged
                state.record(
                    findings.map { Repair(finding: $0, action: .leftToUser) },
                    after: .init(of: .all, findings, unknownInventories: inventories), at: Date())

                #expect(state.damage.contains { $0.path == kept.path })
                #expect(state.repaired == 1)
            }
        }
    }

    @Test func whatIsUnreadableAloneIsDownloadedByNoSync() async throws {
        try await withSyncedMirror { mirror in
            let verification = try verification(mirror)
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let file = try #require(try mirror.record().picture).file
            let unreadable = VerifyFinding(
                path: file.path, day: day, item: .media(file), kind: .unreadable, expected: "",
                found: "")

            let outcome = try verification.repair([unreadable], in: .days([day]))

            #expect(!outcome.needsSync && verification.daysToDownload == [])
            #expect(try mirror.damagedFiles() == [])
            // The next slice reads it, whichever days are its own.
            #expect(try verification.run(after: .metNoObstacle).resolved.map(\.path) == [file.path])
        }
    }

    @Test func whatCouldNotBeReadIsVerifiedAgainAfterTheNextSync() async throws {
        try await withSyncedMirror { mirror in
            let verification = try verification(mirror)
            _ = try verification.run(after: .metNoObstacle)
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let file = try #require(try mirror.record().picture).file
            let unreadable = VerifyFinding(
                path: file.path, day: day, item: .media(file), kind: .unreadable, expected: "",
                found: "")
            _ = try verification.repair([unreadable], in: .days([day]))

            #expect(try verification.run(after: .syncEnded).resolved.map(\.path) == [file.path])
            #expect(verification.damage.isEmpty)
            // The disk or its permissions are right again, and no file was repaired.
            #expect(try VerifyState.read(from: mirror.tree).repaired == 0)
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
}
