import APOD
import MirrorTesting
import PictureSamples
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
            // More than may be under way at once.
            for ago in 20..<60 {
                mirror.simulator.inject(.hang, on: .mediaOf(day(ago)), times: nil)
            }
            let events = synchronizer.sync()
            for await event in events {
                if case .day(let outcome) = event, outcome.day == newest { events.end() }
            }
            let first = await events.summary()
            #expect((first.isUnfinished || first.underWay > 0) && first.obstacle == nil)
            #expect(first.newestWithFiles == MirrorUnderTest.newest)
            #expect(first.withFiles > 0 && first.withFiles <= 20)
            await mirror.simulator.releaseRequests()

            var last = first
            while last.isUnfinished || last.underWay > 0 {
                let events = synchronizer.sync()
                events.end()
                last = await events.summary()
            }

            #expect(last.withFiles == 60)
            #expect(mirror.simulator.requests.count { $0.kind == .media } == 60)
        }
    }

    @Test func aBacklogWithoutEntriesEndsWhenItsTimeIsOver() async throws {
        try await withMirror(days: 25) { mirror in
            let synchronizer = mirror.synchronizer(since: .days(60)) { FeedWithoutLists(feed: $0) }

            let events = synchronizer.sync()
            events.end()
            let summary = await events.summary()

            #expect(summary.withFiles < 25)
            #expect(mirror.simulator.requests.count { $0.kind == .day } <= 2)
            await synchronizer.cancelDownloads()
        }
    }

    /// The newest day, which is here already, keeps no slot from the others.
    @Test func oneJobDownloadsOlderDaysBesideANewestDayThatIsHere() async throws {
        try await withMirror(days: 5) { mirror in
            await mirror.sync(since: .days(1))
            let summary = await mirror.sync(since: .days(5), jobs: 1)
            #expect(summary.withFiles == 5)
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
                let record = try mirror.record(ago)
                let picture = try #require(record.picture)
                let bytes = try #require(try mirror.tree.root.read(picture.path))
                #expect(SHA256.digits(64, of: bytes) == picture.sha256)
                #expect(bytes.count == picture.bytes)
                #expect((picture.width, picture.height) == (48, 32))
                #expect(try mirror.tree.root.status(picture.path)?.modified == day(ago).noon)
                #expect(picture.path.hasPrefix("pictures/2026/2026-11/\(day(ago)) "))
                #expect(record.noPicture == nil && record.revision == 1)
                #expect(record.feed == feed)
            }
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
        }
    }

    /// Five of them are longer than a list otherwise is.
    @Test func articlesThatContainPicturesAreRead() async throws {
        let picture = "data:image/png;base64,\(String(repeating: "A", count: 900_000))"
        try await withMirror(days: 5) { mirror in
            for ago in 0..<5 {
                let file = SimulatedPicture.drawn(
                    "\(ago).jpg", seed: 3, width: 48, height: 32)
                try mirror.simulator.edit(day(ago)) { entry in
                    let shown =
                        "<img src=\"\(picture)\"><img src=\"\(entry.originalPath(of: file))\">"
                    entry.media = .markup(shown, files: [file])
                }
            }

            let summary = await mirror.sync(since: .days(5))

            #expect(summary.downloaded == 5 && summary.obstacle == nil, "\(summary)")
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
            let retries = try mirror.store.state().retries
            #expect(retries.isEmpty)
            let incoming = try mirror.tree.root.folder(Layout.incoming)?.names()
            #expect(incoming == [])
        }
    }

    @Test(arguments: [
        Fault.notFound, .html, .empty, .status(500, body: nil), .refuse, .wrongLength,
        .truncated(after: 100), .redirectLoop, .hugeHeaders, .placeholder,
        .redirect(to: "file:///etc/passwd"), .redirect(to: "http://192.0.2.1/x.jpg"),
        .redirect(to: "https://nasa.gov.example.org/x.jpg"),
        .verbatim(status: 200, headers: [:], body: Array("%PDF-1.4".utf8)),
        .verbatim(status: 206, headers: ["Content-Range": "bytes 5-9/10"], body: [1, 2, 3, 4, 5]),
        // As long as the server says, but without its end.
        .verbatim(status: 200, headers: [:], body: Chart(96, 64).jpeg().dropLast(99)),
    ])
    func aFailingPictureNeverStopsTheOthers(fault: Fault) async throws {
        try await withMirror(days: 3) { mirror in
            mirror.simulator.inject(fault, on: .mediaOf(day(1)), times: nil)

            let summary = await mirror.sync(since: .days(3))

            #expect((summary.withFiles, summary.missing) == (2, 1))
            #expect(summary.obstacle == nil)
            let record = try mirror.record(1)
            #expect(record.picture == nil && record.noPicture?.reason.isEmpty == false)
            let retry = try #require(try mirror.store.state().retries[day(1)])
            #expect(retry.attempts == 1 && retry.reason == record.noPicture?.reason)

            mirror.simulator.clearFaults()
            mirror.advance(days: 2)
            let again = await mirror.sync(since: .days(3))

            #expect(again.missing == 0 && again.downloaded == 1)
            #expect(try mirror.record(1).noPicture == nil)
            #expect(try mirror.store.state().retries.isEmpty)
        }
    }

    /// The day that hangs is the newest one, or it hangs for all others.
    @Test(arguments: [true, false])
    func theNewestPictureAndTheCatchUpDoNotDelayEachOther(newestHangs: Bool) async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = day(1)
            await mirror.sync(since: .days(2))
            mirror.simulator.newest = newest
            for ago in newestHangs ? 0...0 : 2...10 {
                mirror.simulator.inject(.hang, on: .mediaOf(day(ago)), times: nil)
            }

            var arrived: [Day] = []
            for await event in mirror.synchronizer(since: .days(10)).sync() {
                guard case .day(let outcome) = event else { continue }
                arrived.append(outcome.day)
                // The days 3 to 9.
                if arrived.count == (newestHangs ? 7 : 1) {
                    await mirror.simulator.releaseRequests()
                }
            }

            #expect((newestHangs ? arrived.last : arrived.first) == newest)
            #expect(arrived.count == 8)
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

            #expect(summary.obstacle?.kind == .network)
            #expect(summary.withFiles == 3, "\(summary)")
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
        ("mp4", minimalFilm()), ("mov", box("wide") + box("moov")),
        (
            "webm",
            [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8)
                + [0x18, 0x53, 0x80, 0x67, 0x81, 1]
        ),
    ]

    /// A film of the user has the name that the video would get.
    @Test(arguments: videos)
    func videosAreDownloadedOnRequestEvenForCompleteDays(
        ending: String, bytes: [UInt8]
    ) async throws {
        try await withMirror(days: 12) { mirror in
            mirror.simulator.publish(comet(bytes))
            await mirror.sync()
            let folder = "pictures/2026/2026-11"
            let taken = "\(folder)/\(day(2)) A Comet.\(ending)"
            try mirror.write("my film", to: taken)
            let without = try mirror.record(2)
            #expect(without.picture != nil && without.video?.path == nil)

            let summary = await mirror.sync(downloadsVideos: true)

            let with = try mirror.record(2)
            let path = "\(folder)/\(day(2)) A Comet 2.\(ending)"
            #expect(with.video?.path == path, "\(summary)")
            #expect(try mirror.text(taken) == "my film")
            #expect(try mirror.tree.root.read(path) == bytes)
            #expect(with.picture == without.picture)
            // The list with the newest contains the day too: one of the two tasks downloads it.
            #expect(mirror.simulator.requests.count { $0.path.hasSuffix("/comet.mp4") } == 1)
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

            #expect(try mirror.record(2).video?.path != nil)
            #expect(try mirror.store.state().retries[day(2)] == nil)
        }
    }

    /// The server of the still failed, which says nothing about what NASA has.
    @Test(arguments: [Fault.refuse, .truncated(after: 40), .status(503, body: nil)])
    func aStillThatCouldNotBeRequestedIsMissingAndComesAtOnce(fault: Fault) async throws {
        try await withMirror(days: 12) { mirror in
            mirror.simulator.publish(comet())
            mirror.simulator.inject(fault, on: .mediaOf(day(2)), times: nil)
            let failed = await mirror.sync()
            mirror.simulator.clearFaults()

            let requested = await mirror.sync(retry: .transient)

            #expect(failed.missing == 1 && failed.withoutPicture == 0)
            #expect(requested.missing == 0)
            let record = try mirror.record(2)
            #expect(record.picture != nil && record.noPicture == nil)
        }
    }

    /// It is not missing, but a person who asks for all failures asks for it, too.
    @Test func aStillThatNASARefusedComesWithTheNextRunOnce() async throws {
        try await withMirror(days: 12) { mirror in
            mirror.simulator.publish(comet())
            mirror.simulator.inject(.status(403, body: nil), on: .mediaOf(day(2)), times: nil)
            let refused = await mirror.sync()
            mirror.simulator.clearFaults()

            await mirror.sync(retry: .anyFailure)

            #expect(refused.missing == 0 && refused.withoutPicture == 1)
            let picture = try mirror.record(2).picture
            #expect(picture != nil)
        }
    }

    /// A day with a video and a poster.
    private func comet(_ bytes: [UInt8] = minimalFilm()) -> SimulatedEntry {
        let poster = SimulatedPicture.drawn("poster.jpg", seed: 2, width: 48, height: 32)
        let video = SimulatedPicture(name: "comet.mp4", source: .bytes(bytes))
        return SimulatedEntry(
            day: day(2), title: "A Comet", explanationHTML: "It moves.",
            media: .videoFile(video, poster: poster))
    }
}
