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
