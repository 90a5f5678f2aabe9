import FoundationEssentials
import JSON
import MediaFormat
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import APOD
@testable import Mirror

/// Worse files of NASA never replace better ones of the tree.
@Suite(.timeLimit(.minutes(10))) struct OfferTests {
    private let day = MirrorUnderTest.newest.advanced(by: -2)

    private static let full = PictureRecord(
        file: RecordedFile(path: "p", bytes: 1, sha256: "a"), type: .jpeg, width: 100,
        height: 60, origin: "o", isReduced: false)

    private static func picture(_ width: Int, _ height: Int, isReduced: Bool) -> PictureRecord {
        var picture = full
        (picture.width, picture.height, picture.isReduced) = (width, height, isReduced)
        return picture
    }

    @Test(arguments: [
        // The offered size, the present size, whether the offer is worse.
        (picture(50, 30, isReduced: true), full, true),
        (picture(100, 60, isReduced: true), full, true),
        (picture(200, 120, isReduced: true), full, true),
        (picture(50, 30, isReduced: true), picture(60, 36, isReduced: true), true),
        (picture(60, 36, isReduced: true), picture(60, 36, isReduced: true), true),
        (picture(70, 42, isReduced: true), picture(60, 36, isReduced: true), false),
        (picture(100, 60, isReduced: false), picture(60, 36, isReduced: true), false),
        // NASA cropped the picture: an edit.
        (picture(90, 60, isReduced: false), full, false),
        (picture(.max, .max, isReduced: true), picture(.max, 2, isReduced: true), true),
        (picture(60, 36, isReduced: true), picture(.max, .max, isReduced: true), true),
    ])
    func aSmallerCopyIsWorse(offered: PictureRecord, current: PictureRecord, isWorse: Bool) {
        #expect(offered.isWorse(than: current) == isWorse)
    }

    /// The file at the new URL of a mirrored picture.
    enum Offer: CaseIterable {
        case html, notFound, empty, cut, smaller, smallerWithoutSize, lessThanAnnounced, placeholder
    }

    @Test(arguments: Offer.allCases)
    func aWorseFileNeverReplacesThePicture(offer: Offer) async throws {
        try await withSyncedMirror { mirror in
            let before = try #require(try mirror.record(2).picture)
            let bytes = try mirror.tree.root.read(before.path)
            var entry = try #require(mirror.simulator.entry(of: day))
            let drawing = Drawing(seed: 91, width: 2 * before.width, height: 2 * before.height)
            let media = "/content/dam/science/cds/apod/apod/2026/november/new.jpg"
            entry.media = .picture(
                SimulatedPicture(
                    name: "new.jpg", source: .drawn(drawing),
                    reduced: .drawn(drawing.fitting(width: before.width, height: before.height))))
            switch offer {
            case .html: mirror.simulator.inject(.html, on: .mediaOf(day), times: nil)
            case .notFound: mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil)
            case .empty: mirror.simulator.inject(.empty, on: .mediaOf(day), times: nil)
            case .cut:
                mirror.simulator.inject(.truncated(after: 300), on: .mediaOf(day), times: nil)
            case .smaller: mirror.simulator.inject(.notFound, on: .path(media), times: nil)
            case .smallerWithoutSize:
                let small = drawing.fitting(width: before.width / 2, height: before.height / 2)
                entry.media = .picture(
                    SimulatedPicture(name: "new.jpg", source: .drawn(small), announcesSize: false))
            case .lessThanAnnounced:
                let reduced = media.replacing("/content/dam/", with: "/dynamicimage/assets/")
                mirror.simulator.inject(.redirect(to: reduced), on: .path(media), times: nil)
            case .placeholder: entry.media = .lost
            }
            mirror.simulator.publish(entry)

            await mirror.sync()

            let after = try mirror.record(2)
            #expect(after.picture?.sha256 == before.sha256 && after.noPicture == nil)
            #expect(try mirror.tree.root.read(before.path) == bytes)
            #expect(after.entry.url != nil && after.entry.hdurl != nil)
            // It is not downloaded again before its retry time.
            mirror.simulator.resetLog()
            await mirror.sync()
            #expect(mirror.mediaRequests == 0)
        }
    }

    /// NASA replaces a picture by one that cannot be downloaded or is a smaller copy, and corrects that.
    @Test(arguments: [true, false])
    func aCorrectionIsNotDelayedByTheRetryOfAWorseFile(isSmaller: Bool) async throws {
        try await withSyncedMirror { mirror in
            let before = try #require(try mirror.record(2).picture)
            func publish(_ name: String, width: Int, height: Int) throws {
                let drawing = Drawing(seed: 92, width: width, height: height)
                try mirror.simulator.edit(day) {
                    $0.media = .picture(
                        SimulatedPicture(name: name, source: .drawn(drawing), announcesSize: false))
                }
            }
            try publish("worse.jpg", width: before.width / 2, height: before.height / 2)
            if !isSmaller { mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil) }
            await mirror.sync()
            let cause = try mirror.store.state().retries[day]?.cause
            #expect(cause == (isSmaller ? .reduced : .unusable))
            mirror.simulator.clearFaults()
            try publish("corrected.jpg", width: 2 * before.width, height: 2 * before.height)

            // No retry is due.
            #expect(await mirror.sync().downloaded == 1)

            #expect(try mirror.record(2).picture?.width == 2 * before.width)
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    /// NASA corrects a file that could not be used, under its name.
    @Test(arguments: [true, false])
    func aCorrectionUnderTheSameNameIsNotDelayed(isMirrored: Bool) async throws {
        try await withMirror { mirror in
            if isMirrored { await mirror.sync() }
            try mirror.replacePicture(2)
            try mirror.simulator.edit(day) { $0.modified = "2026-11-20T08:00:00-05:00" }
            mirror.simulator.inject(.html, on: .mediaOf(day), times: nil)
            await mirror.sync()
            let retry = try #require(try mirror.store.state().retries[day])
            #expect(retry.hasFiles == isMirrored && retry.cause == .unusable)
            mirror.simulator.clearFaults()
            #expect(await mirror.sync().downloaded == 0)
            try mirror.simulator.edit(day) { $0.modified = "2026-11-20T09:00:00-05:00" }

            #expect(await mirror.sync().downloaded == 1)

            #expect(try mirror.record(2).picture?.width == 64)
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    @Test func aRenamedPictureWithTheSameBytesIsDownloadedOnce() async throws {
        try await withSyncedMirror { mirror in
            let before = try #require(try mirror.record(2).picture)
            try mirror.simulator.edit(day) { entry in
                guard var picture = entry.media.files.first else { return }
                picture.name = "renamed.jpg"
                entry.media = .picture(picture)
            }
            await mirror.sync()
            mirror.simulator.resetLog()

            await mirror.sync()

            #expect(mirror.mediaRequests == 0)
            let after = try #require(try mirror.record(2).picture)
            #expect(after.sha256 == before.sha256 && after.path == before.path)
            #expect(after.origin.hasSuffix("/renamed.jpg"))
        }
    }

    // MARK: Texts

    private static let entry = Entry(
        day: MirrorUnderTest.newest, title: "T", explanation: "E", explanationHTML: "<p>E</p>",
        mediaType: "image", credit: "C", copyright: "©", permalink: "https://x/p", alt: "A",
        media: Media(pictures: [PictureAddress("https://x/a.jpg")]), feed: .basic)

    static let absences: [@Sendable (inout Entry) -> Void] = [
        { $0.title = Entry.untitled }, { $0.mediaType = "other" }, { $0.media = Media() },
        {
            $0.media = Media()
            $0.mediaType = "other"
            $0.title = Entry.untitled
        },
    ]

    @Test(arguments: absences.indices)
    func aTitleAndAddressesThatNASADoesNotServeStay(index: Int) {
        let earlier = DayRecord(Self.entry, after: nil)
        var entry = Self.entry
        Self.absences[index](&entry)

        let record = DayRecord(entry, after: earlier)

        #expect(record.entry == earlier.entry)
        #expect(record.revised(from: earlier, at: Date()) == nil)
    }
}
