import APOD
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// Faults of NASA's servers lose nothing, and the tree is finally that of a run without faults.
@Suite(.timeLimit(.minutes(10))) struct FaultTests {
    private static let nested = String(repeating: "[", count: 100_000)

    /// How many days there are where each fault needs a mirror of its own.
    private static let days = 5

    /// The contents after a sync of these days without faults.
    private static let clean = Task {
        try await withMirror(days: days) { mirror in
            await mirror.sync(since: .days(days))
            return try mirror.contents()
        }
    }

    /// One of each kind; `RedirectTests`, `RequestAttemptsTests` and `HostileListTests` have the others.
    static let faults: [Fault] = [
        .refuse, .truncated(after: 300), .wrongLength, .html, .notFound, .redirectLoop,
        .redirect(to: "http://169.254.169.254/latest/meta-data/"),
        .status(403, body: nil), .status(503, body: "try later"),
        .throttled(retryAfter: "100000"), .throttled(retryAfter: "soon"),
        .throttled(retryAfter: "Fri, 20 Nov 2037 12:00:00 GMT"),
        .json("{\"date\": \"2026-11-"), .json("[]"), .json(nested),
        .json("[1, \"x\", null, {\"date\": 5}]"), .wrongDay, .placeholder, .hugeHeaders,
        .hugeBody(bytes: 33 << 20, of: Array("[".utf8)),
    ]

    @Test(arguments: faults.indices)
    func invalidListsCauseNoLoss(index: Int) async throws {
        let fault = Self.faults[index]
        let clean = try await Self.clean.value
        try await withMirror(days: Self.days) { mirror in
            mirror.simulator.newest = MirrorUnderTest.newest.advanced(by: -2)
            await mirror.sync(since: .days(3))
            let before = try mirror.contents()
            mirror.simulator.newest = nil
            mirror.simulator.inject(fault, on: .lists, times: nil)

            let summary = await mirror.sync(since: .days(Self.days))

            for (path, bytes) in before where path.hasPrefix("pictures") || path.hasPrefix("meta") {
                #expect(try mirror.tree.root.read(path) == bytes)
            }
            // For the newest day, a server that ignores the parameters responds correctly.
            #expect((summary.obstacle == nil) == (fault == .wrongDay))

            mirror.simulator.clearFaults()
            mirror.advance(days: 3)
            let again = await mirror.sync(since: .days(Self.days))
            #expect(again.missing == 0 && again.obstacle == nil)
            #expect(try Self.withoutTimes(mirror.contents()) == Self.withoutTimes(clean))
        }
    }

    /// The entry of a day is missing at first, has a picture that NASA does not have, or is a placeholder.
    @Test(arguments: [RetryState.Cause.unpublished, .unusable, nil])
    func newsOfAMissingDayIsNotDelayed(cause: RetryState.Cause?) async throws {
        try await withMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -5)
            var entry = try #require(mirror.simulator.entry(of: day))
            switch cause {
            case .unpublished: mirror.simulator.withdraw(day)
            case nil: try mirror.simulator.edit(day) { $0.title = "NASA Science" }
            default:
                mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil)
                var picture = try #require(entry.media.files.first)
                picture.name = "corrected.jpg"
                entry.media = .picture(picture)
            }
            await mirror.sync()
            #expect(try mirror.store.state().retries[day]?.cause == cause ?? .unusable)
            mirror.simulator.clearFaults()
            mirror.simulator.publish(entry)

            // No retry is due.
            let second = await mirror.sync()

            #expect(second.downloaded == 1 && second.missing == 0)
            #expect(try mirror.store.state().retries[day] == nil)
            #expect(await mirror.sync().downloaded == 0)
        }
    }

    /// The texts are the real ones, so that an edit is taken; a new day waits.
    @Test func aPictureThatEveryEntryNamesReplacesNoPicture() async throws {
        try await withMirror { mirror in
            let (newest, edited) = (MirrorUnderTest.newest, MirrorUnderTest.newest.advanced(by: -3))
            mirror.simulator.newest = newest.advanced(by: -1)
            await mirror.sync()
            let before = try mirror.contents().filter { $0.key.hasPrefix(Layout.pictures) }
            mirror.simulator.newest = nil
            let real = (0...10).compactMap { mirror.simulator.entry(of: newest.advanced(by: -$0)) }
            for entry in real {
                try mirror.simulator.edit(entry.day) {
                    $0.media = .drawn("earth-hero.jpg", seed: 9, width: 80, height: 45)
                    $0.modified = "\(newest)T01:00:00-05:00"
                    if $0.day == edited { $0.title = "Quite Another Title" }
                }
            }

            await mirror.sync()

            let during = try mirror.contents()
            #expect(before.allSatisfy { during[$0.key] == $0.value })
            #expect(try mirror.previousFiles().keys.allSatisfy { $0.hasSuffix(".json") })
            #expect(try mirror.record(3).entry.title == "Quite Another Title")
            #expect(try mirror.record(0).picture == nil)
            #expect(try mirror.store.state().retries[newest]?.cause == .lost)

            real.forEach(mirror.simulator.publish)
            let summary = await mirror.sync()

            #expect(summary.missing == 0)
            let after = try mirror.contents()
            #expect(before.allSatisfy { after[$0.key] == $0.value })
            #expect(try mirror.record(0).picture != nil)
        }
    }

    /// Of a day that the mirror wants, of one that it does not want, and of one to come.
    @Test(arguments: [-8, -60, 3])
    func aPictureOfTheUserIsNotTakenOver(distance: Int) async throws {
        try await withMirror(days: 70) { mirror in
            await mirror.sync(since: .days(3))
            let day = MirrorUnderTest.newest.advanced(by: distance)
            let folder = try mirror.tree.root.makeDirectory(
                Layout.folder(Layout.pictures, of: day))
            let name = "\(day) our moon photo.jpg"
            let picture = try #require(try mirror.tree.root.read(mirror.picture(0)))
            try AtomicFile.publish(picture + [0], in: folder, as: name, through: folder)
            let before = try folder.status(name)

            await mirror.sync(since: .days(10), retry: .anyFailure)

            #expect(try folder.status(name) == before)
            let record = try mirror.store.record(of: day)
            #expect((record != nil) == (distance == -8))
            #expect(record?.picture.map { $0.path.hasSuffix(name) } ?? false == false)
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    /// The picture of a day is missing at NASA, or its entry has none.
    @Test(arguments: [true, false])
    func aPictureOfTheUserCompletesNoDay(isLost: Bool) async throws {
        try await withMirror(days: 40) { mirror in
            // Not in the newest list.
            let day = MirrorUnderTest.newest.advanced(by: -35)
            let entry = try #require(mirror.simulator.entry(of: day))
            if isLost {
                try mirror.simulator.edit(day) { $0.media = .lost }
            } else {
                mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil)
            }
            await mirror.sync(since: .days(40))
            let mine = "\(Layout.folder(Layout.pictures, of: day))/\(day) mine.jpg"
            try mirror.write("mine", to: mine)
            mirror.simulator.clearFaults()
            mirror.simulator.publish(entry)
            mirror.advance(days: 3)

            let synchronizer = mirror.synchronizer(since: .days(40), rechecks: false)
            let summary = await synchronizer.sync(retry: .anyFailure).summary()

            #expect(summary.downloaded == 1 && summary.missing == 0, "\(summary)")
            #expect(try mirror.record(35).picture != nil)
            #expect(try mirror.text(mine) == "mine")
        }
    }

    /// The picture may be in the part that was not read: neither a new day nor one that lost its file is without a picture.
    @Test(arguments: [false, true])
    func anArticleThatIsTooLongToBeReadIsNoProofThatNASAHasNoPicture(
        hadPicture: Bool
    ) async throws {
        try await withMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let shortMedia = try #require(mirror.simulator.entry(of: day)).media
            if hadPicture {
                await mirror.sync()
                try mirror.remove(mirror.picture(1))
            }
            let long = String(repeating: "x", count: 50_000)
            try mirror.simulator.edit(day) { $0.media = .markup("<p>\(long)</p>", files: []) }

            await mirror.sync()
            let retry = try #require(mirror.store.state().retries[day])
            #expect(retry.cause == .unusable, "\(retry)")
            #expect(retry.reason.contains("basic_html is longer than 49152 bytes"), "\(retry)")

            mirror.advance(days: 20)
            let later = await mirror.sync()
            #expect(later.withoutPicture == 0 && later.missing == 1)

            try mirror.simulator.edit(day) { $0.media = shortMedia }
            mirror.advance(days: 1)
            #expect(await mirror.sync().missing == 0)
        }
    }

    /// The records without download times and without the port of the host.
    private static func withoutTimes(_ contents: [String: [UInt8]]) -> [String: String] {
        contents.mapValues { bytes in
            guard bytes.count < 65_536, bytes.first == UInt8(ascii: "{") else {
                return SHA256.digits(64, of: bytes)
            }
            return String(decoding: bytes, as: UTF8.self)
                .replacing(/"fetched": "[^"]*"/, with: "")
                .replacing(/127\.0\.0\.1:\d+/, with: "")
        }
    }
}
