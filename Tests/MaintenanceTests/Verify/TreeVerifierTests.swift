import APOD
import Glibc
import JSON
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Maintenance
@testable import Mirror

/// Each kind of damage is found, and nothing else is reported.
@Suite(.timeLimit(.minutes(10))) struct TreeVerifierTests {
    @Test(arguments: [false, true])
    func aMirrorAfterASyncHasNoFindings(isQuick: Bool) async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: true)
            let findings = try mirror.findings(isQuick: isQuick)
            #expect(findings == [], "\(findings)")
        }
    }

    @Test func anEditByNASAIsNotDamage() async throws {
        try await withSyncedMirror { mirror in
            try mirror.replacePicture(0, format: .png)
            mirror.advance(days: 1)
            await mirror.sync()

            // A link under the old name, the old picture and the old record in previous/.
            #expect(try mirror.tree.root.folder(Layout.previous)?.names().count == 2)
            let findings = try mirror.findings()
            #expect(findings == [], "\(findings)")
        }
    }

    /// The daemon gives the picture its name before the record.
    @Test(arguments: [false, true])
    func aRecordThatIsBeingPublishedIsNotMissing(isStaged: Bool) async throws {
        try await withSyncedMirror { mirror in
            let record = Layout.recordPath(of: MirrorUnderTest.newest)
            let staged = "\(Layout.incoming)/\(Layout.recordName(of: MirrorUnderTest.newest))"
            if isStaged {
                try mirror.tree.root.rename(record, to: mirror.tree.root, as: staged)
            } else {
                try mirror.remove(record)
            }

            #expect(try mirror.findings().map(\.path) == (isStaged ? [] : [record]))
        }
    }

    // MARK: Pictures

    @Test func aFlippedBitIsFoundByItsHash() async throws {
        try await withSyncedMirror { mirror in
            let picture = try #require(try mirror.record().picture)
            try mirror.flipBit(picture.path)

            let findings = try mirror.findings()

            #expect(findings.map(\.day) == [MirrorUnderTest.newest.advanced(by: -1)])
            #expect(findings.map(\.expected) == ["SHA-256 \(picture.sha256)"], "\(findings)")
            // The size is right.
            #expect(try mirror.findings(isQuick: true) == [])
        }
    }

    @Test(arguments: ["empty", "cut", "fifo", "directory", "link", "none"])
    func whatIsNotTheRecordedPictureIsFoundQuickly(kind: String) async throws {
        try await expectFinding(kind == "none" ? .missing : .damaged, isQuick: true) { mirror in
            let path = try mirror.picture()
            switch kind {
            case "empty": try mirror.rot(path) { $0 = [] }
            case "cut": try mirror.rot(path) { $0.removeLast() }
            default: try mirror.remove(path)
            }
            switch kind {
            case "fifo": unsafe mkfifo(mirror.absolute(path), 0o644)
            case "directory": _ = try mirror.tree.root.makeDirectory(path)
            case "link": try mirror.tree.root.symlink(path, to: "/etc/passwd")
            default: break
            }
            return path
        }
    }

    @Test func aPictureRemovedByRetentionIsNotMissing() async throws {
        try await withSyncedMirror { mirror in
            var record = try mirror.record()
            let path = try #require(record.picture?.path)
            record.picture?.removed = record.lastChanged
            try mirror.store.publish(record.json.document, at: mirror.recordPath())
            try mirror.remove(path)

            #expect(try mirror.findings() == [])
        }
    }

    // MARK: Other files

    @Test func theFileAndThePageOfAVideoAreVerified() async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: true)
            let videos = (0..<40).compactMap { age in try? mirror.record(age) }.compactMap(\.video)
            let video = try #require(videos.lazy.compactMap(\.path).first)
            let page = try #require(
                videos.lazy.filter { $0.path == nil }.compactMap(\.page).first)
            try mirror.flipBit(video)
            try mirror.flipBit(page)

            let findings = try mirror.findings()

            #expect(Set(findings.map(\.path)) == [video, page])
            #expect(findings.allSatisfy { $0.kind == .damaged })
        }
    }

    @Test(arguments: [[], Array("no JPEG here".utf8)] as [[UInt8]])
    func aThumbnailThatIsNoWholeJPEGIsDamaged(contents: [UInt8]) async throws {
        try await expectFinding(.damaged) { mirror in
            let path = Layout.thumbnail(of: MirrorUnderTest.newest)
            _ = try ViewFiles(of: .thumbnails, in: mirror.store).publish([
                .init(path: path, bytes: Array("a whole JPEG".utf8), modified: 1_000_000_000)
            ])
            try mirror.rot(path) { $0 = contents }
            return path
        }
    }

    @Test(arguments: [true, false], [true, false])
    func whatAPersonPutInPlaceOfAThumbnailStays(isFile: Bool, isQuick: Bool) async throws {
        try await withSyncedMirror { mirror in
            let path = Layout.thumbnail(of: MirrorUnderTest.newest)
            _ = try ViewFiles(of: .thumbnails, in: mirror.store).publish([
                .init(path: path, bytes: Array("a whole JPEG".utf8), modified: 1_000_000_000)
            ])
            if !isFile { try mirror.remove(path) }
            try mirror.write("mine", to: isFile ? path : "\(path)/mine.txt")

            let findings = try mirror.findings(isQuick: isQuick)

            #expect(findings == [], "\(findings)")
        }
    }

    /// As after an edit of NASA, if a backup of the day before was copied back.
    @Test(arguments: [false, true], [false, true])
    func aThumbnailOfAnotherPictureIsDamaged(isQuick: Bool, isOfAnother: Bool) async throws {
        try await withSyncedMirror { mirror in
            let path = Layout.thumbnail(of: MirrorUnderTest.newest.advanced(by: -1))
            let recorded = try #require(try mirror.record().picture?.sha256)
            let stamp = ThumbnailFile.stamp(
                of: isOfAnother ? String(repeating: "0", count: 64) : recorded)
            try mirror.write(String(repeating: "\0", count: 24) + stamp, to: path)

            let isFound = isOfAnother || !isQuick
            #expect(try mirror.findings(isQuick: isQuick).map(\.path) == (isFound ? [path] : []))
        }
    }

    @Test func aPinMustHaveTheContentsOfThePictureOrOfAnEarlierOne() async throws {
        try await withSyncedMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let pin = try mirror.makePin(with: mirror.tree.root.read(mirror.picture()) ?? [])
            #expect(try mirror.findings() == [])
            let other = Array("not the picture".utf8)
            try mirror.rot(pin) { $0 = other }

            #expect(try mirror.findings().map(\.path) == [pin])

            let earlier = FileName.archived("x.jpg", day: day, sha256: SHA256.digits(64, of: other))
            try mirror.write("not the picture", to: "\(Layout.previous)/\(earlier)")
            #expect(try mirror.findings() == [])
        }
    }

    /// Whatever its name is: no record names it.
    @Test func filesOfAUserAreNoFindings() async throws {
        try await withSyncedMirror { mirror in
            let month = Layout.split(try mirror.picture()).folder
            let items = [
                Layout.thumbnail(of: MirrorUnderTest.newest.advanced(by: -1)),
                "\(month)/notes.txt", "\(month)/2026-11-19 mine.jpg", "pictures/2026/x",
                "metadata/x.json", "notes.txt", "\(Layout.own)/mine",
                "\(Layout.previous)/2026-11-19 mine.jpg", "gallery/thumbnails/2026/2026-11/x",
                "\(Layout.favoriteStore)/2020-01-01.jpg",
                "\(Layout.favoriteStore)/2026-11-19 - Kopie.jpg",
                "\(Layout.favoriteStore)/2026-11-19.sync-conflict-20261129-101010-ABCDEFG.jpg",
            ]
            for path in items { try mirror.write("mine", to: path) }

            let findings = try mirror.findings()
            #expect(findings == [], "\(findings)")
        }
    }
}
