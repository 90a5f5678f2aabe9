import APOD
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// Pictures whose original cannot be downloaded, while a later address has another file.
@Suite(.timeLimit(.minutes(10))) struct LesserAddressTests {
    private static let faults: [Fault] = [
        .refuse, .status(503, body: nil), .status(403, body: nil), .html, .truncated(after: 64),
        .placeholder, .redirect(to: generic),
    ]
    /// One of each kind, and absence: after an edit, only the kind matters.
    private static let kinds: [Fault] = [
        .status(503, body: nil), .html, .placeholder, .redirect(to: generic), .notFound,
    ]
    /// A picture of NASA's site that is not in the archive, without the name of a known placeholder.
    private static let generic = "/wp-content/uploads/2026/12/image-not-available.jpg"

    private let day = MirrorUnderTest.newest.advanced(by: -2)
    /// The original, and what the later address serves in the same size.
    private let picture = SimulatedPicture(
        name: "large.jpg", source: .drawn(Drawing(seed: 5, width: 96, height: 64)),
        reduced: .drawn(Drawing(seed: 6, width: 96, height: 64)))

    private func publish(_ picture: SimulatedPicture, on mirror: MirrorUnderTest) throws {
        try mirror.simulator.edit(day) { $0.media = .picture(picture) }
    }

    /// The next day, all addresses answer.
    private func recover(_ mirror: MirrorUnderTest) async {
        mirror.simulator.clearFaults()
        mirror.advance(days: 1)
        await mirror.sync()
    }

    private func inject(
        _ fault: Fault, on picture: SimulatedPicture, of mirror: MirrorUnderTest
    ) throws {
        let entry = try #require(mirror.simulator.entry(of: day))
        mirror.simulator.inject(
            fault, on: .path(entry.originalPath(of: picture)), times: nil)
        let junk = Drawing(seed: 4, width: 96, height: 64).encoded()
        mirror.simulator.inject(
            .verbatim(status: 200, headers: ["Content-Type": "image/jpeg"], body: junk),
            on: .path(Self.generic), times: nil)
    }

    /// Syncs the day, whose original fails.
    private func fail(_ fault: Fault, on mirror: MirrorUnderTest) async throws {
        try publish(picture, on: mirror)
        try inject(fault, on: picture, of: mirror)
        await mirror.sync()
    }

    private func record(_ mirror: MirrorUnderTest) throws -> PictureRecord {
        try #require(try mirror.record(2).picture)
    }

    private func isPartial(_ mirror: MirrorUnderTest) throws -> Bool {
        try mirror.store.state().retries[day]?.hasFiles == true
    }

    @Test(arguments: faults)
    func aLesserPictureIsPublishedUntilTheOriginalAnswers(fault: Fault) async throws {
        try await withMirror { mirror in
            try await fail(fault, on: mirror)
            let lesser = try record(mirror)
            #expect(lesser.isReduced && lesser.origin.contains("dynamicimage"))
            #expect(try isPartial(mirror))

            await recover(mirror)

            let whole = try record(mirror)
            #expect(!whole.isReduced && whole.origin.contains("content/dam"))
            #expect(whole.sha256 != lesser.sha256)
            #expect(try !isPartial(mirror))
        }
    }

    /// Also an edit of its text, though the picture stays reduced.
    @Test func aReducedPictureCountsAsDownloadedOnce() async throws {
        try await withMirror { mirror in
            try publish(picture, on: mirror)
            try inject(.status(503, body: nil), on: picture, of: mirror)

            let first = await mirror.sync()
            let bytes = try (0..<10).map { try mirror.record($0).picture?.bytes ?? 0 }
            #expect(try isPartial(mirror))
            #expect(
                first.downloaded == 10 && first.downloadedBytes == bytes.reduce(0, +), "\(first)")

            try mirror.simulator.edit(day) {
                $0.title = "Another Title"
                $0.modified = "\(day)T01:00:00-05:00"
            }
            mirror.advance(days: 1)
            let second = await mirror.sync()
            #expect(try isPartial(mirror) && mirror.record(2).entry.title == "Another Title")
            #expect(
                (second.downloaded, second.downloadedBytes, second.edited) == (0, 0, 1), "\(second)"
            )
        }
    }

    /// Its size is that of the original, and NASA has changed the article.
    @Test func onlyTheOriginalReplacesAnImportedPicture() async throws {
        try await withMirror { mirror in
            try publish(picture, on: mirror)
            let imported = Drawing(seed: 7, width: 96, height: 64).encoded()
            try mirror.store.publish(imported, at: "\(Layout.adopted)/\(day).jpg")
            await mirror.sync()
            let before = try record(mirror)
            #expect(before.isImported && before.bytes == imported.count)

            try inject(.notFound, on: picture, of: mirror)
            try mirror.simulator.edit(day) { $0.modified = "\(day)T01:00:00-05:00" }
            await mirror.sync()
            #expect(try record(mirror) == before)

            mirror.simulator.clearFaults()
            try mirror.simulator.edit(day) { $0.modified = "\(day)T02:00:00-05:00" }
            mirror.advance(days: 1)
            await mirror.sync()
            let original = try record(mirror)
            #expect(!original.isImported && original.sha256 != before.sha256)
        }
    }

    /// This changes no file; `--keep` may remove the picture from then on.
    @Test func anImportedPictureWhoseBytesNASASendsIsNoLongerImported() async throws {
        try await withMirror { mirror in
            func imported() throws -> Set<Day> {
                // Another process, which trusts what the one before has compared.
                let store = Store(reading: mirror.tree)
                return try store.recordedDays(in: TreeSnapshot(of: mirror.tree.root)).imported
            }
            try publish(picture, on: mirror)
            let original = Drawing(seed: 5, width: 96, height: 64).encoded()
            try mirror.store.publish(original, at: "\(Layout.adopted)/\(day).jpg")
            await mirror.sync()
            #expect(try imported() == [day])

            try mirror.simulator.edit(day) { $0.modified = "\(day)T01:00:00-05:00" }
            mirror.advance(days: 1)
            await mirror.sync()

            #expect(try !record(mirror).isImported)
            #expect(try imported() == [])
        }
    }

    /// The addresses after it are guesses, which NASA does not have.
    @Test(
        arguments: [
            (.html, "HTML"), (.truncated(after: 64), "/content/dam/"),
            (.verbatim(status: 200, headers: [:], body: Array("%PDF-1.7 x".utf8)), "/content/dam/"),
            (.status(403, body: nil), "403"),
        ] as [(Fault, String)])
    func theReasonIsTheFailureOfTheFileThatIsThere(fault: Fault, word: String) async throws {
        try await withMirror { mirror in
            try publish(picture, on: mirror)
            let path = try #require(mirror.simulator.entry(of: day)).originalPath(of: picture)
            mirror.simulator.inject(fault, on: .path(path), times: nil)
            mirror.simulator.inject(
                .notFound,
                on: .path("/dynamicimage/assets/" + path.dropFirst("/content/dam/".count)),
                times: nil)

            await mirror.sync()

            let reason = try #require(try mirror.store.state().retries[day]?.reason)
            #expect(reason.contains(path) && reason.contains(word), "\(reason)")
        }
    }

    /// NASA names no better one: the day lacks nothing.
    @Test func thePictureThatNASAMakesOfAVideoIsAReducedPoster() async throws {
        try await withMirror { mirror in
            let video = SimulatedPicture(name: "v.mp4", source: .bytes([0, 0, 0, 24]))
            try mirror.simulator.edit(day) { $0.media = .videoFile(video) }
            let path = try #require(mirror.simulator.entry(of: day)).originalPath(of: video)
            let other = try #require(mirror.simulator.entry(of: day.advanced(by: -1)))
            let still = try other.originalPath(of: #require(other.media.files.first))
            mirror.simulator.inject(
                .redirect(to: still),
                on: .path("\(path)/jcr:content/renditions/cq5dam.thumbnail.319.319.png"), times: nil
            )

            await mirror.sync()

            #expect(try record(mirror).isReduced && !isPartial(mirror))
            #expect(try record(mirror).sha256 == mirror.record(3).picture?.sha256)
        }
    }

    /// It may also be the same file.
    @Test func aLesserAddressWithTheSameBytesIsRequestedUntilTheOriginalAnswers() async throws {
        try await withMirror { mirror in
            var picture = picture
            picture.reduced = nil
            try publish(picture, on: mirror)
            try inject(.status(503, body: nil), on: picture, of: mirror)
            await mirror.sync()
            #expect(try isPartial(mirror))

            await recover(mirror)

            let whole = try record(mirror)
            #expect(!whole.isReduced && whole.origin.contains("content/dam"))
            #expect(try !isPartial(mirror))
            #expect(try mirror.record(2).revision == 1)
        }
    }

    /// The entry of an animation may name its film in place of the original.
    @Test(arguments: [Fault.notFound, .status(410, body: nil), nil])
    func aLesserPictureIsCompleteIfNASADoesNotHaveTheOriginal(fault: Fault?) async throws {
        try await withMirror { mirror in
            let film = Array(minimalFilm().prefix(16))
            var original = picture
            if fault == nil { (original.name, original.source) = ("large.mp4", .bytes(film)) }
            try publish(original, on: mirror)
            if let fault { try inject(fault, on: original, of: mirror) }
            await mirror.sync()

            #expect(try !record(mirror).isReduced && !isPartial(mirror))
            mirror.simulator.resetLog()
            await mirror.sync()
            #expect(mirror.simulator.requests.count == 1)
        }
    }

    @Test func aLesserPictureIsCompleteOnceNASANoLongerHasTheOriginal() async throws {
        try await withMirror { mirror in
            try await fail(.status(503, body: nil), on: mirror)
            let lesser = try record(mirror)
            #expect(lesser.isReduced)

            mirror.simulator.clearFaults()
            try inject(.notFound, on: picture, of: mirror)
            mirror.advance(days: 1)
            let summary = await mirror.sync()

            #expect(try record(mirror).sha256 == lesser.sha256)
            #expect(try !record(mirror).isReduced && !isPartial(mirror))
            #expect(summary.edited == 0)
        }
    }

    @Test func aPictureThatCountsAsWholeIsNotReducedByAFailureOfABetterAddress() async throws {
        try await withMirror { mirror in
            try await fail(.notFound, on: mirror)
            let whole = try record(mirror)
            #expect(!whole.isReduced)

            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }
            mirror.simulator.clearFaults()
            try inject(.status(503, body: nil), on: picture, of: mirror)
            await mirror.sync()

            #expect(try record(mirror).sha256 == whole.sha256)
            #expect(try !record(mirror).isReduced)
        }
    }

    /// As in the migrated archive, whose pictures have no announced size.
    @Test(arguments: [false, true])
    func aGenericPictureIsNeverPublished(isMirrored: Bool) async throws {
        try await withMirror { mirror in
            var picture = picture
            (picture.announcesSize, picture.reduced) = (false, nil)
            try publish(picture, on: mirror)
            if isMirrored { await mirror.sync() }
            let before = try mirror.store.record(of: day)?.picture
            #expect((before != nil) == isMirrored)
            try inject(.redirect(to: Self.generic), on: picture, of: mirror)
            mirror.simulator.inject(.redirect(to: Self.generic), on: .mediaOf(day), times: nil)
            try mirror.simulator.edit(day) { $0.modified = "\(day)T01:00:00-05:00" }

            await mirror.sync()

            #expect(try mirror.record(2).picture == before)
            #expect(try mirror.store.state().retries[day]?.cause == .unusable)
            await recover(mirror)
            let original = Drawing(seed: 5, width: 96, height: 64).encoded()
            #expect(try mirror.tree.root.read(record(mirror).path) == original)
            #expect(try mirror.previousFiles() == [:])
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    /// NASA may move its archive, and keep the addresses.
    @Test(arguments: ["/content/dam/cds/apod/moved.jpg", "/wp-content/uploads/2026/12/large.jpg"])
    func aRedirectIntoTheArchiveOrToTheSameNameLeadsToThePicture(path: String) async throws {
        try await withMirror { mirror in
            let moved = Drawing(seed: 8, width: 96, height: 64).encoded()
            mirror.simulator.inject(
                .verbatim(status: 200, headers: [:], body: moved), on: .path(path), times: nil)

            try await fail(.redirect(to: path), on: mirror)

            #expect(try mirror.tree.root.read(record(mirror).path) == moved)
            #expect(try !isPartial(mirror))
        }
    }

    @Test(arguments: kinds)
    func anEditOfTheTextDuringAnOutageKeepsTheOriginal(fault: Fault) async throws {
        try await withMirror { mirror in
            try publish(picture, on: mirror)
            await mirror.sync()
            let before = try record(mirror)
            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }
            try inject(fault, on: picture, of: mirror)

            await mirror.sync()

            #expect(try record(mirror).sha256 == before.sha256)
            #expect(try record(mirror).origin == before.origin)
            #expect(try !record(mirror).isReduced)
            #expect(try mirror.record(2).entry.title == "Quite Another Title")
            await recover(mirror)
            #expect(try !isPartial(mirror))
        }
    }

    @Test(arguments: kinds)
    func anEditWhoseOriginalIsAbsentKeepsTheOneThatIsHere(fault: Fault) async throws {
        try await withMirror { mirror in
            try publish(picture, on: mirror)
            await mirror.sync()
            let before = try record(mirror)
            let other = SimulatedPicture(
                name: "other.jpg", source: .drawn(Drawing(seed: 7, width: 96, height: 64)),
                reduced: .drawn(Drawing(seed: 8, width: 96, height: 64)))
            try publish(other, on: mirror)
            try inject(fault, on: other, of: mirror)

            await mirror.sync()

            #expect(try record(mirror) == before)
            #expect(try isPartial(mirror))
            await recover(mirror)
            #expect(try record(mirror).origin.contains("content/dam"))
            #expect(try record(mirror).sha256 != before.sha256)
            #expect(try !isPartial(mirror))
        }
    }
}
