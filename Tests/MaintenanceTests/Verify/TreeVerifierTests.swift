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

/// Each kind of damage is found, and nothing else is reported.
@Suite(.timeLimit(.minutes(10))) struct TreeVerifierTests {
    @Test func aMirrorAfterASyncHasNoFindings() async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: true)
            let findings = try mirror.findings()
            #expect(findings == [], "\(findings)")
            let quick = try mirror.findings(isQuick: true)
            #expect(quick == [], "\(quick)")
        }
    }

    @Test func anEditByNASAIsNotDamage() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var entry = try #require(mirror.simulator.entry(of: MirrorUnderTest.newest))
            entry.title = "Another Title"
            entry.media = .picture(
                SimulatedPicture(
                    name: "other.png",
                    source: .drawn(Drawing(seed: 7, width: 64, height: 40, format: .png))))
            mirror.simulator.publish(entry)
            mirror.advance(days: 1)
            await mirror.sync()

            // A link under the old name, the old picture and the old record in previous/.
            #expect(try mirror.tree.root.folder(Layout.previous)?.names().count == 2)
            let findings = try mirror.findings()
            #expect(findings == [], "\(findings)")
        }
    }

    // MARK: Pictures

    @Test func aFlippedBitIsFoundByItsHash() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let picture = try #require(try mirror.record().picture)
            try mirror.flipBit(picture.path)

            let findings = try mirror.findings()

            #expect(
                findings.count == 1 && findings[0].day == MirrorUnderTest.newest.advanced(by: -1))
            guard case .wrongHash(let expected, let found) = findings.first?.problem else {
                Issue.record("\(findings)")
                return
            }
            #expect(expected == picture.sha256 && found != expected && found.count == 64)
            // The size is right.
            #expect(try mirror.findings(isQuick: true) == [])
        }
    }

    @Test func anEmptyPictureIsDamaged() async throws {
        try await expectFinding(.damaged) { mirror in
            try mirror.rot(mirror.picture()) { $0 = [] }
            return try mirror.picture()
        }
    }

    @Test func aTruncatedPictureIsFoundByItsSizeAlone() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let picture = try #require(try mirror.record().picture)
            try mirror.rot(picture.path) { $0.removeLast() }

            let findings = try mirror.findings(isQuick: true)

            #expect(
                findings == [
                    VerifyFinding(
                        picture.path, of: try mirror.record().entry.day,
                        .wrongSize(expected: picture.bytes, found: picture.bytes - 1))
                ])
        }
    }

    @Test func aMissingPictureIsFound() async throws {
        try await expectFinding(.missing) { mirror in
            let path = try mirror.picture()
            try mirror.remove(path)
            return path
        }
    }

    @Test func aMissingDirectoryIsAMissingPictureOfEachDay() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            try mirror.move(Layout.pictures, to: "elsewhere")

            let findings = try mirror.findings()

            #expect(findings.count { $0.kind == .missing } == 10)
            #expect(findings.filter { $0.kind == .unknown }.map(\.path) == ["elsewhere"])
        }
    }

    @Test func aRenamedPictureIsMisplaced() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let other = "\(Layout.split(path).folder)/my favorite.jpg"
            try mirror.move(path, to: other)

            let findings = try mirror.findings()

            #expect(findings.map(\.problem) == [.elsewhere(path: other)])
            #expect(findings.map(\.path) == [path])
        }
    }

    @Test func aModificationTimeOfAnotherDayIsMisplaced() async throws {
        try await expectFinding(.misplaced) { mirror in
            let path = try mirror.picture()
            try mirror.tree.root.openFile(path, O_RDONLY).setModified(1_000_000_000, path: path)
            return path
        }
    }

    @Test(arguments: ["fifo", "directory", "link"])
    func anOddItemInPlaceOfAPictureIsDamaged(kind: String) async throws {
        try await expectFinding(.damaged) { mirror in
            let path = try mirror.picture()
            try mirror.remove(path)
            switch kind {
            case "fifo": unsafe mkfifo(mirror.absolute(path), 0o644)
            case "directory": _ = try mirror.tree.root.makeDirectory(path)
            default: try mirror.tree.root.symlink(path, to: "/etc/passwd")
            }
            return path
        }
    }

    @Test func aPictureRemovedByRetentionIsNotMissing() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var record = try mirror.record()
            let path = try #require(record.picture?.path)
            record.picture?.removed = record.fetched
            try mirror.store.publishIfChanged(record.json.document, at: mirror.recordPath())
            try mirror.remove(path)

            #expect(try mirror.findings() == [])
        }
    }

    // MARK: Videos

    @Test func theFileAndThePageOfAVideoAreVerified() async throws {
        try await withMirror(days: 40, extras: .all) { mirror in
            await mirror.sync(since: .days(40), downloadsVideos: true)
            let records = (0..<40).compactMap { age in try? mirror.record(age) }
            let videos = records.compactMap(\.video)
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

    // MARK: Foreign items

    @Test func unknownItemsAreListedAndAreNotDamage() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let month = Layout.split(try mirror.picture()).folder
            let items = [
                "\(month)/notes.txt", "\(month)/2026-11-19 mine.txt", "pictures/holiday",
                "pictures/2026/x", "metadata/x.json", "notes.txt", ".apod-mirror/mine",
                ".apod-mirror/previous/2026-11-19 mine.jpg", "gallery/thumbnails/2026/2026-11/x",
            ]
            for path in items { try mirror.write("mine", to: path) }
            _ = try mirror.tree.root.makeDirectory("my folder")

            let findings = try mirror.findings()

            #expect(Set(findings.map(\.path)) == Set(items + ["my folder"]), "\(findings)")
            #expect(findings.allSatisfy { $0.kind == .unknown && !$0.isDamage })
        }
    }

    // MARK: Other files of the mirror

    @Test func aReplacedFileThatDiffersFromTheHashInItsNameIsDamaged() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest
            let path =
                "\(Layout.previous)/\(FileName.previous("x.jpg", day: day, sha256: String(repeating: "0", count: 64)))"
            try mirror.write("not that", to: path)

            let findings = try mirror.findings()

            #expect(findings.map(\.path) == [path] && findings.map(\.kind) == [.damaged])
            #expect(findings.first?.day == day)
        }
    }

    @Test(arguments: [false, true])
    func aReplacedFileThatIsTooLargeToBeReadIsDamaged(isQuick: Bool) async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let sha256 = String(repeating: "0", count: 64)
            let name = FileName.previous("x.jpg", day: MirrorUnderTest.newest, sha256: sha256)
            try mirror.write("", to: "\(Layout.previous)/\(name)")
            let path = mirror.absolute("\(Layout.previous)/\(name)")
            #expect(unsafe truncate(path, 1 << 40) == 0)

            let findings = try mirror.findings(isQuick: isQuick)

            let problem = VerifyFinding.Problem.wrongContents(
                expected: "at most 2 GiB", found: "1099511627776 bytes")
            #expect(findings.map(\.problem) == [problem])
        }
    }

    @Test func aForeignItemThatIsRemovedDuringTheVerificationIsNoFinding() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = "\(Layout.previous)/2026-11-19 mine.jpg"
            try mirror.write("mine", to: path)
            let expectations = VerifyExpectations()
            let verifier = TreeVerifier(
                mirror.tree, try TreeSnapshot(of: mirror.tree.root), expecting: expectations)
            try mirror.remove(path)

            #expect(try verifier.findings(in: .all) == [])
        }
    }

    @Test func aBrokenLatestLinkIsDamaged() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let gone = "pictures/2026/2026-11/gone.jpg"
            _ = try ViewFiles(of: .latest, in: mirror.store).publishLink(
                to: gone, at: "latest.jpg")

            #expect(try mirror.findings().map(\.path) == ["latest.jpg"])
        }
    }

    @Test func aPinMustHaveTheContentsOfThePictureOrOfAnEarlierOne() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let pin = "\(Layout.own)/favorites/\(day).jpg"
            try mirror.write("not the picture", to: pin)
            let expectations = VerifyExpectations(pins: [day: pin])

            #expect(try mirror.findings(expecting: expectations).map(\.path) == [pin])

            var hash = SHA256()
            hash.update(Array("not the picture".utf8))
            let earlier = FileName.previous("x.jpg", day: day, sha256: hash.hexDigest())
            try mirror.write("not the picture", to: "\(Layout.previous)/\(earlier)")
            #expect(try mirror.findings(expecting: expectations) == [])
        }
    }

    @Test func aPinWithoutARecordThatAnEarlierHashProvesNeedsNothingElse() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest.advanced(by: -300)
            let pin = "\(Layout.own)/favorites/\(day).jpg"
            try mirror.write("not a picture", to: pin)
            let expectations = VerifyExpectations(pins: [day: pin])
            #expect(try mirror.findings(expecting: expectations).map(\.path) == [pin])

            var hash = SHA256()
            hash.update(Array("not a picture".utf8))
            let earlier = FileName.previous("x.jpg", day: day, sha256: hash.hexDigest())
            try mirror.write("not a picture", to: "\(Layout.previous)/\(earlier)")

            #expect(try mirror.findings(expecting: expectations) == [])
        }
    }

    @Test func aPinThatIsTheOnlyFileOfItsDayMustHaveItsEnd() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest.advanced(by: -300)
            let pin = "\(Layout.own)/favorites/\(day).jpg"
            let picture = try mirror.tree.root.read(mirror.picture()) ?? []
            let expectations = VerifyExpectations(pins: [day: pin])
            try mirror.write("", to: pin)
            try mirror.rot(pin) { $0 = picture }
            #expect(try mirror.findings(expecting: expectations) == [])

            try mirror.rot(pin) { $0.removeLast($0.count / 2) }

            let findings = try mirror.findings(expecting: expectations)
            #expect(findings.map(\.path) == [pin] && findings.map(\.kind) == [.damaged])
        }
    }

    @Test func aChainOfLinksUnderOldNamesBelongsToTheMirror() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let path = try mirror.picture()
            let (folder, name) = Layout.split(path)
            let stem = name.dropLast(4)
            try mirror.tree.root.symlink("\(folder)/\(stem).png", to: name)
            try mirror.tree.root.symlink("\(folder)/\(stem).avif", to: "\(stem).png")

            #expect(try mirror.findings() == [])
        }
    }

    // MARK: Scope
}
