import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Maintenance
@testable import Mirror

/// What is damaged goes to `damaged/`, and the pin or the next sync makes the day whole again.
@Suite(.timeLimit(.minutes(10))) struct RepairTests {
    private let yesterday = MirrorUnderTest.newest.advanced(by: -1)

    private func repair(_ mirror: MirrorUnderTest) throws -> [Repair] {
        try mirror.findings().map(Repairer(store: mirror.store).repair)
    }

    private func damagedDays(_ repairs: [Repair]) -> Set<Day> {
        Set(repairs.filter { $0.action == .leftToSync }.compactMap(\.finding.day))
    }

    // MARK: The pin

    @Test func aPictureIsCopiedFromThePinOfAFavorite() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            let whole = try mirror.tree.root.read(path) ?? []
            let pin = try mirror.makePin(with: whole)
            try mirror.flipBit(path)
            let damaged = try mirror.tree.root.read(path) ?? []
            let requests = mirror.simulator.requests.count

            let repairs = try repair(mirror)

            #expect(repairs.map(\.action) == [.done("copied from \(pin)")])
            #expect(try mirror.tree.root.read(path) == whole)
            #expect(try mirror.tree.root.status(path)?.modified == yesterday.noon)
            #expect(try mirror.damagedFiles() == [damaged])
            #expect(try mirror.findings() == [])
            #expect(mirror.simulator.requests.count == requests)
        }
    }

    /// The record is an earlier one from a backup.
    @Test func aPictureThatNASAReplacedIsCopiedFromPrevious() async throws {
        try await withSyncedMirror { mirror in
            let record = try mirror.tree.root.read(mirror.recordPath()) ?? []
            let picture = try mirror.picture()
            let original = try mirror.tree.root.read(picture) ?? []
            try mirror.replacePicture()
            await mirror.sync()
            let replacing = try #require(try mirror.tree.root.read(mirror.picture()))
            #expect(replacing != original)
            try mirror.store.publish(record, at: mirror.recordPath())

            _ = try repair(mirror)

            #expect(try mirror.tree.root.read(picture) == original)
            #expect(try mirror.damagedFiles() == [replacing])
            #expect(try mirror.findings() == [])
        }
    }

    /// The repair follows the verification of all days, which takes hours.
    @Test(arguments: [true, false])
    func whatReturnsBeforeTheRepairIsNotLost(isWhole: Bool) async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            let whole = try mirror.tree.root.read(path) ?? []
            _ = try mirror.makePin(with: whole)
            try mirror.remove(path)
            let findings = try mirror.findings()
            let mine = isWhole ? whole : whole + [0]
            try mirror.write("", to: path)
            try mirror.rot(path) { $0 = mine }
            let identity = try mirror.tree.root.status(path)?.identity

            _ = findings.map(Repairer(store: mirror.store).repair)

            #expect(try mirror.tree.root.read(path) == whole)
            #expect(try mirror.damagedFiles() == (isWhole ? [] : [mine]))
            #expect(try (mirror.tree.root.status(path)?.identity == identity) == isWhole)
        }
    }

    @Test func aDamagedPinIsNoSource() async throws {
        try await withSyncedMirror { mirror in
            let path = try mirror.picture()
            let pin = "\(Layout.favoriteStore)/\(yesterday).jpg"
            _ = try mirror.tree.root.makeDirectory(Layout.favoriteStore)
            // The same file under two names, like a pin on a file system without reflinks.
            #expect(unsafe link(mirror.absolute(path), mirror.absolute(pin)) == 0)
            try mirror.flipBit(path)

            let repairs = try repair(mirror)
            await mirror.sync(damagedDays: damagedDays(repairs))

            #expect(repairs.map(\.action) == [.leftToSync, .leftToScan])
            #expect(try mirror.findings() == [] && mirror.tree.root.status(pin) == nil)
            #expect(try mirror.damagedFiles().count == 2)
        }
    }

    /// An edit has another size than the picture; a file of its size is only damaged.
    @Test func theEditedPictureThatARepairMovedStaysWhenRetentionRemovesItsDay() async throws {
        try await withMirror { mirror in
            await mirror.sync(since: .days(12))
            let day = MirrorUnderTest.newest.advanced(by: -11)
            try mirror.rot(mirror.picture(11)) { $0 += Array("retouched".utf8) }
            let edited = try #require(try mirror.tree.root.read(mirror.picture(11)))

            let repairs = try repair(mirror)
            await mirror.sync(since: .days(12), damagedDays: damagedDays(repairs))

            try mirror.flipBit(mirror.picture(11))
            await mirror.sync(since: .days(12), damagedDays: damagedDays(try repair(mirror)))

            #expect(try mirror.damagedFiles().count == 2)

            _ = await mirror.synchronizer(since: .days(12), keep: .days(11)).sync().summary()

            #expect(try mirror.store.record(of: day)?.removed != nil)
            #expect(try mirror.damagedFiles() == [edited])
        }
    }

    // MARK: NASA

    /// What may be in place of a file of a day.
    enum Damage: CaseIterable {
        case flippedBit, empty, missing, missingVideo, fifo, directory, link

        func put(at path: String, of mirror: MirrorUnderTest) throws {
            switch self {
            case .flippedBit: return try mirror.flipBit(path)
            case .empty: return try mirror.rot(path) { $0 = [] }
            default: try mirror.remove(path)
            }
            switch self {
            case .fifo: unsafe mkfifo(mirror.absolute(path), 0o644)
            case .directory: try mirror.write("mine", to: "\(path)/mine.txt")
            case .link: try mirror.tree.root.symlink(path, to: "/etc/passwd")
            default: break
            }
        }
    }

    /// Of a day that is no longer wanted, and of a video though videos are no longer downloaded.
    @Test(arguments: Damage.allCases)
    func whatIsDamagedIsMovedAwayAndDownloadedAgain(damage: Damage) async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: true)
            let paths = (1..<40).compactMap { try? mirror.record($0) }.compactMap {
                damage == .missingVideo ? $0.video?.path : $0.picture?.path
            }
            let path = try #require(paths.last)
            let before = try mirror.contents()
            try damage.put(at: path, of: mirror)

            await mirror.sync(since: .days(1), damagedDays: damagedDays(try repair(mirror)))

            #expect(try mirror.findings() == [])
            let isKept = { (file: (key: String, value: [UInt8])) in
                !file.key.hasPrefix(Layout.metadata)
            }
            #expect(try mirror.contents().filter(isKept) == before.filter(isKept))
            let isMissing = [Damage.missing, .missingVideo].contains(damage)
            let damaged = try mirror.tree.root.folder(Layout.damaged)?.names() ?? []
            #expect(damaged.count == (isMissing ? 0 : 1))
        }
    }

    @Test(arguments: [true, false])
    func aDamagedRecordIsWrittenAgainAndItsPictureKeepsItsName(isCut: Bool) async throws {
        try await withSyncedMirror { mirror in
            let before = try mirror.contents()
            if isCut {
                try mirror.rot(mirror.recordPath()) { $0.removeLast($0.count / 2) }
            } else {
                var record = try mirror.record()
                record.picture?.path = "pictures/../../secret.jpg"
                try mirror.store.publish(record.json.document, at: mirror.recordPath())
            }
            let damaged = try mirror.tree.root.read(mirror.recordPath()) ?? []

            await mirror.sync(damagedDays: damagedDays(try repair(mirror)))

            #expect(try mirror.findings() == [])
            #expect(try mirror.damagedFiles() == [damaged])
            #expect(try mirror.contents().keys == before.keys)
        }
    }

    /// An error of the disk and one of NASA, for a day that no poll returns.
    @Test(arguments: [true, false])
    func aFailedDownloadIsRetriedByTheNextRepair(isOfDisk: Bool) async throws {
        try await withSyncedMirror(days: 40) { mirror in
            try mirror.flipBit(mirror.picture(30))
            let damagedDays = damagedDays(try repair(mirror))
            let fault: Fault = isOfDisk ? .truncated(after: 10) : .notFound
            mirror.simulator.inject(fault, on: .media, times: nil)
            await mirror.sync(since: .days(1), damagedDays: damagedDays)
            #expect(try mirror.findings() != [])
            mirror.simulator.clearFaults()

            await mirror.sync(since: .days(1), damagedDays: damagedDays, retry: .anyFailure)

            #expect(try mirror.findings() == [])
        }
    }

    /// The rendition may have been made from the damaged bytes.
    @Test func theRenditionIsRemovedWhenTheSamePictureIsDownloadedAgain() async throws {
        try await withSyncedMirror { mirror in
            let rendition = Rendition.path(of: yesterday)
            _ = try ViewFiles(of: .renditions, in: mirror.store).publish([
                .init(path: rendition, bytes: Array("of damaged bytes".utf8))
            ])
            let hash = try mirror.record().picture?.sha256
            try mirror.remove(try mirror.picture())

            await mirror.sync(damagedDays: [yesterday])

            #expect(try mirror.record().picture?.sha256 == hash)
            #expect(try mirror.tree.root.read(try mirror.picture()) != nil)
            #expect(try mirror.tree.root.read(rendition) == nil)
        }
    }

    /// There is no file in `previous/`, which the thumbnails are compared with.
    @Test(arguments: [false, true])
    func theThumbnailOfALostPictureIsRemovedWhenNASAHasAnotherOne(isUsers: Bool) async throws {
        try await withSyncedMirror { mirror in
            let thumbnail = Layout.thumbnail(of: yesterday)
            let rendition = Rendition.path(of: yesterday)
            for (view, path) in [(ViewName.thumbnails, thumbnail), (.renditions, rendition)] {
                if isUsers {
                    try mirror.write("mine", to: path)
                } else {
                    _ = try ViewFiles(of: view, in: mirror.store).publish([
                        .init(path: path, bytes: Array("of the old picture".utf8))
                    ])
                }
            }
            try mirror.remove(try mirror.picture())
            try mirror.replacePicture()

            await mirror.sync(damagedDays: [yesterday])

            #expect(try mirror.record().picture?.width == 64)
            for path in [thumbnail, rendition] {
                let mine = isUsers ? Array("mine".utf8) : nil
                #expect(try mirror.tree.root.read(path) == mine)
            }
        }
    }
}
