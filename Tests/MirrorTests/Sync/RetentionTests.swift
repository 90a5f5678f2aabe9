import APOD
import FoundationEssentials
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Mirror

/// What `--keep` removes.
@Suite(.timeLimit(.minutes(10))) struct RetentionTests {
    private let newest = MirrorUnderTest.newest

    private func sync(
        _ mirror: MirrorUnderTest, keep: Keep, favorites: Set<Day> = [], since: Since = .days(12),
        downloadsVideos: Bool = false
    ) async -> SyncSummary {
        await mirror.synchronizer(
            since: since, downloadsVideos: downloadsVideos, keep: keep, favorites: favorites
        ).sync().summary()
    }

    /// Syncs until nothing more is removed: one sync removes a tenth.
    private func shrink(
        _ mirror: MirrorUnderTest, keep: Keep, favorites: Set<Day> = [], since: Since = .days(12)
    ) async {
        while await sync(mirror, keep: keep, favorites: favorites, since: since).removed > 0 {}
    }

    private func complete(_ mirror: MirrorUnderTest) throws -> [Day] {
        try TreeSnapshot(of: mirror.tree.root).recordedWithMedia.sorted()
    }

    private func bytes(_ mirror: MirrorUnderTest) throws -> Int {
        try TreeSnapshot(of: mirror.tree.root).days.map(\.mediaBytes).reduce(0, +)
    }

    @Test func theOldestDaysAreRemovedATenthInASync() async throws {
        try await withMirror(days: 30) { mirror in
            await mirror.sync(since: .days(30))
            let synchronizer = mirror.synchronizer(since: .days(30), keep: .days(20))

            let first = await synchronizer.sync().summary()
            let removed = newest.advanced(by: -29)...newest.advanced(by: -27)
            #expect(first.removed == 3 && first.withFiles == 20 && first.missing == 0)
            let afterOne = try complete(mirror)
            #expect(afterOne.first == removed.upperBound.advanced(by: 1))

            for _ in 0..<10 { _ = await synchronizer.sync().summary() }
            let afterAll = try complete(mirror)
            #expect(afterAll.count == 20)
            #expect(afterAll.first == newest.advanced(by: -19))
        }
    }

    /// The size alone says nothing.
    @Test func aFileOfTheUserInPlaceOfAPictureIsNotRemoved() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let path = try mirror.picture(11)
            try mirror.rot(path) { $0 = $0.map { _ in UInt8(ascii: "x") } }
            let own = try mirror.tree.root.read(path)

            _ = await sync(mirror, keep: .days(11))

            #expect(try mirror.tree.root.read(path) == own)
        }
    }

    @Test func aRemovedPictureIsDeletedAndItsRecordSaysSo() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let day = newest.advanced(by: -11)
            let before = try #require(try mirror.store.record(of: day))
            let path = try #require(before.picture?.path)

            _ = await sync(mirror, keep: .days(11))

            let after = try #require(try mirror.store.record(of: day))
            #expect(after.picture?.removed != nil && after.removed == after.picture?.removed)
            var restored = after
            restored.picture?.removed = nil
            #expect(restored == before)
            #expect(try mirror.tree.root.status(path) == nil)
            #expect(try mirror.tree.root.status(Layout.trash) == nil)
        }
    }

    @Test func aFileOfTheUserInPlaceOfTheThumbnailOfARemovedDayStays() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let day = newest.advanced(by: -11)
            let paths = [Layout.thumbnail(of: day), Rendition.path(of: day)]
            for path in paths { try mirror.write("mine", to: path) }

            _ = await sync(mirror, keep: .days(11))

            #expect(try mirror.store.record(of: day)?.removed != nil)
            for path in paths { #expect(try mirror.tree.root.read(path) == Array("mine".utf8)) }
        }
    }

    @Test func aRemovedDayIsNotDownloadedAgainEvenWithoutItsState() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            await shrink(mirror, keep: .days(8))
            let before = try mirror.contents()
            try mirror.tree.root.remove(Layout.state)
            mirror.simulator.resetLog()

            let summary = await sync(mirror, keep: .days(8))

            #expect(summary.expected == 8 && summary.missing == 0 && summary.removed == 0)
            #expect(!mirror.simulator.requests.contains { $0.kind == .media })
            #expect(try mirror.contents() == before)
        }
    }

    @Test func aSizeKeepsTheNewestDaysThatFit() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let limit = try bytes(mirror) / 2

            await shrink(mirror, keep: .bytes(limit))

            #expect(try bytes(mirror) <= limit)
            let days = try complete(mirror)
            #expect(days == Array(days[0]...newest) && days.count > 2)
            mirror.simulator.resetLog()
            try mirror.tree.root.remove(Layout.state)
            let summary = await sync(mirror, keep: .bytes(limit))
            #expect(summary.missing == 0 && summary.expected == days.count)
            #expect(!mirror.simulator.requests.contains { $0.kind == .media })
        }
    }

    @Test func aFirstSyncDownloadsNoMoreThanASizeKeeps() async throws {
        try await withMirror(days: 60) { mirror in
            await mirror.sync(since: .days(1))
            let limit = try bytes(mirror) * 5

            let synchronizer = mirror.synchronizer(
                since: .days(60), keep: .bytes(limit), favorites: [newest.advanced(by: -50)])
            _ = await synchronizer.sync().summary()

            let pictures = mirror.simulator.requests.filter { $0.kind == .media }.count
            // Including the downloads that ran when the limit was reached.
            #expect(pictures < 20, "\(pictures)")
            let left = try complete(mirror)
            #expect(left.contains(newest.advanced(by: -50)))
            for _ in 0..<10 { _ = await synchronizer.sync().summary() }
            mirror.simulator.resetLog()
            let summary = await synchronizer.sync().summary()
            #expect(summary.missing == 0 && summary.removed == 0)
            #expect(!mirror.simulator.requests.contains { $0.kind == .media })
            #expect(try bytes(mirror) <= limit)
        }
    }

    @Test func aReplacedPictureCountsOnce() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let day = newest.advanced(by: -2)
            let before = try bytes(mirror)
            var entry = try #require(mirror.simulator.entry(of: day))
            entry.media = .picture(
                SimulatedPicture(
                    name: "other.jpg", source: .drawn(Drawing(seed: 91, width: 48, height: 32))))
            mirror.simulator.publish(entry)

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
            let path = try #require(try mirror.store.record(of: shown)?.picture?.path)
            try mirror.tree.root.symlink("latest.jpg", to: path)

            await shrink(mirror, keep: .bytes(1), favorites: [favorite])

            let left = try complete(mirror)
            #expect(left == [favorite, shown, newest])
        }
    }

    @Test func nothingIsRemovedWhileTheFavoritesCannotBeRead() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let synchronizer = Synchronizer(
                like: mirror.synchronizer(since: .days(12), keep: .days(3)),
                favorites: { throw SystemError("open", path: "favorites", code: 13) })

            let summary = await synchronizer.sync().summary()

            #expect(summary.removed == 0 && summary.obstacle == nil)
            let left = try complete(mirror)
            #expect(left.count == 12)
        }
    }

    @Test(arguments: [-400, 90])
    func nothingIsRemovedWhileTheClockIsNotTrusted(days: Int) async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            mirror.advance(days: days)

            let summary = await sync(mirror, keep: .days(3))

            #expect(summary.removed == 0)
            let left = try complete(mirror)
            #expect(left.count == 12)
        }
    }

    /// Each sync of the clock that is behind records its own time.
    @Test func aClockThatIsBehindRemovesNothingHoweverOftenItSyncs() async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = newest.advanced(by: -1)
            await mirror.sync(since: .days(11))
            mirror.simulator.newest = nil
            mirror.advance(days: -20)

            for _ in 1...3 {
                #expect(await sync(mirror, keep: .days(3)).removed == 0)
            }

            let complete = try complete(mirror)
            #expect(complete.count == 12)
        }
    }

    @Test func nothingIsRemovedWhileNASAIsUnreachable() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            mirror.simulator.inject(.status(500, body: nil), on: .lists, times: nil)

            let summary = await sync(mirror, keep: .days(3))

            #expect(summary.removed == 0)
        }
    }

    @Test func aRemovedDayThatBecomesAFavoriteIsDownloadedAgain() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let day = newest.advanced(by: -11)
            let before = try #require(try mirror.store.record(of: day))
            await shrink(mirror, keep: .days(8))

            let summary = await sync(mirror, keep: .days(8), favorites: [day])

            #expect(summary.downloaded == 1 && summary.edited == 0)
            #expect(try mirror.store.record(of: day)?.picture == before.picture)
            let path = try #require(before.picture?.path)
            let status = try #require(try mirror.tree.root.status(path))
            #expect(status.size == before.picture?.bytes && status.modified == day.noon)
        }
    }

    /// The first sync that keeps all days cannot download the picture, or the state was deleted before it.
    @Test(arguments: [true, false])
    func aPictureOfTheUserDoesNotReplaceARemovedOne(isStateLost: Bool) async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            // Not in the newest list.
            let day = newest.advanced(by: -39)
            let folder = try #require(
                try mirror.tree.root.folder(Layout.folder(Layout.pictures, of: day)))
            try mirror.store.publishAlways([1], in: folder, as: "\(day) mine.jpg")
            await shrink(mirror, keep: .days(37), since: .days(40))
            let keepsAll = mirror.synchronizer(since: .days(40), rechecks: false)
            if isStateLost {
                try mirror.tree.root.folder(Layout.own)?.remove("state.json")
            } else {
                mirror.simulator.inject(.status(500, body: nil), on: .lists, times: nil)
                _ = await keepsAll.sync().summary()
                mirror.simulator.clearFaults()
            }

            let summary = await keepsAll.sync(retry: .anyFailure).summary()

            #expect(summary.missing == 0, "\(summary)")
            let picture = try #require(try mirror.store.record(of: day)?.picture)
            #expect(picture.removed == nil)
            #expect(try mirror.tree.exists(picture.path))
            #expect(try folder.read("\(day) mine.jpg") == [1])
        }
    }

    /// The records of days before those that are kept were lost: without them, the pictures count as a user's.
    @Test func aPictureWithoutARecordStaysWhenItsDayIsNotKept() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let pictures = try (7..<12).map { try mirror.picture($0) }
            for ago in 7..<12 {
                try mirror.remove(Layout.recordPath(of: newest.advanced(by: -ago)))
            }
            mirror.simulator.resetLog()

            await shrink(mirror, keep: .days(6))

            for path in pictures { #expect(try mirror.tree.exists(path), "\(path)") }
            let left = try complete(mirror)
            #expect(left.count == 6)
            #expect(!mirror.simulator.requests.contains { $0.kind == .media })
        }
    }

    @Test func aHigherLimitDownloadsThePicturesAgain() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let before = try mirror.contents()
            await shrink(mirror, keep: .days(3))
            mirror.simulator.resetLog()

            let summary = await sync(mirror, keep: .all)

            #expect(summary.downloaded == 9 && summary.withFiles == 12)
            #expect(try mirror.contents().keys.sorted() == before.keys.sorted())
        }
    }

    @Test func removedFavoritesStayInTheTrashForThirtyDays() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let removed = newest.advanced(by: -30)
            let folder = try mirror.tree.makeTrashFolder(on: removed)
            let favorite = Store.nameOfRemovedFavorite(newest, ".jpg")
            for name in [favorite, "foreign", "\(newest) mine.jpg"] {
                try mirror.store.publishAlways([1], in: folder, as: name)
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

    @Test func earlierVersionsCountForTheSizeAndGoWithTheirDay() async throws {
        try await withMirror { mirror in
            let day = newest.advanced(by: -11)
            await mirror.sync(since: .days(12))
            let size = try bytes(mirror)
            let damaged = try #require(try mirror.store.record(of: day)?.picture?.path)
            try mirror.store.moveDamaged(damaged, of: day)
            await mirror.sync(since: .days(12))
            for seed in 1...3 as ClosedRange<UInt64> {
                var entry = try #require(mirror.simulator.entry(of: day))
                let drawing = Drawing(seed: seed, width: 64, height: 40)
                entry.media = .picture(
                    SimulatedPicture(name: "\(seed).jpg", source: .drawn(drawing)))
                mirror.simulator.publish(entry)
                await mirror.sync(since: .days(12))
            }
            let folder = try #require(try mirror.tree.root.folder(Layout.damaged))
            try mirror.store.publishAlways([1], in: folder, as: "\(day) mine.jpg")
            let replaced = try #require(try mirror.store.replacedBytes()[day])
            #expect(try mirror.store.previousPaths(of: day).count == 6 && replaced > 0)

            // The pictures alone fit: the day returns without its versions.
            let keep = Keep.bytes(size + replaced / 2)
            #expect(await sync(mirror, keep: keep).removed == 1)
            #expect(try mirror.store.record(of: day)?.removed != nil)
            #expect(await sync(mirror, keep: keep).downloaded == 1)
            #expect(await sync(mirror, keep: keep).removed == 0)

            #expect(try mirror.store.record(of: day)?.removed == nil)
            #expect(try mirror.store.previousPaths(of: day) == [])
            #expect(try folder.textNames() == ["\(day) mine.jpg"])
        }
    }

    @Test func earlierVersionsGoWithTheirDay() async throws {
        try await withMirror { mirror in
            let day = newest.advanced(by: -11)
            await mirror.sync(since: .days(12))
            var entry = try #require(mirror.simulator.entry(of: day))
            entry.title = "Quite Another Title"
            mirror.simulator.publish(entry)
            await mirror.sync(since: .days(12))
            #expect(try mirror.store.previousPaths(of: day).count == 1)

            await shrink(mirror, keep: .days(11))

            #expect(try mirror.store.previousPaths(of: day) == [])
        }
    }

    @Test func aPictureThatCannotBeReadIsReportedAndTheOthersAreRemoved() async {
        await #expect(processExitsWith: .success) {
            // Root may read all files.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withMirror { mirror in
                await mirror.sync(since: .days(12))
                let (unreadable, next) = (try mirror.picture(11), try mirror.picture(10))
                try #require(unsafe chmod(mirror.absolute(unreadable), 0) == 0)

                var problems: [String] = []
                let synchronizer = mirror.synchronizer(since: .days(12), keep: .days(10))
                for await event in synchronizer.sync() {
                    if case .problem(let text) = event { problems.append(text) }
                }

                #expect(problems.count == 1 && problems[0].contains(unreadable))
                #expect(try mirror.tree.exists(unreadable))
                #expect(try !mirror.tree.exists(next))
            }
        }
    }

    /// Also the one that the mirror left under an earlier name.
    @Test func everyLinkToARemovedPictureStays() async throws {
        try await withMirror { mirror in
            let day = newest.advanced(by: -11)
            let root = mirror.tree.root
            await mirror.sync(since: .days(12))
            let before = try mirror.picture(11)
            try await publishPNG(on: day, in: mirror)
            let picture = try mirror.picture(11)
            let (folder, name) = Layout.split(picture)
            #expect(root.target(of: before) == name)
            let links = ["my link.jpg", "\(day) my link.jpg", "\(name.dropLast(4)).gif"]
            for link in links { try root.symlink("\(folder)/\(link)", to: name) }

            await shrink(mirror, keep: .days(11))

            #expect(try root.status(picture) == nil && root.target(of: before) == name)
            for link in links { #expect(root.target(of: "\(folder)/\(link)") == name) }
        }
    }

    /// NASA replaces the picture of `day` by one of another type, and a sync publishes that.
    private func publishPNG(on day: Day, in mirror: MirrorUnderTest) async throws {
        var entry = try #require(mirror.simulator.entry(of: day))
        entry.media = .drawn("better.png", seed: 7, width: 64, height: 40, format: .png)
        mirror.simulator.publish(entry)
        await mirror.sync(since: .days(12))
    }

    @Test func aFileThatIsOnlyNamedAsAnEarlierVersionStays() async throws {
        try await withMirror { mirror in
            let day = newest.advanced(by: -11)
            await mirror.sync(since: .days(12))
            let hash = String(repeating: "0", count: 64)
            let paths = [Layout.previous, Layout.damaged].map { "\($0)/\(day) \(hash).jpg" }
            for path in paths { try mirror.write("mine", to: path) }

            await shrink(mirror, keep: .days(11))

            #expect(try mirror.store.record(of: day)?.removed != nil)
            for path in paths { #expect(try mirror.tree.root.read(path) == Array("mine".utf8)) }
        }
    }

    @Test func aMonthWhoseFilesCannotBeDeletedStopsNoOther() async {
        await #expect(processExitsWith: .success) {
            // Root may write everywhere.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withMirror(days: 40) { mirror in
                await mirror.sync(since: .days(40))
                let october = mirror.absolute("\(Layout.pictures)/2026/2026-10")
                try #require(unsafe chmod(october, 0o555) == 0)

                // 20 days of October, and five of November, of which one sync removes four.
                let summary = await mirror.synchronizer(since: .days(40), keep: .days(15)).sync()
                    .summary()

                #expect(summary.removed == 4, "\(summary)")
                try #require(unsafe chmod(october, 0o755) == 0)
            }
        }
    }

    @Test func aFileOfARemovedDayWithOtherContentsStays() async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            // Older than the polled days, whose files of a wrong size are repaired.
            let day = newest.advanced(by: -39)
            let picture = try #require(try mirror.store.record(of: day)?.picture)
            let folder = try #require(
                try mirror.tree.root.folder(Layout.split(picture.path).folder))
            let mine = [UInt8](repeating: 7, count: picture.bytes)
            try mirror.store.publishAlways(mine, in: folder, as: Layout.split(picture.path).name)

            await shrink(mirror, keep: .days(36))

            #expect(try mirror.tree.root.read(picture.path) == mine)
        }
    }

    @Test func aTextEditOfARemovedDayIsRecordedAndNothingIsDownloaded() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            await shrink(mirror, keep: .days(8))
            let day = newest.advanced(by: -11)
            var entry = try #require(mirror.simulator.entry(of: day))
            entry.title = "Quite Another Title"
            mirror.simulator.publish(entry)
            mirror.simulator.resetLog()

            let summary = await sync(mirror, keep: .days(8))

            #expect(summary.edited == 1 && summary.downloaded == 0)
            #expect(!mirror.simulator.requests.contains { $0.kind == .media })
            let record = try #require(try mirror.store.record(of: day))
            #expect(record.entry.title == "Quite Another Title" && record.removed != nil)
            let left = try complete(mirror)
            #expect(!left.contains(day))
            #expect(try mirror.store.previousPaths(of: day).count == 1)
        }
    }

    @Test func aVideoItsPageAndItsThumbnailAreRemovedWithThePicture() async throws {
        try await withMirror(extras: .all) { mirror in
            let days = (0..<12).map { newest.advanced(by: -$0) }
            _ = await sync(mirror, keep: .all, downloadsVideos: true)
            let thumbnails = days.map {
                ViewFiles.File(path: Layout.thumbnail(of: $0), bytes: [1])
            }
            _ = try ViewFiles(of: .thumbnails, in: mirror.store).publish(thumbnails)
            func files() throws -> [String: [UInt8]] {
                try mirror.contents().filter { $0.key.hasPrefix("\(Layout.pictures)/") }
            }
            let before = try files()

            while await sync(mirror, keep: .bytes(1), downloadsVideos: true).removed > 0 {}

            let kept = try mirror.contents().keys.filter {
                $0.hasPrefix("pictures/") || $0.hasPrefix(Layout.thumbnails)
            }
            for path in kept where !path.contains("\(newest)") {
                // A day without a picture has nothing to remove.
                let day = try #require(FileName.day(of: Layout.split(path).name))
                let record = try #require(try mirror.store.record(of: day))
                #expect(record.picture == nil && record.video?.path == nil, "\(path)")
            }
            _ = await sync(mirror, keep: .all, downloadsVideos: true)
            #expect(try files() == before)
        }
    }

    @Test func aFileThatDiffersFromItsRecordIsNotRemoved() async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            // Older than the polled days, whose files of a wrong size are repaired.
            let day = newest.advanced(by: -39)
            let path = try #require(try mirror.store.record(of: day)?.picture?.path)
            let folder = try #require(try mirror.tree.root.folder(Layout.split(path).folder))
            try mirror.store.publishAlways([1, 2, 3], in: folder, as: Layout.split(path).name)

            await shrink(mirror, keep: .days(36))

            #expect(try mirror.tree.root.read(path) == [1, 2, 3])
            #expect(try mirror.store.record(of: day)?.removed == nil)
            let left = try complete(mirror)
            #expect(left.count == 37)
        }
    }

    @Test func aFileOfTheUserDoesNotBringARemovedDayBack() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            await shrink(mirror, keep: .days(8))
            let day = newest.advanced(by: -10)
            try mirror.store.publishAlways(
                Array("mine".utf8), at: "\(Layout.folder(Layout.pictures, of: day))/\(day) my.jpg")
            let before = try mirror.contents()
            mirror.simulator.resetLog()

            let summary = await sync(mirror, keep: .days(8))

            #expect(summary.removed == 0 && summary.downloaded == 0)
            #expect(!mirror.simulator.requests.contains { $0.kind == .media })
            #expect(try mirror.contents() == before)
        }
    }

    // MARK: The plan

    private func sizes(_ bytes: [Int]) -> [Day: Int] {
        Dictionary(uniqueKeysWithValues: bytes.enumerated().map { (newest.advanced(by: -$0), $1) })
    }

    @Test func aSizeExcludesAllDaysFromTheFirstThatDoesNotFit() {
        let plan = RetentionPlan(
            .bytes(10), newest: newest, sizes: sizes([1, 4, 20, 1, 1]), protected: [newest])

        #expect(plan.oldestKept == newest.advanced(by: -1))
        #expect(plan.removals == [-4, -3, -2].map { newest.advanced(by: $0) })
        #expect(plan.protectedBytes == 1)
    }

    @Test func aRemovedDayFitsOnlyWithItsRecordedSize() {
        let removed = newest.advanced(by: -3)
        let plan = { (size: Int) in
            RetentionPlan(
                .bytes(10), newest: self.newest, sizes: self.sizes([1, 4, 4]), protected: [],
                removed: [removed], removedSize: { _ in size })
        }

        #expect(plan(1).oldestKept == nil)
        #expect(plan(2).oldestKept == removed.advanced(by: 1) && plan(2).removals == [])
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
            feed: other.feed, client: other.client, store: other.store,
            options: other.options, missingFavorites: other.missingFavorites,
            favorites: favorites,
            now: other.now, built: other.built)
    }
}
