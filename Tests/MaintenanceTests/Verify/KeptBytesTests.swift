import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import TestSupport
import Testing

@testable import Maintenance
@testable import Mirror

/// A repair loses nothing that a user wrote or pinned, and reports a loss that it cannot undo.
@Suite(.timeLimit(.minutes(10))) struct KeptBytesTests {
    private let yesterday = MirrorUnderTest.newest.advanced(by: -1)

    /// The contents of all files in `damaged/`.
    private func kept(_ mirror: MirrorUnderTest) throws -> [[UInt8]] {
        guard let folder = try mirror.tree.root.folder(Layout.damaged) else { return [] }
        return try folder.textNames().map { try folder.read($0) ?? [] }
    }

    private func repair(
        _ mirror: MirrorUnderTest, pins: [Day: String] = [:]
    ) throws -> [Repair] {
        let expectations = VerifyExpectations(pins: pins)
        let findings = try mirror.findings(expecting: expectations).filter(\.isDamage)
        return findings.map(Repairer(mirror.store, pins: pins).repair)
    }

    // MARK: Huge files

    /// A size that takes many minutes to read.
    private static let hugeSize = 1 << 40

    @Test(arguments: DayRecord.FileKind.allCases.map(\.rawValue) + ["record", "page"])
    func aHugeFileIsKeptWithoutReadingIt(kind: String) async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: kind == "video")
            let records = (0..<40).compactMap { try? mirror.record($0) }
            let record = try #require(records.first { Self.path(of: kind, $0) != nil })
            let path = try #require(Self.path(of: kind, record))
            let size = try #require(try mirror.tree.root.status(path)?.size)
            #expect(unsafe truncate(mirror.absolute(path), Self.hugeSize) == 0)

            await mirror.sync(since: .days(40), suspects: [record.entry.day])

            #expect(try mirror.tree.root.status(path)?.size ?? 0 <= 2 * size)
            #expect(try mirror.findings() == [])
            let damaged = try #require(try mirror.tree.root.folder(Layout.damaged))
            let name = Layout.split(path).name
            #expect(try damaged.textNames() == [name])
            #expect(try damaged.status(name)?.size == Self.hugeSize)
        }
    }

    private static func path(of kind: String, _ record: DayRecord) -> String? {
        switch kind {
        case "record": record.picture == nil ? nil : Layout.recordPath(of: record.entry.day)
        case "page": record.picture == nil ? nil : record.video?.page
        default: DayRecord.FileKind(rawValue: kind).flatMap { record.file($0)?.path }
        }
    }

    // MARK: Pages and records

    @Test(arguments: [true, false])
    func aPageEditedByAUserIsSavedBeforeASyncRewritesIt(isSuspect: Bool) async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40))
            let record = try #require(
                (0..<40).lazy.compactMap { try? mirror.record($0) }
                    .first { $0.video?.page != nil && $0.picture != nil })
            let page = try #require(record.video?.page)
            let whole = try mirror.tree.root.read(page)
            try mirror.rot(page) { $0 += Array("my notes".utf8) }
            let notes = try mirror.tree.root.read(page) ?? []

            if isSuspect {
                await mirror.sync(since: .days(1), suspects: [record.entry.day])
            } else {
                try mirror.remove(try #require(record.picture?.path))
                await mirror.sync(since: .days(40))
            }

            #expect(try mirror.tree.root.read(page) == whole)
            #expect(try kept(mirror) == [notes])
        }
    }

    @Test func anUneditedPageIsNotSavedWhenItsTitleChanges() async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40))
            var record = try #require(
                (0..<40).lazy.compactMap { try? mirror.record($0) }
                    .first { $0.video?.page != nil })
            let earlier = record
            record.entry.title = "Another title"

            _ = try mirror.store.publishRedirectPage(of: record, after: earlier)

            #expect(try kept(mirror) == [])
        }
    }

    @Test func keysOfAUserSurviveTheRepairOfARecord() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var record = try mirror.record()
            record.picture?.sha256 = "ab"
            record.unknown.append(.init(key: "mykey", value: "mine"))
            try mirror.store.publishIfChanged(record.json.document, at: mirror.recordPath())

            await mirror.sync(suspects: [yesterday])

            #expect(try mirror.findings() == [])
            let json = try JSON(parsing: try mirror.tree.root.read(mirror.recordPath()) ?? [])
            #expect(json["mykey"] == "mine")
        }
    }

    // MARK: Pins and replaced pictures

    /// A favorite whose picture NASA has replaced since: the pin and the file in `previous/` are one.
    private nonisolated(nonsending) func withReplacedPicture(
        _ body: (MirrorUnderTest, _ previous: String, _ pin: String) throws -> Void
    ) async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let earlier = try mirror.record()
            let picture = try #require(earlier.picture)
            let pin = "\(Layout.own)/favorites/\(yesterday).jpg"
            _ = try mirror.tree.root.makeDirectory("\(Layout.own)/favorites")
            #expect(unsafe link(mirror.absolute(picture.path), mirror.absolute(pin)) == 0)
            var entry = try #require(mirror.simulator.entry(of: yesterday))
            let drawing = Drawing(seed: 77, width: 64, height: 40, format: .jpeg)
            entry.media = .picture(
                SimulatedPicture(name: "another.jpg", source: .drawn(drawing)))
            mirror.simulator.publish(entry)
            mirror.advance(days: 1)
            await mirror.sync()
            #expect(try mirror.record().picture?.sha256 != picture.sha256)
            let name = FileName.previous(
                Layout.split(picture.path).name, day: yesterday, sha256: picture.sha256)
            try body(mirror, "\(Layout.previous)/\(name)", pin)
        }
    }

    @Test func aPinIsNeverReplacedByAnotherPictureThanThePinnedOne() async throws {
        try await withReplacedPicture { mirror, previous, pin in
            try mirror.flipBit(previous)
            let damaged = try mirror.tree.root.read(pin)

            // Even if `previous/` no longer shows which picture it was.
            for _ in 0..<3 {
                let repairs = try repair(mirror, pins: [yesterday: pin])

                #expect(repairs.contains { $0.finding.path == pin && !$0.isDone }, "\(repairs)")
                #expect(try mirror.tree.root.read(pin) == damaged)
            }
            #expect(try !mirror.tree.exists(previous))
        }
    }

    /// Replaces the pin by a copy of it; returns its bytes.
    private func copy(
        _ previous: String, to pin: String, _ mirror: MirrorUnderTest
    ) throws -> [UInt8] {
        let whole = try mirror.tree.root.read(previous) ?? []
        try mirror.remove(pin)
        try mirror.write("", to: pin)
        try mirror.rot(pin) { $0 = whole }
        return whole
    }

    @Test(arguments: [false, true])
    func pinAndReplacedPictureAreRestoredFromEachOther(isPinDamaged: Bool) async throws {
        try await withReplacedPicture { mirror, previous, pin in
            let whole = try copy(previous, to: pin, mirror)
            let (damaged, other) = isPinDamaged ? (pin, previous) : (previous, pin)
            try mirror.flipBit(damaged)

            let repairs = try repair(mirror, pins: [yesterday: pin])

            #expect(repairs.map(\.action) == [.restored(from: other)])
            #expect(try mirror.tree.root.read(damaged) == whole)
        }
    }

    @Test func anIntactPinIsNotDamagedWhenTheReplacedPictureIsGone() async throws {
        try await withReplacedPicture { mirror, previous, pin in
            try mirror.remove(previous)

            let findings = try mirror.findings(expecting: .init(pins: [yesterday: pin]))

            #expect(findings == [])
        }
    }
}
