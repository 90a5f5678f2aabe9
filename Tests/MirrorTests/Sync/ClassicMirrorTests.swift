import APOD
import FoundationEssentials
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing
import Transfer

@testable import Mirror

/// Pictures that NASA lost, or has only as a reduced copy, and that a classic mirror has.
@Suite(.timeLimit(.minutes(10))) struct ClassicMirrorTests {
    private static let day = MirrorUnderTest.newest.advanced(by: -2)
    private static let drawing = Drawing(seed: 5, width: 96, height: 64)
    private static let picture = SimulatedPicture(name: "crab.jpg", source: .drawn(drawing))
    /// A picture that NASA names, and does not have.
    private static let gone = SimulatedPicture(name: "crab.jpg", source: .file(path: "/nowhere"))
    /// The name on the mirror, and the path of its picture there.
    private static let path = "/en/image/\(day.compact.prefix(4))/crab.jpg"
    private static let page = "/en/ap\(day.compact).html"

    /// Runs `body` with a NASA that serves `media`, and a mirror that has the picture of the day.
    private func withLoss(
        _ media: SimulatedMedia,
        _ body: (MirrorUnderTest, [ClassicMirror]) async throws -> Void
    ) async throws {
        var entry = SimulatedEntry(
            day: Self.day, title: "The Crab’s Core", explanationHTML: "A remnant.",
            media: .picture(Self.picture))
        try await withMirror(settings: .init(classicMirror: Archive([entry]))) { mirror in
            (entry.title, entry.media) = ("The Crabs Core", media)
            mirror.simulator.publish(entry)
            let mirrors = [ClassicMirror(try .init(mirror.simulator.classicAddress))]
            try await body(mirror, mirrors)
        }
    }

    private func pagesAsked(_ mirror: MirrorUnderTest) -> Int {
        mirror.simulator.requests.count { $0.path == Self.page }
    }

    @Test(arguments: [.lost, .picture(gone), .markupOnly(gone)] as [SimulatedMedia])
    func aLostPictureIsThatOfTheMirror(media: SimulatedMedia) async throws {
        try await withLoss(media) { mirror, mirrors in
            await mirror.sync(mirrors: mirrors)

            let record = try mirror.record(2)
            let picture = try #require(record.picture)
            let sha256 = SHA256.digits(64, of: Self.drawing.encoded())
            #expect(picture.sha256 == sha256 && !picture.isReduced && record.noPicture == nil)
            #expect(picture.origin == mirror.simulator.origin + Self.path)
            #expect(picture.mirror == mirror.simulator.origin + Self.page)
            #expect(try mirror.store.state().retries[Self.day] == nil)
            // The record that was read is the one that was written, and nothing is requested again.
            #expect(record.json["picture"]?["mirror"]?.string == picture.mirror)
            mirror.simulator.resetLog()
            await mirror.sync(mirrors: mirrors)
            #expect(mirror.simulator.requests.map(\.kind) == [.newest])
        }
    }

    @Test func thePictureOfNASAReplacesThatOfTheMirrorOnceItIsThere() async throws {
        try await withLoss(.lost) { mirror, mirrors in
            await mirror.sync(mirrors: mirrors)
            try mirror.simulator.edit(Self.day) {
                $0.media = .drawn("crab.jpg", seed: 6, width: 96, height: 64)
            }

            await mirror.sync(mirrors: mirrors)

            let picture = try #require(mirror.record(2).picture)
            #expect(picture.mirror == nil && picture.origin.contains("content/dam"))
        }
    }

    @Test func aReducedCopyIsReplacedByThePictureOfTheAnnouncedSize() async throws {
        let copy = SimulatedPicture(
            name: "m1.jpg", source: .drawn(Self.drawing),
            reduced: .drawn(Self.drawing.fitting(width: 30, height: 20)))
        try await withLoss(.picture(copy)) { mirror, mirrors in
            let entry = try #require(mirror.simulator.entry(of: Self.day))
            mirror.simulator.inject(
                .notFound, on: .path(entry.originalPath(of: copy)), times: nil)
            await mirror.sync(mirrors: [])
            #expect(try mirror.record(2).picture?.width == 30)

            mirror.advance(days: 1)
            await mirror.sync(mirrors: mirrors)

            let picture = try #require(mirror.record(2).picture)
            #expect(picture.width == 96 && !picture.isReduced && picture.mirror != nil)
            #expect(try mirror.store.state().retries[Self.day] == nil)
        }
    }

    /// What a mirror, a parked domain, or a web server in its place may answer.
    private static let answers: [(String, Fault)] = [
        (page, .notFound), (page, .html), (page, .status(503, body: nil)),
        (page, .redirect(to: "https://example.org/")),
        (page, .hugeBody(bytes: 1 << 20, of: Array("<p>".utf8))),
        (path, .notFound), (path, .html), (path, .truncated(after: 64)),
        (path, .redirect(to: "https://example.org/crab.jpg")),
        (path, .verbatim(status: 200, headers: [:], body: Array("GIF89a".utf8))),
    ]

    @Test(arguments: answers) func aBadAnswerLeavesTheDayAsItWas(
        path: String, fault: Fault
    ) async throws {
        try await withLoss(.lost) { mirror, mirrors in
            mirror.simulator.inject(fault, on: .path(path), times: nil)

            await mirror.sync(mirrors: mirrors)

            let record = try mirror.record(2)
            #expect(record.picture == nil && record.noPicture != nil)
            #expect(try mirror.store.state().retries[Self.day]?.cause == .lost)
        }
    }

    /// `APODTests` has those of another title or name.
    @Test func aPictureOfAnotherSizeIsNotTaken() async throws {
        let larger = SimulatedPicture.drawn("crab.jpg", seed: 5, width: 200, height: 150)
        try await withLoss(.picture(larger)) { mirror, mirrors in
            mirror.simulator.inject(.html, on: .originals, times: nil)
            mirror.simulator.inject(.html, on: .mediaOf(Self.day), times: nil)
            await mirror.sync(mirrors: mirrors)
            #expect(pagesAsked(mirror) == 1)
            let picture = try mirror.record(2).picture
            #expect(picture == nil)
        }
    }

    @Test func aMirrorIsAskedOnceAMonthAndNotWhileNASAFails() async throws {
        try await withLoss(.lost) { mirror, mirrors in
            mirror.simulator.inject(.notFound, on: .path(Self.page), times: nil)
            for days in [1, 14, 14] {
                await mirror.sync(mirrors: mirrors, retry: .anyFailure)
                mirror.advance(days: days)
            }
            await mirror.sync(mirrors: mirrors, retry: .anyFailure)
            #expect(pagesAsked(mirror) == 1)
            mirror.simulator.clearFaults()
            mirror.advance(days: 1)

            await mirror.sync(mirrors: mirrors, retry: .anyFailure)

            let picture = try mirror.record(2).picture
            #expect(picture != nil)
            #expect(pagesAsked(mirror) == 2)
        }
        try await withLoss(.picture(Self.picture)) { mirror, mirrors in
            mirror.simulator.inject(.status(503, body: nil), on: .mediaOf(Self.day), times: nil)
            await mirror.sync(mirrors: mirrors)
            #expect(pagesAsked(mirror) == 0)
        }
    }

    /// A classic mirror has the picture of a new day hours after NASA.
    @Test func aMirrorIsAskedAtEachAttemptInTheFirstTwoDays() async throws {
        try await withLoss(.lost) { mirror, mirrors in
            mirror.simulator.inject(.notFound, on: .path(Self.page), times: nil)
            mirror.advance(to: Self.day.startInUTC.addingTimeInterval(5 * 3600))
            await mirror.sync(mirrors: mirrors)
            #expect(pagesAsked(mirror) == 1)
            mirror.simulator.clearFaults()
            mirror.advance(hours: 5)

            await mirror.sync(mirrors: mirrors)

            let picture = try mirror.record(2).picture
            #expect(picture?.mirror != nil)
        }
    }

    /// NASA may serve it again tomorrow, but the mirror has it now.
    @Test(arguments: [Fault.status(403, body: nil), .html])
    func aPictureThatNASARefusesIsThatOfTheMirror(fault: Fault) async throws {
        try await withLoss(.picture(Self.picture)) { mirror, mirrors in
            mirror.simulator.inject(fault, on: .mediaOf(Self.day), times: nil)

            await mirror.sync(mirrors: mirrors)

            let picture = try mirror.record(2).picture
            #expect(picture?.mirror != nil)
        }
    }

    @Test func aMirrorThatGetsNoRequestDoesNotCountAsRequested() async throws {
        try await withLoss(.lost) { mirror, mirrors in
            let synchronizer = mirror.synchronizer()
            let entry = try await synchronizer.routes.api.entry(of: Self.day)
            let hosts = HostFailures<Day>()
            let page = mirrors[0].webPage(of: Self.day).text
            for age in 3..<6 {
                let other = MirrorUnderTest.newest.advanced(by: -age)
                hosts.record(.unreachable(address: page, reason: "test"), of: page, for: other)
            }
            for (hosts, isRequested) in [(hosts, false), (HostFailures<Day>(), true)] {
                let downloader = EntryDownloader(
                    synchronizer: synchronizer, hostFailures: hosts, classicMirrors: mirrors,
                    slot: try await AsyncSemaphore(1).waitForPermit(), entry: entry, scope: .all,
                    isDamaged: false, hasAdoptedPicture: false,
                    outcome: SharedValue(EntryOutcome(of: entry, didRequestFiles: true)))

                let outcome = await downloader.update()

                #expect(outcome.mirrorsRequested == isRequested)
            }
        }
    }
}
