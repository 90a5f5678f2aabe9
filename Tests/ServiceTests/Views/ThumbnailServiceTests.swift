import Mirror
import Platform
import TestSupport
import Testing
import Thumbnails

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ThumbnailServiceTests {
    /// A user's file is in the place of the directory of the renditions.
    @Test func aLastingFailureOfRenditionsIsLoggedOnceAndDoesNotStopTheCopiesInV1() async throws {
        try await withTemporaryFolder { folder in
            let tree = try Tree.writing("\(folder)/apod", known: KnownMirrors(environment: [:]))
            let store = try Store(tree: tree, minimumFree: 0)
            try store.publishIfChanged(Array("mine".utf8), at: Rendition.folder)
            let lines = Monitor<[String]>([])
            let roundsOfCopies = Monitor(0)
            let start = ContinuousClock.now
            let hours = Monitor(0)
            let service = ThumbnailService(
                Thumbnails(store: store),
                log: Log(
                    environment: [:],
                    // The log itself leaves out lines of the last hour.
                    now: {
                        let passed = hours.withLock { hours in
                            hours += 2
                            return hours
                        }
                        return start + .seconds(3600 * passed)
                    },
                    output: { line in lines.withLock { $0.append(line) } }),
                changes: ChangeBroadcaster(),
                daysInV1: {
                    roundsOfCopies.withLock { $0 += 1 }
                    return []
                })

            await service.makeMissing()
            await service.makeMissing()

            #expect(lines.withLock(\.self).count == 1)
            #expect(roundsOfCopies.withLock(\.self) == 2)
        }
    }
}
