import APOD
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// The modification time of pictures, videos and pages, by which browsers and rsync(1) find what NASA replaced.
@Suite(.timeLimit(.minutes(10))) struct FileTimeTests {
    private let day = MirrorUnderTest.newest

    private func time(_ mirror: MirrorUnderTest) throws -> Int? {
        try mirror.tree.root.status(mirror.picture(0))?.modified
    }

    /// Its file stays, and with it what browsers and rsync(1) know of it.
    @Test func anEditOfTheTextLeavesTheTimeOfThePicture() async throws {
        try await withMirror(days: 3) { mirror in
            await mirror.sync()
            try mirror.simulator.edit(day) { $0.title = "Quite Another Title" }
            await mirror.sync()
            let record = try mirror.record(0)

            mirror.store.setMissingTimes(of: record)

            #expect(try record.revision == 2 && time(mirror) == day.noon)
        }
    }

    /// Of a revision, and on its day.
    @Test func aTimeThatACopyLostIsThatOfTheNewestRevision() async throws {
        try await withMirror(days: 3) { mirror in
            await mirror.sync()
            var record = try mirror.record(0)
            for (revision, seconds) in [
                (0, 0), (1, 0), (2, 1), (4, 3), (43_200, 43_199), (Int.max, 43_199),
            ] {
                record.revision = revision
                try mirror.tree.root.setModified(day.noon - 90, of: try mirror.picture(0))

                mirror.store.setMissingTimes(of: record)

                #expect(try time(mirror) == day.noon + seconds)
            }
        }
    }
}
