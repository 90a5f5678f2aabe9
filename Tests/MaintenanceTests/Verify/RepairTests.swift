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

/// Each kind of damage is repaired from the nearest source, and the damaged bytes are kept.
@Suite(.timeLimit(.minutes(10))) struct RepairTests {
    /// Repairs the findings that are damage.
    private nonisolated(nonsending) func repair(
        _ mirror: MirrorUnderTest, pins: [Day: String] = [:]
    ) async throws -> [Repair] {
        let findings = try mirror.findings(expecting: VerifyExpectations(pins: pins))
        let repairer = Repairer(mirror.store, pins: pins)
        return findings.filter(\.isDamage).map(repairer.repair)
    }

    private func suspects(_ repairs: [Repair]) -> Set<Day> {
        Set(repairs.filter { $0.action == .leftToSync }.compactMap(\.finding.day))
    }

    /// The contents of all files in `damaged/`.
    private func kept(_ mirror: MirrorUnderTest) throws -> [[UInt8]] {
        guard let folder = try mirror.tree.root.folder(Layout.damaged) else { return [] }
        return try folder.textNames().map { try folder.read($0) ?? [] }
    }

    private let yesterday = MirrorUnderTest.newest.advanced(by: -1)

    // MARK: Local sources

    @Test func aPictureIsRestoredFromThePinOfAFavorite() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let whole = try mirror.tree.root.read(path) ?? []
            let pin = "\(Layout.own)/favorites/\(yesterday).jpg"
            try mirror.write("", to: pin)
            try mirror.rot(pin) { $0 = whole }
            try mirror.flipBit(path)
            let damaged = try mirror.tree.root.read(path) ?? []
            let requests = mirror.simulator.requests.count

            let repairs = try await repair(mirror, pins: [yesterday: pin])

            #expect(repairs.map(\.action) == [.restored(from: pin)])
            #expect(try mirror.tree.root.read(path) == whole)
            #expect(try kept(mirror) == [damaged])
            #expect(try mirror.findings() == [])
            #expect(mirror.simulator.requests.count == requests)
        }
    }

    @Test func aPictureIsRestoredFromPrevious() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let picture = try #require(try mirror.record().picture)
            _ = try mirror.store.archive(picture.path, of: yesterday)
            try mirror.remove(picture.path)

            let repairs = try await repair(mirror)

            #expect(repairs.count == 1 && repairs.allSatisfy(\.isDone), "\(repairs)")
            #expect(try mirror.findings() == [])
        }
    }

    /// One wrong bit is better than fewer pixels.
    @Test func aDamagedPictureIsNotReplacedByASmallerOne() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let whole = try mirror.tree.root.read(path) ?? []
            try mirror.flipBit(path)
            let damaged = try mirror.tree.root.read(path) ?? []
            let original = try #require(mirror.simulator.entry(of: yesterday))
            var smaller = original
            smaller.media = .picture(
                SimulatedPicture(
                    name: "smaller.jpg", source: .drawn(Drawing(seed: 7, width: 24, height: 16))))
            mirror.simulator.publish(smaller)
            let suspects = suspects(try await repair(mirror))

            let summary = await mirror.sync(suspects: suspects)

            #expect(try mirror.tree.root.read(path) == damaged)
            #expect(summary.downloaded == 0 && summary.edited == 0, "\(summary)")
            #expect(try mirror.store.state().retries[yesterday]?.cause == .partial)
            #expect(try mirror.findings().contains { $0.isDamage && $0.path == path })

            mirror.simulator.publish(original)
            await mirror.sync(suspects: suspects)

            #expect(try mirror.tree.root.read(path) == whole)
            #expect(try mirror.findings() == [])
        }
    }

    /// There is no file in `previous/`, which the thumbnails are compared with.
    @Test(arguments: [false, true])
    func theThumbnailOfALostPictureIsRemovedWhenNASAHasAnotherOne(isUsers: Bool) async throws {
        try await withMirror { mirror in
            await mirror.sync()
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
            var entry = try #require(mirror.simulator.entry(of: yesterday))
            entry.media = .picture(
                SimulatedPicture(
                    name: "other.jpg", source: .drawn(Drawing(seed: 7, width: 64, height: 40))))
            mirror.simulator.publish(entry)

            await mirror.sync(suspects: [yesterday])

            #expect(try mirror.record().picture?.width == 64)
            for path in [thumbnail, rendition] {
                let mine = isUsers ? Array("mine".utf8) : nil
                #expect(try mirror.tree.root.read(path) == mine)
            }
        }
    }

    @Test func aDamagedPinIsNoSource() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let pin = "\(Layout.own)/favorites/\(yesterday).jpg"
            _ = try mirror.tree.root.makeDirectory("\(Layout.own)/favorites")
            // The same file under two names, like a pin on a file system without reflinks.
            #expect(unsafe link(mirror.absolute(path), mirror.absolute(pin)) == 0)
            try mirror.flipBit(path)

            let repairs = try await repair(mirror, pins: [yesterday: pin])
            #expect(repairs.map(\.action) == [.leftToSync, .leftToSync])
            await mirror.sync(suspects: suspects(repairs))
            let others = try await repair(mirror, pins: [yesterday: pin])

            #expect(others.map(\.action) == [.restored(from: path)])
            #expect(try mirror.findings(expecting: .init(pins: [yesterday: pin])) == [])
        }
    }

    @Test func aRenamedPictureIsMovedBack() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let other = "\(Layout.split(path).folder)/mine.jpg"
            try mirror.move(path, to: other)

            let repairs = try await repair(mirror)

            #expect(repairs.map(\.action) == [.movedBack(from: other)])
            #expect(try mirror.findings() == [])
        }
    }

    /// NASA shows some pictures again, byte for byte.
    @Test func theSamePictureOfAnotherDayStays() async throws {
        try await withMirror { mirror in
            let other = yesterday.advanced(by: -1)
            var entry = try #require(mirror.simulator.entry(of: other))
            entry.media = try #require(mirror.simulator.entry(of: yesterday)).media
            mirror.simulator.publish(entry)
            await mirror.sync()
            let (path, otherPath) = (try mirror.picture(1), try mirror.picture(2))
            #expect(try mirror.record(1).picture?.sha256 == mirror.record(2).picture?.sha256)
            try mirror.remove(path)

            let findings = try mirror.findings(.days([yesterday]))

            #expect(findings.map(\.path) == [path] && findings.map(\.kind) == [.missing])
            let repairer = Repairer(mirror.store, pins: [:])
            let repairs = findings.map(repairer.repair)
            #expect(repairs.map(\.action) == [.leftToSync])
            #expect(try mirror.tree.root.status(otherPath) != nil)
        }
    }

    @Test func aCopyThatCannotBeReadDoesNotHideTheNextOne() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            _ = try mirror.store.archive(path, of: yesterday)
            try mirror.remove(path)
            let findings = try mirror.findings(.days([yesterday]))

            // The name is too long for the file system.
            let unreadable = String(repeating: "x", count: 300)
            let repairer = Repairer(mirror.store, pins: [yesterday: unreadable])
            let repairs = findings.map(repairer.repair)

            #expect(repairs.count == 1 && repairs.allSatisfy(\.isDone), "\(repairs)")
            #expect(try mirror.findings(.days([yesterday])) == [])
        }
    }

    @Test func aModificationTimeIsRestored() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            try mirror.tree.root.openFile(path, O_RDONLY).setModified(1, path: path)

            #expect(try await repair(mirror).map(\.action) == [.timeSet])
            #expect(try mirror.tree.root.status(path)?.modified == yesterday.noon)
        }
    }

    @Test func aReplacedFileThatIsDamagedIsSetAside() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let zeros = String(repeating: "0", count: 64)
            let name = FileName.previous("x.jpg", day: yesterday, sha256: zeros)
            try mirror.write("not that", to: "\(Layout.previous)/\(name)")

            #expect(try await repair(mirror).map(\.action) == [.setAside])
            #expect(try kept(mirror) == [Array("not that".utf8)])
            #expect(try mirror.findings() == [])
        }
    }

    @Test func unknownItemsAreNeverChanged() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = "\(Layout.split(try mirror.picture()).folder)/2026-11-19 mine.txt"
            try mirror.write("mine", to: path)

            #expect(try await repair(mirror) == [])
            #expect(try mirror.tree.root.read(path) == Array("mine".utf8))
        }
    }

    // MARK: NASA

    /// Damages a mirror of ten days, repairs it with a sync, and expects that nothing is found then.
    private func expectSyncRepairs(
        extras: Archive.Extras = [], videos: Bool = false,
        _ breaking: (MirrorUnderTest) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [[UInt8]] {
        try await withMirror(days: 40, extras: extras) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: videos)
            let before = try mirror.contents()
            try breaking(mirror)

            let repairs = try await repair(mirror)
            // Days that are no longer wanted are downloaded, too.
            await mirror.sync(since: .days(1), suspects: suspects(repairs))

            let findings = try mirror.findings()
            #expect(findings == [], sourceLocation: sourceLocation)
            #expect(
                try mirror.contents().filter { !$0.key.hasPrefix(Layout.metadata) }
                    == before.filter { !$0.key.hasPrefix(Layout.metadata) },
                sourceLocation: sourceLocation)
            return try kept(mirror)
        }
    }

    @Test func aFlippedBitIsReplacedByADownload() async throws {
        let kept = try await expectSyncRepairs { try $0.flipBit($0.picture(30)) }
        #expect(kept.count == 1)
    }

    @Test func anEmptyPictureIsReplacedByADownload() async throws {
        let kept = try await expectSyncRepairs { mirror in
            try mirror.rot(mirror.picture(30)) { $0 = [] }
        }
        #expect(kept == [[]])
    }

    @Test func aMissingPictureIsDownloaded() async throws {
        let kept = try await expectSyncRepairs { try $0.remove($0.picture(30)) }
        #expect(kept == [])
    }

    @Test func aMissingVideoIsDownloadedEvenIfVideosAreTurnedOff() async throws {
        _ = try await expectSyncRepairs(extras: .all, videos: true) { mirror in
            let video = (0..<40).lazy.compactMap { (try? mirror.record($0))?.video?.path }.first
            try mirror.remove(try #require(video))
        }
    }

    /// An error of the disk and one of NASA, for a day that no poll returns.
    @Test(arguments: [true, false])
    func aFailedDownloadIsRetriedByTheNextRepair(isOfDisk: Bool) async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(40))
            try mirror.flipBit(mirror.picture(30))
            let suspects = suspects(try await repair(mirror))
            if isOfDisk {
                try mirror.write("no directory", to: Layout.damaged)
            } else {
                mirror.simulator.inject(.notFound, on: .media, times: nil)
            }
            await mirror.sync(since: .days(1), suspects: suspects)
            #expect(try mirror.findings() != [])
            mirror.simulator.clearFaults()
            if isOfDisk { try mirror.remove(Layout.damaged) }

            await mirror.sync(since: .days(1), suspects: suspects, retry: .transient)

            #expect(try mirror.findings() == [])
        }
    }

    @Test func aTruncatedRecordIsWrittenAgainWithoutADownload() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            try mirror.rot(mirror.recordPath()) { $0.removeLast($0.count / 2) }
            let damaged = try mirror.tree.root.read(mirror.recordPath()) ?? []
            let media = mirror.simulator.requests.count { $0.kind == .media }

            let repairs = try await repair(mirror)
            await mirror.sync(suspects: suspects(repairs))

            #expect(try mirror.findings() == [])
            #expect(try kept(mirror) == [damaged])
            #expect(mirror.simulator.requests.count { $0.kind == .media } == media)
        }
    }

    @Test func aRecordWithAPathOutsideIsWrittenAgain() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var record = try mirror.record()
            record.picture?.path = "pictures/../../secret.jpg"
            try mirror.store.publishIfChanged(record.json.document, at: mirror.recordPath())

            let repairs = try await repair(mirror)
            await mirror.sync(suspects: suspects(repairs))

            #expect(try mirror.findings() == [])
            #expect(try kept(mirror).count == 1)
        }
    }

    @Test(arguments: ["fifo", "directory", "link"])
    func anOddItemIsMovedAwayAndThePictureDownloaded(kind: String) async throws {
        _ = try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            try mirror.remove(path)
            switch kind {
            case "fifo": unsafe mkfifo(mirror.absolute(path), 0o644)
            case "directory": try mirror.write("mine", to: "\(path)/mine.txt")
            default: try mirror.tree.root.symlink(path, to: "/etc/passwd")
            }

            let repairs = try await repair(mirror)
            await mirror.sync(suspects: suspects(repairs))

            #expect(try mirror.findings() == [])
            #expect(try mirror.tree.root.folder(Layout.damaged)?.names().count == 1)
        }
    }

    @Test func aPictureThatNASANoLongerServesIsNotChanged() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            try mirror.flipBit(path)
            let damaged = try mirror.tree.root.read(path)
            mirror.simulator.inject(.notFound, on: .mediaOf(yesterday), times: nil)

            let repairs = try await repair(mirror)
            await mirror.sync(suspects: suspects(repairs))

            // One wrong bit is better than no picture.
            #expect(try mirror.tree.root.read(path) == damaged)
            #expect(try mirror.findings().map(\.path) == [path])
            mirror.simulator.clearFaults()
            mirror.advance(days: 1)
            await mirror.sync(suspects: suspects(repairs))
            #expect(try mirror.findings() == [])
        }
    }
}
