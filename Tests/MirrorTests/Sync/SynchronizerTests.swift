import APOD
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Mirror

@Suite(.timeLimit(.minutes(10))) struct SynchronizerTests {
    /// The daemon gives each sync a minute.
    @Test func aBacklogWhoseTimeIsOverContinuesInTheNextSync() async throws {
        try await withMirror(days: 60) { mirror in
            let synchronizer = mirror.synchronizer(since: .days(60))
            let simulator = mirror.simulator
            let first = await synchronizer.sync { [simulator] in
                simulator.requests.count { $0.kind == .media } >= 3
            }.summary()
            #expect(first.isUnfinished && first.obstacle == nil)
            #expect(first.newestWithFiles == MirrorUnderTest.newest)
            #expect(first.withFiles > 0 && first.withFiles < 40)

            var last = first
            for _ in 1...60 where last.isUnfinished {
                let before = last.withFiles
                last = await synchronizer.sync { true }.summary()
                #expect(last.withFiles > before)
            }

            #expect(!last.isUnfinished && last.withFiles == 60)
        }
    }

    @Test func aBacklogWithoutEntriesEndsWhenItsTimeIsOver() async throws {
        try await withMirror(days: 25) { mirror in
            let synchronizer = mirror.synchronizer(since: .days(60)) { FeedWithoutLists(feed: $0) }

            let summary = await synchronizer.sync { true }.summary()

            #expect(summary.isUnfinished)
            #expect(mirror.simulator.requests.count { $0.kind == .day } <= 2)
        }
    }

    let newest = MirrorUnderTest.newest
    private func day(_ ago: Int) -> Day { newest.advanced(by: -ago) }

    @Test(arguments: FeedKind.allCases)
    func everyDayIsStoredAsServed(feed: FeedKind) async throws {
        try await withMirror(extras: [.formats, .awkwardTitles]) { mirror in
            let summary = await mirror.sync(feed: feed)

            #expect(summary.obstacle == nil)
            #expect((summary.expected, summary.withFiles, summary.downloaded) == (10, 10, 10))
            for ago in 0..<10 {
                let record = try #require(try mirror.store.record(of: day(ago)))
                let picture = try #require(record.picture)
                let bytes = try #require(try mirror.tree.root.read(picture.path))
                var hash = SHA256()
                hash.update(bytes)
                #expect(hash.hexDigest() == picture.sha256)
                #expect(bytes.count == picture.bytes)
                #expect((picture.width, picture.height) == (48, 32))
                #expect(try mirror.tree.root.status(picture.path)?.modified == day(ago).noon)
                #expect(picture.path.hasPrefix("pictures/2026/2026-11/\(day(ago)) "))
                #expect(record.missing == nil && record.revision == 1)
                #expect(record.feed == feed.rawValue)
            }
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    @Test func eachPictureIsDeliveredAsSoonAsItIsPublished() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(.hang, on: .mediaOf(day(3)), times: nil)
            var arrived: [Day] = []
            let events = mirror.synchronizer().sync()
            for await event in events {
                guard case .day(let outcome) = event else { continue }
                arrived.append(outcome.day)
                let record = try mirror.store.record(of: outcome.day)
                let path = try #require(record?.picture?.path)
                #expect(try mirror.tree.exists(path))
                // All others are complete while one hangs, which is released only now.
                if arrived.count == 9 {
                    #expect(!arrived.contains(day(3)))
                    await mirror.simulator.releaseRequests()
                }
            }

            #expect(arrived.last == day(3))
            #expect(Set(arrived).count == 10)
        }
    }

    /// A consumer of the events, and one that waits for the summary only.
    @Test(.timeLimit(.minutes(10)), arguments: [true, false])
    func cancellingTheConsumerCancelsTheSync(consumesEvents: Bool) async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(.hang, on: .media, times: nil)
            let arrivals = mirror.simulator.arrivals()
            let events = mirror.synchronizer().sync()
            let consumer = Task {
                if consumesEvents { for await _ in events {} }
                return await events.summary()
            }
            for await request in arrivals where request.kind == .media { break }

            consumer.cancel()
            let summary = await consumer.value

            #expect(summary.downloaded == 0)
            let state = try mirror.store.state()
            #expect(state.retries.isEmpty)
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    @Test(arguments: [
        Fault.notFound, .html, .empty, .status(500, body: nil), .refuse, .wrongLength,
        .truncated(after: 100), .redirectLoop, .redirect(to: "file:///etc/passwd"),
        .redirect(to: "http://192.0.2.1/x.jpg"),
        .redirect(to: "https://nasa.gov.example.org/x.jpg"),
        .verbatim(status: 200, headers: [:], body: Array("%PDF-1.4".utf8)),
    ])
    func aFailingPictureNeverStopsTheOthers(fault: Fault) async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(fault, on: .mediaOf(day(4)), times: nil)

            let summary = await mirror.sync()

            #expect((summary.withFiles, summary.missing) == (9, 1))
            #expect(summary.obstacle == nil)
            let record = try #require(try mirror.store.record(of: day(4)))
            #expect(record.picture == nil && record.missing?.reason.isEmpty == false)
            let retry = try #require(try mirror.store.state().retries[day(4)])
            #expect(retry.attempts == 1 && retry.reason == record.missing?.reason)

            mirror.simulator.clearFaults()
            mirror.advance(days: 2)
            let again = await mirror.sync()

            #expect(again.missing == 0 && again.downloaded == 1)
            #expect(try mirror.store.record(of: day(4))?.missing == nil)
            #expect(try mirror.store.state().retries.isEmpty)
        }
    }

    @Test func aHangingNewestPictureDoesNotDelayTheCatchUp() async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = day(1)
            await mirror.sync(since: .days(2))
            mirror.simulator.newest = newest
            mirror.simulator.inject(.hang, on: .mediaOf(newest), times: nil)

            let events = mirror.synchronizer(since: .days(10)).sync()
            var arrived: [Day] = []
            for await event in events {
                guard case .day(let outcome) = event else { continue }
                arrived.append(outcome.day)
                // The days 3 to 9, and the one that was planned before the newest was known.
                if arrived.count == 8 { await mirror.simulator.releaseRequests() }
            }

            #expect(arrived.last == newest)
            #expect(arrived.count == 9)
        }
    }

    @Test func aHangingCatchUpDoesNotDelayTheNewestPicture() async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = day(1)
            await mirror.sync(since: .days(2))
            mirror.simulator.newest = newest
            for ago in 2...10 { mirror.simulator.inject(.hang, on: .mediaOf(day(ago)), times: nil) }

            let events = mirror.synchronizer(since: .days(10)).sync()
            var arrived: [Day] = []
            var all: [SyncEvent] = []
            for await event in events {
                all.append(event)
                guard case .day(let outcome) = event else { continue }
                if arrived.isEmpty { await mirror.simulator.releaseRequests() }
                arrived.append(outcome.day)
            }

            #expect(arrived.first == newest, "\(all)")
        }
    }

    @Test func theCatchUpDoesNotFailWithTheNewest() async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = day(1)
            await mirror.sync(since: .days(2))
            mirror.simulator.inject(
                .status(500, body: nil), on: .path("/wp-json/wp/v2/apod-basic"), times: 3)

            // An isolated day is requested by its own URL.
            let summary = await mirror.sync(since: .days(3))

            #expect(summary.obstacle?.kind == .unreachable)
            #expect(summary.withFiles == 3, "\(summary)")
        }
    }

    /// As many as there are jobs, each of which would take minutes.
    @Test func slowDownloadsDoNotCountAgainstTheJobs() async throws {
        try await withMirror { mirror in
            var slow: [Day] = []
            for age in 1...4 {
                var entry = try #require(
                    mirror.simulator.entry(of: MirrorUnderTest.newest.advanced(by: -age)))
                let comment = String(repeating: "x", count: 1 << 20)
                entry.media = .picture(
                    SimulatedPicture(
                        name: "large.jpg",
                        source: .drawn(
                            Drawing(seed: 7, width: 48, height: 32, comment: comment))))
                mirror.simulator.publish(entry)
                mirror.simulator.inject(
                    .slow(bytesPerSecond: 200), on: .mediaOf(entry.day), times: nil)
                slow.append(entry.day)
            }

            var first: [Day] = []
            for await event in mirror.synchronizer(jobs: 4).sync() {
                if case .day(let outcome) = event { first.append(outcome.day) }
                if first.count == 10 - slow.count { break }
            }

            #expect(!first.contains(where: slow.contains), "\(first)")
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: [2, 4, 16])
    func asManyDownloadsAsJobsRunAtOnceNewestFirst(jobs: Int) async throws {
        try await withMirror(days: 40) { mirror in
            mirror.simulator.inject(.hang, on: .media, times: nil)
            let arrivals = mirror.simulator.arrivals()

            let events = mirror.synchronizer(since: .days(40), jobs: jobs).sync()
            let consumer = Task { for await _ in events {} }
            var days: Set<Day> = []
            for await request in arrivals where request.kind == .media {
                if let day = request.day { days.insert(day) }
                if days.count == jobs { break }
            }
            consumer.cancel()
            _ = await events.summary()

            #expect(mirror.simulator.concurrency.peak == jobs)
            #expect(days == Set((0..<jobs).map { day($0) }))
        }
    }

    /// Whatever their address says, by their first bytes.
    static let videos: [(ending: String, bytes: [UInt8])] = [
        ("mp4", mp4), ("mov", [0, 0, 0, 8] + Array("wide\0\0\0\u{8}moov".utf8)),
    ]

    @Test(arguments: videos)
    func videosAreDownloadedOnRequestEvenForCompleteDays(
        ending: String, bytes: [UInt8]
    ) async throws {
        try await withMirror(days: 12) { mirror in
            mirror.simulator.publish(comet(bytes))
            await mirror.sync()
            let without = try #require(try mirror.store.record(of: day(2)))
            #expect(without.picture != nil && without.video?.path == nil)

            let summary = await mirror.sync(downloadsVideos: true)

            let with = try #require(try mirror.store.record(of: day(2)))
            #expect(
                with.video?.path == "pictures/2026/2026-11/\(day(2)) A Comet.\(ending)",
                "\(summary)")
            let path = try #require(with.video?.path)
            #expect(try mirror.tree.root.read(path) == bytes)
            #expect(with.picture == without.picture)
            // The list with the newest contains the day too: one of the two tasks downloads it.
            #expect(mirror.simulator.requests.count { $0.path.hasSuffix("/comet.mp4") } == 1)
        }
    }

    /// A film of the user has the name that the video would get.
    @Test func aVideoTakesAFreeNameBesideAFileOfTheUser() async throws {
        try await withMirror(days: 12) { mirror in
            mirror.simulator.publish(comet())
            await mirror.sync()
            let folder = "pictures/2026/2026-11"
            try mirror.write("my film", to: "\(folder)/\(day(2)) A Comet.mp4")

            await mirror.sync(downloadsVideos: true)

            let video = try mirror.store.record(of: day(2))?.video
            #expect(video?.path == "\(folder)/\(day(2)) A Comet 2.mp4")
            let mine = try mirror.tree.root.read("\(folder)/\(day(2)) A Comet.mp4")
            #expect(mine == Array("my film".utf8))
        }
    }

    @Test func aMissingVideoIsRetriedAfterAnUnansweredRequest() async throws {
        try await withMirror(days: 12) { mirror in
            mirror.simulator.publish(comet())
            await mirror.sync()
            mirror.simulator.inject(.status(500, body: nil), on: .day(day(2)), times: nil)
            await mirror.sync(downloadsVideos: true)
            let retry = try mirror.store.state().retries[day(2)]
            #expect(retry?.cause == .unreachable)
            mirror.simulator.clearFaults()
            mirror.advance(days: 2)

            await mirror.sync(downloadsVideos: true)

            #expect(try mirror.store.record(of: day(2))?.video?.path != nil)
            let none = try mirror.store.state().retries[day(2)]
            #expect(none == nil)
        }
    }

    /// A day with a video and a poster.
    private func comet(_ bytes: [UInt8] = mp4) -> SimulatedEntry {
        let poster = SimulatedPicture.drawn("poster.jpg", seed: 2, width: 48, height: 32)
        let video = SimulatedPicture(name: "comet.mp4", source: .bytes(bytes))
        return SimulatedEntry(
            day: day(2), title: "A Comet", explanationHTML: "It moves.",
            media: .videoFile(video, poster: poster))
    }

    private static let mp4: [UInt8] =
        [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0]
        + Array("isommp41\0\0\0\u{8}moov".utf8)
}
