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

    static let faults: [Fault] = [
        .refuse, .truncated(after: 300), .wrongLength, .html, .notFound, .empty, .redirectLoop,
        .redirect(to: "file:///etc/passwd"), .redirect(to: "ftp://science.nasa.gov/x"),
        .redirect(to: "https://user:password@science.nasa.gov/x"),
        .redirect(to: "http://169.254.169.254/latest/meta-data/"),
        .status(400, body: nil), .status(403, body: nil), .status(500, body: nil),
        .status(503, body: "try later"), .status(504, body: nil),
        .throttled(retryAfter: "100000"), .throttled(retryAfter: "soon"),
        .throttled(retryAfter: "Fri, 20 Nov 2037 12:00:00 GMT"),
        .json("{\"date\": \"2026-11-"), .json("[]"), .json("null"), .json(nested),
        .json("[1, \"x\", null, {\"date\": 5}]"), .wrongDay, .placeholder, .hugeHeaders,
        .hugeBody(bytes: 50 << 20, of: Array("[".utf8)),
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

    @Test(arguments: [
        Fault.refuse, .truncated(after: 100), .wrongLength, .html, .empty, .notFound, .redirectLoop,
        .status(500, body: nil), .throttled(retryAfter: "100000"), .hugeHeaders, .placeholder,
        .verbatim(status: 206, headers: ["Content-Range": "bytes 5-9/10"], body: [1, 2, 3, 4, 5]),
        // A GIF that ends after its header.
        .verbatim(status: 200, headers: [:], body: Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]),
    ])
    func rejectedPicturesAreDownloadedLater(fault: Fault) async throws {
        let clean = try await Self.clean.value
        try await withMirror(days: Self.days) { mirror in
            mirror.simulator.inject(fault, on: .media, times: nil)
            let summary = await mirror.sync(since: .days(Self.days))
            #expect(summary.downloaded == 0)
            let paths = try mirror.contents().keys
            // The page opens NASA's article.
            #expect(paths.allSatisfy { !$0.hasPrefix("pictures") || $0.hasSuffix(".html") })

            mirror.simulator.clearFaults()
            mirror.advance(days: 3)
            let again = await mirror.sync(since: .days(Self.days))

            #expect(again.downloaded == Self.days && again.missing == 0)
            #expect(try Self.withoutTimes(mirror.contents()) == Self.withoutTimes(clean))
        }
    }

    @Test func daysThatAppearLateAreFound() async throws {
        try await withMirror { mirror in
            let late = try #require(
                mirror.simulator.entry(of: MirrorUnderTest.newest.advanced(by: -5)))
            mirror.simulator.withdraw(late.day)
            let first = await mirror.sync()
            #expect(first.missing == 1)
            #expect(try mirror.store.state().retries[late.day]?.cause == .unpublished)

            mirror.simulator.publish(late)
            mirror.advance(days: 1)
            let second = await mirror.sync()

            #expect(second.missing == 0)
        }
    }

    /// The entry of a day is missing at first, has a picture that NASA does not have, or is a placeholder.
    @Test(arguments: [RetryState.Cause.unpublished, .unusable, nil])
    func newsOfAMissingDayIsNotDelayed(cause: RetryState.Cause?) async throws {
        try await withMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -5)
            var entry = try #require(mirror.simulator.entry(of: day))
            var first = entry
            switch cause {
            case .unpublished: mirror.simulator.withdraw(day)
            case nil:
                first.title = "NASA Science"
                mirror.simulator.publish(first)
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

    /// Of a day that the mirror wants, of one that it does not want, and of one to come.
    @Test(arguments: [-8, -60, 3])
    func aPictureOfTheUserIsNotTakenOver(distance: Int) async throws {
        try await withMirror(days: 70) { mirror in
            await mirror.sync(since: .days(3))
            let day = MirrorUnderTest.newest.advanced(by: distance)
            let folder = try mirror.tree.root.makeDirectory(
                Layout.folder(Layout.pictures, of: day))
            let name = "\(day) our moon photo.jpg"
            let picture = try #require(
                try mirror.tree.root.read(mirror.record(0).picture?.path ?? ""))
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
            var without = entry
            without.media = .lost
            if isLost {
                mirror.simulator.publish(without)
            } else {
                mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil)
            }
            await mirror.sync(since: .days(40))
            let folder = try mirror.tree.root.makeDirectory(Layout.folder(Layout.pictures, of: day))
            try mirror.store.publishAlways([1], in: folder, as: "\(day) mine.jpg")
            mirror.simulator.clearFaults()
            mirror.simulator.publish(entry)
            mirror.advance(days: 3)

            let synchronizer = mirror.synchronizer(since: .days(40), rechecks: false)
            let summary = await synchronizer.sync(retry: .anyFailure).summary()

            #expect(summary.downloaded == 1 && summary.missing == 0, "\(summary)")
            #expect(try mirror.store.record(of: day)?.picture != nil)
            #expect(try folder.read("\(day) mine.jpg") == [1])
        }
    }

    /// The records without download times and without the port of the host.
    private static func withoutTimes(_ contents: [String: [UInt8]]) -> [String: String] {
        contents.mapValues { bytes in
            guard bytes.count < 65_536, bytes.first == UInt8(ascii: "{") else {
                var hash = SHA256()
                hash.update(bytes)
                return hash.hexDigest()
            }
            return String(decoding: bytes, as: UTF8.self)
                .replacing(/"fetched": "[^"]*"/, with: "")
                .replacing(/127\.0\.0\.1:\d+/, with: "")
        }
    }
}
