import APOD
import Glibc
import Platform
import TestSupport
import Testing

@testable import Mirror

/// A file that cannot be examined for lack of descriptors is neither missing, damaged nor foreign.
@Suite(.timeLimit(.minutes(10))) struct ShortageTests {
    @Test func aFileThatCannotBeExaminedIsNotMissing() async throws {
        await #expect(processExitsWith: .success) {
            try await withMirror { mirror in
                await mirror.sync()
                let picture = try #require(try mirror.record().picture)
                let file = RecordedFile(picture)

                withFewDescriptors {
                    #expect(throws: SystemError.self) { try mirror.tree.exists(file.path) }
                    #expect(throws: SystemError.self) {
                        try mirror.tree.isIntact(file, isRead: false)
                    }
                    #expect(throws: SystemError.self) {
                        try mirror.tree.isIntact(file, isRead: true)
                    }
                }
                #expect(try mirror.tree.isIntact(file, isRead: true))
            }
        }
    }

    @Test func aFileThatCannotBeReadIsNotForeign() async throws {
        await #expect(processExitsWith: .success) {
            try await withMirror { mirror in
                await mirror.sync()
                let record = try mirror.tree.root.read(mirror.recordPath()) ?? []
                try mirror.store.publish(record, at: OwnedPath.latestRecord.path)
                try mirror.write("<mark>", to: "feed.xml")
                try mirror.write("apod-mirror: ", to: OwnedPath.latestPicture.path)
                let feed = OwnedPath(file: "feed.xml", mark: "<mark>", end: "")
                for file in [feed, .latestRecord, .latestPicture] {
                    for left in 0...3 {
                        // With too few descriptors it throws, and never reports a foreign file.
                        let isOwn = withFewDescriptors(left: left) {
                            (try? file.isOwn(mirror.tree.root)) ?? true
                        }
                        #expect(isOwn, "\(file.path), \(left) descriptors left")
                    }
                }
            }
        }
    }

    @Test func aPinIsNotDamagedWherePreviousCannotBeRead() async throws {
        await #expect(processExitsWith: .success) {
            try await withMirror { mirror in
                await mirror.sync()
                let day = MirrorUnderTest.newest
                let earlier = Array("an earlier picture".utf8)
                var hash = SHA256()
                hash.update(earlier)
                let name = FileName.previous("x.jpg", day: day, sha256: hash.hexDigest())
                let pin = "\(Layout.own)/favorites/\(day) pin.jpg"
                for path in ["\(Layout.previous)/\(name)", pin] {
                    try mirror.write(String(decoding: earlier, as: UTF8.self), to: path)
                }
                let snapshot = try TreeSnapshot(of: mirror.tree.root)
                let verifier = withFewDescriptors {
                    TreeVerifier(
                        mirror.tree, snapshot, expecting: VerifyExpectations(pins: [day: pin]))
                }

                let findings = try verifier.findings(in: .days([day]))

                for finding in findings {
                    guard case .unreadable(let error) = finding.problem else {
                        Issue.record("\(finding)")
                        continue
                    }
                    #expect(error.isShortage)
                }
                #expect(findings.contains { $0.path == pin })
            }
        }
    }

    @Test func aFileThatCannotBeReadForLackOfDescriptorsIsNotRepaired() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            let day = MirrorUnderTest.newest.advanced(by: -1)
            let paths = [try mirror.picture(), Layout.thumbnail(of: day)]
            try mirror.write("a thumbnail", to: paths[1])
            let before = try mirror.contents()

            let repairs = paths.map { path in
                let error = SystemError("open", path: path, code: EMFILE)
                return Repairer(mirror.store, pins: [:]).repair(
                    VerifyFinding(path, of: day, .unreadable(error)))
            }

            #expect(repairs.allSatisfy { !$0.isDone && $0.action != .leftToSync })
            #expect(try mirror.contents() == before)
        }
    }
}
