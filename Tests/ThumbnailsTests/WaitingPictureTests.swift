import APOD
import Mirror
import PictureSamples
import Testing

@testable import Platform
@testable import Thumbnails

@Suite(.timeLimit(.minutes(10))) struct WaitingPictureTests {
    /// The fifth picture fails as soon as it is decoded, which is known before anything is published.
    @Test func atMostFourDecodedPicturesWaitForADiskThatHangs() async throws {
        try await withCharts { mirror in
            let days = (1...5).compactMap { Day(iso: "2025-03-0\($0)") }
            for day in days { try mirror.mirror(day, Chart(96, 64).jpeg(), "jpg") }
            try mirror.mirror(days[4], Array("<html>".utf8), "jpg")
            let fifth = JPEGJob(thumbnailOf: days[4])
            let thumbnails = try mirror.thumbnails
            try #require(thumbnails.isAvailable)
            let isReleased = Monitor(false)
            let making = Task(executorPreference: ThreadPoolExecutor.shared) {
                await thumbnails.make(days.map(JPEGJob.init(thumbnailOf:))) { _, _ in
                    let _: Bool = isReleased.wait { $0 ? true : nil }
                }
            }

            func isFifthDecoded() -> Bool {
                thumbnails.failedPictures.rejected.hashes[fifth.path] != nil
            }
            while thumbnails.slotsForDecodedJPEGs.waitingTasks == 0, !isFifthDecoded() {
                await Task.yield()
            }
            #expect(!isFifthDecoded())

            isReleased.withLock { $0 = true }
            isReleased.broadcast()
            await making.value
            #expect(isFifthDecoded())
        }
    }
}
