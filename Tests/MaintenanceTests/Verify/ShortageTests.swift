import APOD
import Glibc
import MirrorTesting
import Platform
import TestSupport
import Testing

@testable import Maintenance
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
                        try mirror.tree.isIntact(file, verifyingHash: false)
                    }
                    #expect(throws: SystemError.self) {
                        try mirror.tree.isIntact(file, verifyingHash: true)
                    }
                }
                #expect(try mirror.tree.isIntact(file, verifyingHash: true))
            }
        }
    }

    @Test func nothingIsDecidedByAFileThatCannotBeReadForLackOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            try await withMirror { mirror in
                await mirror.sync()
                let (tree, store, day) = (mirror.tree, mirror.store, MirrorUnderTest.newest)
                try tree.root.symlink("latest.jpg", to: mirror.picture(0))
                let state = try store.state()
                let snapshot = try TreeSnapshot(of: tree.root)
                let retention = Retention(
                    .bytes(1 << 40), store: store, snapshot: snapshot, complete: []
                ) { [] }
                var outdated = retention

                withFewDescriptors {
                    #expect(throws: SystemError.self) { try VerifyState.read(from: tree) }
                    #expect(throws: SystemError.self) { try RepairRequest.all(in: tree) }
                    #expect(throws: SystemError.self) { try store.unknownKeys(of: day) }
                    #expect(throws: SystemError.self) { try tree.latestPictureDay }
                    #expect(throws: SystemError.self) {
                        try store.recordedTime(state, recorded: [day])
                    }
                    #expect(throws: SystemError.self) {
                        try store.removedDays(in: snapshot, complete: [])
                    }
                    #expect(throws: SystemError.self) {
                        try retention.plan(newest: day, protected: [])
                    }
                    outdated.updateSize(of: day)
                    // The mirror does not count as replaced.
                    #expect(throws: Never.self) { try store.checkIsInPlace() }
                }
                #expect(throws: Never.self) { try retention.plan(newest: day, protected: []) }
                let withoutSize = outdated
                #expect(throws: SystemError.self) {
                    try withoutSize.plan(newest: day, protected: [])
                }
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
