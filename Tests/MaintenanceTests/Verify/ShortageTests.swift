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
    @Test func nothingIsDecidedByAFileThatCannotBeReadForLackOfDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            try await withMirror { mirror in
                await mirror.sync()
                let (tree, store, day) = (mirror.tree, mirror.store, MirrorUnderTest.newest)
                // A copy: a link says by its target alone which day it shows.
                let picture = try #require(try store.record(of: day)?.picture)
                let latest = ViewFiles.File(
                    path: Layout.latestPicture, bytes: try tree.root.read(picture.path) ?? [],
                    modified: day.noon)
                _ = try ViewFiles(of: .latest, in: store).publish([latest])
                #expect(try tree.latestPictureDay == day)
                let state = try store.state()
                let snapshot = try TreeSnapshot(of: tree.root)
                let retention = Retention(
                    .bytes(1 << 40), store: store, snapshot: snapshot, recordedDays: RecordedDays()
                ) { [] }
                var outdated = retention

                withFewDescriptors {
                    #expect(throws: SystemError.self) { try VerifyState.read(from: tree) }
                    #expect(throws: SystemError.self) { try store.unknownKeys(of: day) }
                    #expect(throws: SystemError.self) { try tree.latestPictureDay }
                    #expect(throws: SystemError.self) {
                        try store.latestRecordedTime(state, recorded: [day])
                    }
                    #expect(throws: SystemError.self) {
                        try store.daysWithoutRecordedFiles(in: snapshot, daysWithFiles: [])
                    }
                    #expect(throws: SystemError.self) {
                        try retention.plan(newest: day, protected: [])
                    }
                    outdated.updateDay(day)
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
}
