import APOD
import FoundationEssentials
import Glibc
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// What `--keep` removes.
@Suite(.timeLimit(.minutes(10))) struct RetentionTests {
    let newest = MirrorUnderTest.newest

    func sync(
        _ mirror: MirrorUnderTest, keep: Keep, favorites: Set<Day> = [], since: Since = .days(12),
        downloadsVideos: Bool = false
    ) async -> SyncSummary {
        await mirror.synchronizer(
            since: since, downloadsVideos: downloadsVideos, keep: keep, favorites: favorites
        ).sync().summary()
    }

    /// Syncs once a day until nothing more is removed.
    func shrink(
        _ mirror: MirrorUnderTest, keep: Keep, favorites: Set<Day> = [], since: Since = .days(12)
    ) async {
        while await sync(mirror, keep: keep, favorites: favorites, since: since).removed > 0 {
            mirror.advance(days: 1)
        }
    }

    let oldest = MirrorUnderTest.newest.advanced(by: -11)

    /// Runs `body` with a mirror of the twelve days from ``oldest`` on.
    func withArchive(
        _ body: nonisolated(nonsending) (MirrorUnderTest) async throws -> Void
    ) async throws { try await withSyncedMirror(days: 12, body) }

    func complete(_ mirror: MirrorUnderTest) throws -> [Day] {
        try TreeSnapshot(of: mirror.tree.root).recordedWithMedia.sorted()
    }

    private func bytes(_ mirror: MirrorUnderTest) throws -> Int {
        try TreeSnapshot(of: mirror.tree.root).days.map(\.mediaBytes).reduce(0, +)
    }

    @Test func theOldestDaysAreRemovedATenthIn24Hours() async throws {
        try await withSyncedMirror(days: 30) { mirror in
            let synchronizer = mirror.synchronizer(since: .days(30), keep: .days(20))

            let first = await synchronizer.sync().summary()
            let removed = newest.advanced(by: -29)...newest.advanced(by: -27)
            #expect(first.removed == 3 && first.withFiles == 20 && first.missing == 0)
            let afterOne = try complete(mirror)
            #expect(afterOne.first == removed.upperBound.advanced(by: 1))

            for _ in 0..<10 {
                mirror.advance(days: 1)
                _ = await synchronizer.sync().summary()
            }
            let afterAll = try complete(mirror)
            #expect(afterAll.count == 20)
            #expect(afterAll.first == newest.advanced(by: -19))
        }
    }

    /// As a restart or a reload of the service begins them; also if the rest is less than a tenth.
    @Test(arguments: [Keep.days(5), .days(25)])
    func severalSyncsWithin24HoursRemoveATenthTogether(keep: Keep) async throws {
        try await withSyncedMirror(days: 30) { mirror in
            var removed = await sync(mirror, keep: .days(28), since: .days(30)).removed
            #expect(removed == 2)
            for hours in [0, 1, 21] {
                mirror.advance(hours: hours)
                removed += await sync(mirror, keep: keep, since: .days(30)).removed
            }
            #expect(removed == 3)
            let preview = try mirror.store.previewRetention(
                by: keep, favorites: [], at: mirror.now)
            #expect(preview?.maximumPerDay == 3 && preview?.maximumNow == 0)

            mirror.advance(hours: 2)
            #expect(await sync(mirror, keep: keep, since: .days(30)).removed == 2)
        }
    }

    /// As long as their files are new, their days may have been removed within 24 hours.
    @Test func recordsThatCannotBeReadHoldBackRemovalsForADayOnly() async {
        await #expect(processExitsWith: .success) {
            // Root may read all files.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withSyncedMirror(days: 30) { mirror in
                let tests = RetentionTests()
                #expect(await tests.sync(mirror, keep: .days(25), since: .days(30)).removed == 3)
                for age in 27...29 {
                    let path = Layout.recordPath(of: tests.newest.advanced(by: -age))
                    // The clock of the mirror is not that of the disk.
                    try mirror.tree.root.setModified(
                        Int(mirror.now.timeIntervalSince1970), of: path)
                    try #require(unsafe chmod(mirror.absolute(path), 0) == 0)
                }
                mirror.advance(hours: 2)
                #expect(await tests.sync(mirror, keep: .days(5), since: .days(30)).removed == 0)
                mirror.advance(days: 1)
                #expect(await tests.sync(mirror, keep: .days(5), since: .days(30)).removed == 2)
            }
        }
    }

    /// A removal by a clock that was ahead delays the next one by less than two days.
    @Test(arguments: [(hours: 2, removed: 0), (40 * 24, 2)])
    func aClockThatIsSetBackDoesNotStopRemovals(hours: Int, removed: Int) async throws {
        try await withSyncedMirror(days: 30) { mirror in
            mirror.advance(hours: hours)
            #expect(await sync(mirror, keep: .days(5), since: .days(30)).removed == 3)
            mirror.advance(hours: -hours)

            #expect(await sync(mirror, keep: .days(5), since: .days(30)).removed == removed)
            mirror.advance(hours: 24 + 2)
            #expect(await sync(mirror, keep: .days(5), since: .days(30)).removed == 2)
        }
    }

    /// Each new day makes another one too old.
    @Test func aSmallMirrorGetsAsSmallAsTheLimit() async throws {
        try await withMirror(days: 30) { mirror in
            let first = newest.advanced(by: -15)
            mirror.simulator.newest = first
            mirror.advance(days: -15)
            _ = await sync(mirror, keep: .all)
            for age in (0..<15).reversed() {
                mirror.simulator.newest = newest.advanced(by: -age)
                // The next sync is a little shorter.
                mirror.advance(
                    to: Date(timeIntervalSince1970: Double(newest.advanced(by: -age).noon + age)))
                _ = await sync(mirror, keep: .days(5))
            }
            let kept = try complete(mirror)
            #expect(kept.count == 5)
        }
    }

    @Test func aRemovedPictureIsDeletedAndItsRecordSaysSo() async throws {
        try await withArchive { mirror in
            let before = try mirror.record(11)
            let path = try mirror.picture(11)

            _ = await sync(mirror, keep: .days(11))

            let after = try mirror.record(11)
            #expect(after.picture?.removed != nil && after.removed == after.picture?.removed)
            var restored = after
            restored.picture?.removed = nil
            #expect(restored == before)
            #expect(try mirror.tree.root.status(path) == nil)
            #expect(try mirror.tree.root.status(Layout.trash) == nil)
        }
    }

    /// Neither the loss of the state nor a picture of the user brings it back.
    @Test func aRemovedDayIsNotDownloadedAgainUntilTheLimitIsHigher() async throws {
        try await withArchive { mirror in
            let whole = try mirror.contents()
            await shrink(mirror, keep: .days(8))
            let mine = "\(Layout.folder(Layout.pictures, of: oldest))/\(oldest) my.jpg"
            try mirror.write("mine", to: mine)
            let before = try mirror.contents()
            try mirror.remove(Layout.state)
            mirror.simulator.resetLog()

            let summary = await sync(mirror, keep: .days(8))

            #expect(summary.expected == 8 && summary.missing == 0 && summary.removed == 0)
            #expect(mirror.mediaRequests == 0)
            #expect(try mirror.contents() == before)

            let more = await sync(mirror, keep: .all)
            #expect(more.downloaded == 4 && more.withFiles == 12)
            #expect(try mirror.contents().keys.sorted() == (whole.keys + [mine]).sorted())
        }
    }

    @Test func aFirstSyncDownloadsNoMoreThanASizeKeeps() async throws {
        try await withMirror(days: 60) { mirror in
            await mirror.sync(since: .days(1))
            let limit = try bytes(mirror) * 5

            let synchronizer = mirror.synchronizer(
                since: .days(60), keep: .bytes(limit), favorites: [newest.advanced(by: -50)])
            _ = await synchronizer.sync().summary()

            // Including the downloads that ran when the limit was reached.
            #expect(mirror.mediaRequests < 20)
            #expect(try complete(mirror).contains(newest.advanced(by: -50)))
            // A sync removes only some of those.
            for _ in 0..<20 {
                mirror.advance(days: 1)
                _ = await synchronizer.sync().summary()
            }
            mirror.simulator.resetLog()
            let summary = await synchronizer.sync().summary()
            #expect(summary.missing == 0 && summary.removed == 0)
            #expect(mirror.mediaRequests == 0)
            #expect(try bytes(mirror) <= limit)
        }
    }

    /// Neither in a sync, nor in a process that reads no record, because an earlier one has compared them with the files.
    @Test func aFileOfAPersonBesideAPictureDoesNotCountForTheSize() async throws {
        try await withArchive { mirror in
            let size = try bytes(mirror)
            let mine = "\(Layout.folder(Layout.pictures, of: oldest))/\(oldest) mine.mp4"
            try mirror.write(String(repeating: "mine", count: size), to: mine)
            let before = try mirror.contents()

            for _ in 1...2 {
                let summary = await sync(mirror, keep: .bytes(size))
                #expect(summary.removed == 0 && summary.downloaded == 0)
            }
            let reader = Store(reading: mirror.tree)
            let snapshot = try TreeSnapshot(of: mirror.tree.root)
            #expect(reader.recordsAgree(inMonthOf: oldest, of: snapshot))
            #expect(try reader.recordedDays(in: snapshot).bytes(in: snapshot) == size)
            let preview = try reader.previewRetention(
                by: .bytes(size), favorites: [], at: mirror.now)
            #expect(preview?.removals == [])
            #expect(try mirror.contents() == before)

            // The day that does not fit goes once, and does not come back.
            #expect(await sync(mirror, keep: .bytes(size - 1)).removed == 1)
            let last = await sync(mirror, keep: .bytes(size - 1))
            #expect(last.removed == 0 && last.downloaded == 0)
            #expect(try mirror.tree.exists(mine))
        }
    }

    @Test func aReplacedPictureCountsOnce() async throws {
        try await withArchive { mirror in
            let day = newest.advanced(by: -2)
            let before = try bytes(mirror)
            try mirror.simulator.edit(day) {
                $0.media = .drawn("other.jpg", seed: 91, width: 48, height: 32)
            }

            let summary = await sync(mirror, keep: .bytes(before + 400))

            let after = try bytes(mirror)
            #expect(summary.downloaded == 1 && after != before && after < before + 400)
            #expect(summary.removed == 0)
        }
    }

    @Test func favoritesAndTheNewestDayAreNeverRemoved() async throws {
        try await withMirror { mirror in
            let favorite = newest.advanced(by: -10)
            let shown = newest.advanced(by: -5)
            await mirror.sync(since: .days(12))
            // The newest picture may be older than the newest day, which can be a video.
            try mirror.tree.root.symlink("latest.jpg", to: mirror.picture(5))

            await shrink(mirror, keep: .bytes(1), favorites: [favorite])

            #expect(try complete(mirror) == [favorite, shown, newest])
        }
    }

    /// NASA announces the size of the imported picture, but has another picture of that size.
    @Test(arguments: [Keep.days(3), .bytes(1)])
    func importedPicturesAreNeverRemoved(keep: Keep) async throws {
        try await withMirror { mirror in
            let imported = newest.advanced(by: -8)
            await mirror.sync(since: .days(1))
            let bytes = try #require(try mirror.tree.root.read(mirror.picture(0)))
            try mirror.store.publish(bytes, at: "\(Layout.adopted)/\(imported).jpg")
            await mirror.sync(since: .days(12))
            #expect(try mirror.tree.root.read(mirror.picture(8)) == bytes)

            await shrink(mirror, keep: keep)

            let recent = keep == .days(3) ? [-2, -1] : []
            let kept = ([-8] + recent + [0]).map { newest.advanced(by: $0) }
            #expect(try complete(mirror) == kept)
            #expect(try mirror.tree.root.read(mirror.picture(8)) == bytes)
            // A process that reads no record, because an earlier one has compared them with the files.
            let preview = try Store(reading: mirror.tree).previewRetention(
                by: keep, favorites: [], at: mirror.now)
            #expect(preview?.removals == [] && preview?.plan.protectedCount == 2)
        }
    }

    /// The favorites cannot be read, the clock is not that of NASA, or NASA is unreachable.
    enum Doubt: CaseIterable { case favorites, clockBehind, clockAhead, server }

    @Test(arguments: Doubt.allCases) func nothingIsRemovedInDoubt(doubt: Doubt) async throws {
        try await withArchive { mirror in
            var synchronizer = mirror.synchronizer(since: .days(12), keep: .days(3))
            switch doubt {
            case .favorites:
                synchronizer = Synchronizer(like: synchronizer) {
                    throw SystemError("open", path: "favorites", code: EACCES)
                }
            case .clockBehind: mirror.advance(days: -400)
            case .clockAhead: mirror.advance(days: 90)
            case .server: mirror.simulator.inject(.status(500, body: nil), on: .lists, times: nil)
            }

            let summary = await synchronizer.sync().summary()

            #expect(summary.removed == 0 && (doubt != .favorites || summary.obstacle == nil))
            #expect((summary.failure != nil) == (doubt == .favorites))
            let days = try complete(mirror)
            #expect(days.count == 12)
        }
    }

    @Test func aRemovedDayThatBecomesAFavoriteIsDownloadedAgain() async throws {
        try await withArchive { mirror in
            let before = try mirror.record(11)
            await shrink(mirror, keep: .days(8))

            let summary = await sync(mirror, keep: .days(8), favorites: [oldest])

            #expect(summary.downloaded == 1 && summary.edited == 0)
            #expect(try mirror.record(11).picture == before.picture)
            let status = try #require(try mirror.tree.root.status(mirror.picture(11)))
            #expect(status.size == before.picture?.bytes && status.modified == oldest.noon)
        }
    }

    @Test func removedFavoritesStayInTheTrashForThirtyDays() async throws {
        try await withArchive { mirror in
            let removed = newest.advanced(by: -30)
            let folder = try mirror.tree.makeTrashFolder(on: removed)
            let favorite = Store.nameOfRemovedFavorite(newest, ".jpg")
            for name in [favorite, "foreign", "\(newest) mine.jpg"] {
                try mirror.store.publish([1], at: "\(Layout.trash)/\(removed)/\(name)")
            }

            _ = await sync(mirror, keep: .all)
            #expect(try folder.textNames().count == 3)
            // NASA has no newer day: a clock that is ahead is wrong.
            for days in [1, 30, 28] {
                mirror.advance(days: days)
                _ = await sync(mirror, keep: .all)
                #expect(try folder.textNames().count == 3)
            }
            try mirror.store.emptyTrash(on: removed.advanced(by: 31))

            #expect(try folder.textNames().sorted() == ["\(newest) mine.jpg", "foreign"])
        }
    }

    @Test(arguments: [30, 31]) func aSyncDeletesWhatWasInTheTrashForThirtyDays(
        days: Int
    ) async throws {
        try await withArchive { mirror in
            let removed = newest.advanced(by: -days)
            let name = Store.nameOfRemovedFavorite(newest, ".json")
            _ = try mirror.tree.makeTrashFolder(on: removed)
            try mirror.store.publish([1], at: "\(Layout.trash)/\(removed)/\(name)")

            _ = await sync(mirror, keep: .all)

            let folder = try mirror.tree.root.folder("\(Layout.trash)/\(removed)")
            #expect((folder != nil) == (days == 30))
        }
    }

    @Test func earlierVersionsCountForTheSizeAndGoWithTheirDay() async throws {
        try await withArchive { mirror in
            let size = try bytes(mirror)
            let damaged = try mirror.picture(11)
            try mirror.store.moveDamaged(damaged, of: oldest)
            await mirror.sync(since: .days(12))
            for seed in 1...3 as ClosedRange<UInt64> {
                try mirror.replacePicture(11, seed: seed)
                await mirror.sync(since: .days(12))
            }
            let edited = try mirror.damagedFiles()
            let replaced = try #require(try mirror.store.replacedBytes()[oldest])
            #expect(try mirror.store.previousPaths(of: oldest).count == 6 && replaced > 0)

            // The pictures alone fit: the day returns without its versions.
            let keep = Keep.bytes(size + replaced / 2)
            #expect(await sync(mirror, keep: keep).removed == 1)
            #expect(try mirror.record(11).removed != nil)
            #expect(await sync(mirror, keep: keep).downloaded == 1)
            #expect(await sync(mirror, keep: keep).removed == 0)

            #expect(try mirror.record(11).removed == nil)
            #expect(try mirror.store.previousPaths(of: oldest) == [])
            #expect(try mirror.damagedFiles() == edited)
        }
    }

    // MARK: The plan

    private func sizes(_ bytes: [Int]) -> [Day: Int] {
        Dictionary(uniqueKeysWithValues: bytes.enumerated().map { (newest.advanced(by: -$0), $1) })
    }

    @Test func aSizeExcludesAllDaysFromTheFirstThatDoesNotFit() throws {
        let plan = try RetentionPlan(
            .bytes(10), newest: newest, sizes: sizes([1, 4, 20, 1, 1]), protected: [newest])

        #expect(plan.oldestKept == newest.advanced(by: -1))
        #expect(plan.removals == [-4, -3, -2].map { newest.advanced(by: $0) })
        #expect(plan.protectedBytes == 1)
    }

    @Test(arguments: [
        ("all", Keep.all), ("365d", .days(365)), ("20GB", .bytes(20_000_000_000)),
        ("1.5GiB", .bytes(3 << 29)), ("700B", .bytes(700)), ("0.1GiB", .bytes(107_374_182)),
    ])
    func aLimitIsReadAndWritten(text: String, keep: Keep) {
        #expect(Keep(text) == keep)
        #expect(Keep(keep.description) == keep)
    }

    @Test(arguments: [
        "0", "0d", "-1d", "0GB", "-5GB", "365", "d", "GB", "1e99GB", "nanGB", "", "All",
    ])
    func otherTextIsNotALimit(text: String) { #expect(Keep(text) == nil) }
}

extension Synchronizer {
    fileprivate init(
        like other: Synchronizer, favorites: @escaping @Sendable () throws -> Set<Day>
    ) {
        self.init(
            routes: other.routes, client: other.client, store: other.store,
            options: other.options, wantedFavorites: other.wantedFavorites,
            favorites: favorites,
            now: other.now, built: other.built)
    }
}
