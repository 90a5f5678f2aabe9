import APOD
import FoundationEssentials
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing
import Transfer

@testable import Mirror

/// Edits by NASA of entries that the newest page no longer contains.
@Suite(.timeLimit(.minutes(10))) struct RecheckTests {
    private let newest = MirrorUnderTest.newest

    /// The requests for lists since the last call.
    private func lists(_ mirror: MirrorUnderTest) -> [SimulatedRequest] {
        defer { mirror.simulator.resetLog() }
        return mirror.simulator.requests.filter { $0.kind == .list }
    }

    @Test func anEditOfAnOldDayIsFoundOnceItsListIsDue() async throws {
        try await withSyncedMirror(days: 40) { mirror in
            let day = newest.advanced(by: -35)
            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }

            mirror.advance(days: 29)
            let early = await mirror.sync(since: .days(40))
            mirror.advance(days: 1)
            let due = await mirror.sync(since: .days(40))

            #expect(early.edited == 0 && due.edited == 1)
            let record = try mirror.record(35)
            #expect(record.entry.title == "Quite Another Title" && record.revision == 2)
        }
    }

    /// Publishes `media` with that time of the article, always under the same address.
    private func publish(_ media: SimulatedMedia, hour: String, on mirror: MirrorUnderTest) {
        mirror.simulator.publish(
            SimulatedEntry(
                day: newest, title: "A Comet", explanationHTML: "It moves.", media: media,
                modified: "2026-11-20T\(hour):00:00-05:00"))
    }

    private func comet(_ seed: UInt64) -> SimulatedMedia {
        .drawn("comet.jpg", seed: seed, width: 64, height: 40)
    }

    /// At once, or after the first download failed.
    @Test(arguments: [false, true])
    func aPictureReplacedUnderItsAddressIsDetectedByItsModificationTime(
        failsOnce: Bool
    ) async throws {
        try await withMirror(days: 3) { mirror in
            publish(comet(1), hour: "00", on: mirror)
            await mirror.sync()
            let first = try mirror.record(0)
            publish(comet(2), hour: "09", on: mirror)
            if failsOnce {
                mirror.simulator.inject(.truncated(after: 100), on: .media, times: nil)
                await mirror.sync()
                mirror.simulator.clearFaults()
                mirror.advance(days: 1)
            }

            await mirror.sync()

            let second = try mirror.record(0)
            #expect(second.picture?.origin == first.picture?.origin)
            #expect(second.picture?.sha256 != first.picture?.sha256)
            #expect(failsOnce || second.revision == 2)
            #expect(try failsOnce || mirror.store.previousPaths(of: newest).count == 2)
        }
    }

    @Test func aChangeOfTheArticleAloneDownloadsNothingAndIsNotAnEdit() async throws {
        try await withMirror(days: 3) { mirror in
            publish(comet(1), hour: "00", on: mirror)
            await mirror.sync()
            let first = try mirror.record(0)
            publish(comet(1), hour: "09", on: mirror)
            mirror.simulator.resetLog()
            mirror.advance(hours: 1)

            let summary = await mirror.sync()

            let record = try mirror.record(0)
            #expect(record.modified == "2026-11-20T09:00:00-05:00" && record.revision == 1)
            #expect(record.lastChanged == first.lastChanged)
            #expect(summary.edited == 0 && summary.downloaded == 0)
            let requests = mirror.simulator.requests.filter { $0.kind == .media }
            #expect(requests.count == 1 && requests.first?.headers["if-none-match"] != nil)
            await mirror.sync()
            #expect(mirror.mediaRequests == 1)
        }
    }

    /// Browsers and rsync(1) find it by its time, also if it has the same size.
    @Test func aVideoReplacedUnderItsAddressIsDetectedByItsModificationTime() async throws {
        try await withMirror(days: 3) { mirror in
            func publish(_ byte: UInt8, hour: String) {
                let video = SimulatedPicture(
                    name: "comet.mp4", source: .bytes(minimalFilm([byte, byte])))
                self.publish(.videoFile(video), hour: hour, on: mirror)
            }
            publish(1, hour: "00")
            await mirror.sync(downloadsVideos: true)
            let first = try #require(try mirror.record(0).video)
            publish(2, hour: "09")

            let summary = await mirror.sync(downloadsVideos: true)

            #expect(summary.downloaded == 1 && summary.edited == 1)
            let second = try #require(try mirror.record(0).video)
            #expect(second.path == first.path && second.file?.sha256 != first.file?.sha256)
            let path = try #require(second.path)
            #expect(try mirror.tree.root.status(path)?.modified == newest.noon + 1)
            #expect(try mirror.store.previousPaths(of: newest).count == 2)
            // The article alone.
            publish(2, hour: "10")
            mirror.simulator.resetLog()
            await mirror.sync(downloadsVideos: true)
            await mirror.sync(downloadsVideos: true)
            // NASA has made no picture of the video, which is no failure.
            let requests = mirror.simulator.requests.filter { $0.kind == .media }
            #expect(requests.count { !$0.path.hasSuffix(".png") } == 1)
            #expect(try mirror.record(0).revision == 2)
        }
    }

    @Test func withNothingDueASyncSendsOneRequestAndWritesNothing() async throws {
        try await withSyncedMirror(days: 40) { mirror in
            mirror.advance(days: 30)
            mirror.simulator.resetLog()
            await mirror.sync(since: .days(40))
            #expect(lists(mirror).count == 1)
            let state = try mirror.tree.root.read(Layout.state)

            await mirror.sync(since: .days(40))
            mirror.advance(days: 29)

            #expect(mirror.simulator.requests.count == 1)
            #expect(try mirror.tree.root.read(Layout.state) == state)
            await mirror.sync(since: .days(40))
            #expect(lists(mirror).isEmpty)
        }
    }

    /// Adds the records of `count` days before those of a sync.
    private func addRecords(_ count: Int, to mirror: MirrorUnderTest) throws {
        for day in (25..<25 + count).map({ newest.advanced(by: -$0) }) {
            let folder = try mirror.tree.root.makeDirectory(Layout.folder(Layout.metadata, of: day))
            _ = try folder.open(Layout.recordName(of: day), O_WRONLY | O_CREAT)
        }
    }

    @Test func aWalkSendsAtMost16ListsADayAndContinuesTheNext() async throws {
        try await withMirror(days: 25) { mirror in
            await mirror.sync()
            try addRecords(500, to: mirror)
            mirror.advance(days: 30)
            mirror.simulator.resetLog()

            await mirror.sync()
            let first = lists(mirror)
            await mirror.sync()
            #expect(lists(mirror).isEmpty)
            mirror.advance(days: 1)
            await mirror.sync()
            let second = lists(mirror)
            mirror.advance(days: 1)
            await mirror.sync()

            #expect(first.count == 16 && second.count == 4)
            #expect(lists(mirror).isEmpty)
            let days = Set((first + second).compactMap { $0.query["date_to"] })
            #expect(days.count == 20)
        }
    }

    @Test func anUnreachableServerEndsTheWalkOfThatSyncAndNoDayIsSkipped() async throws {
        try await withSyncedMirror(days: 40) { mirror in
            let day = newest.advanced(by: -30)
            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }
            mirror.advance(days: 30)

            let events = mirror.synchronizer(since: .days(40)) { FeedWithoutLists(feed: $0) }.sync()
            let failed = await events.summary()
            mirror.advance(days: 1)
            let next = await mirror.sync(since: .days(40))

            #expect(failed.edited == 0 && failed.withFiles == 40)
            #expect(next.edited == 1)
        }
    }

    /// The server may be too slow for this list.
    @Test func aListThatNeverComesKeepsNoOlderListAway() async throws {
        try await withSyncedMirror(days: 80) { mirror in
            let edited = newest.advanced(by: -70)
            try mirror.simulator.edit(edited) { $0.title = "Quite Another Title" }
            mirror.advance(days: 30)
            let failing = newest.advanced(by: -30)

            var edits: [Int] = []
            for _ in 0..<4 {
                let synchronizer = mirror.synchronizer(since: .days(80)) {
                    FeedWithoutLists(feed: $0, failsForList: { $0.contains(failing) })
                }
                edits.append(await synchronizer.sync().summary().edited)
            }

            // Three syncs request the list, and the fourth one leaves it out.
            #expect(edits == [0, 0, 0, 1])
        }
    }

    @Test func aWalkThatIsTurnedOffOrHasNoTrustedClockSendsNothing() async throws {
        try await withSyncedMirror(days: 40) { mirror in
            mirror.advance(days: 30)
            let events = mirror.synchronizer(since: .days(40), rechecks: false).sync()
            _ = await events.summary()
            mirror.advance(days: -400)
            await mirror.sync(since: .days(40))

            #expect(lists(mirror).count == 1, "the first sync alone")
        }
    }

    @Test func everyRecordedDayIsWalkedOverOnce() {
        let today = newest.advanced(by: 30)
        var days = Set((0..<300).map { newest.advanced(by: -$0) })
        days.insert(.first)
        var walk = RecheckWalk(starting: today)

        var seen: [Day] = []
        var (day, requests) = (today, 0)
        while day < today.advanced(by: 29) {
            walk.startIfDue(on: day)
            while let range = walk.takeNextList(of: days, on: day) {
                seen += days.filter(range.contains)
                walk.finish(downTo: range.lowerBound)
                requests += 1
            }
            day = day.advanced(by: 1)
        }

        #expect(Set(seen) == days && seen.count == days.count)
        #expect(requests == 13)
    }
}
