import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Maintenance
@testable import Mirror

/// A repair loses nothing that a user wrote or pinned, and reports a loss that it cannot undo.
@Suite(.timeLimit(.minutes(10))) struct KeptBytesTests {
    private let yesterday = MirrorUnderTest.newest.advanced(by: -1)

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

            await mirror.sync(since: .days(40), damagedDays: [record.entry.day])

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
    func aPageEditedByAUserIsSavedBeforeASyncRewritesIt(isDamaged: Bool) async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40))
            let record = try #require(
                (0..<40).lazy.compactMap { try? mirror.record($0) }
                    .first { $0.video?.page != nil && $0.picture != nil })
            let page = try #require(record.video?.page)
            let whole = try mirror.tree.root.read(page)
            try mirror.rot(page) { $0 += Array("my notes".utf8) }
            let notes = try mirror.tree.root.read(page) ?? []

            if isDamaged {
                await mirror.sync(since: .days(1), damagedDays: [record.entry.day])
            } else {
                try mirror.remove(try #require(record.picture?.path))
                await mirror.sync(since: .days(40))
            }

            #expect(try mirror.tree.root.read(page) == whole)
            #expect(try mirror.damagedFiles() == [notes])
        }
    }

    @Test func keysOfAUserSurviveTheRepairOfARecord() async throws {
        try await withSyncedMirror { mirror in
            var record = try mirror.record()
            record.picture?.sha256 = "ab"
            record.unknown.append(.init(key: "mykey", value: "mine"))
            try mirror.store.publish(record.json.document, at: mirror.recordPath())

            await mirror.sync(damagedDays: [yesterday])

            #expect(try mirror.findings() == [])
            let json = try JSON(parsing: try mirror.tree.root.read(mirror.recordPath()) ?? [])
            #expect(json["mykey"] == "mine")
        }
    }

    // MARK: Pins and replaced pictures

    /// The pin is of the picture that was the day's until NASA replaced it.
    @Test func thePinOfAReplacedPictureStaysAndADamagedOneIsKept() async throws {
        try await withSyncedMirror { mirror in
            let picture = try #require(try mirror.record().picture)
            let pin = try mirror.makePin(with: mirror.tree.root.read(picture.path) ?? [])
            try mirror.replacePicture()
            mirror.advance(days: 1)
            await mirror.sync()
            #expect(try mirror.record().picture?.sha256 != picture.sha256)
            #expect(try mirror.findings() == [])

            try mirror.flipBit(pin)
            let damaged = try mirror.tree.root.read(pin) ?? []
            let repairs = try mirror.findings().map(Repairer(store: mirror.store).repair)

            #expect(repairs.map(\.action) == [.leftToScan])
            #expect(try mirror.damagedFiles() == [damaged])
        }
    }
}
