import APOD
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// The modification time of pictures, videos and pages, by which browsers and rsync(1) find what NASA replaced.
@Suite(.timeLimit(.minutes(10))) struct FileTimeTests {
    private let day = MirrorUnderTest.newest

    private func publish(
        _ media: SimulatedMedia, title: String = "A Comet", modified: String? = nil,
        in mirror: MirrorUnderTest
    ) {
        mirror.simulator.publish(
            SimulatedEntry(
                day: day, title: title, explanationHTML: "It moves.", media: media,
                modified: modified))
    }

    private func times(_ mirror: MirrorUnderTest) throws -> [Int] {
        let record = try #require(try mirror.store.record(of: day))
        let paths = record.files.map(\.path) + [record.page].compactMap(\.self)
        return try paths.compactMap { try mirror.tree.root.status($0)?.modified }
    }

    /// The JPEG `file` with a comment of one byte.
    private func jpeg(_ file: [UInt8], comment: UInt8) -> SimulatedMedia {
        var bytes = file
        bytes.insert(contentsOf: [0xff, 0xfe, 0, 3, comment], at: 2)
        return .picture(SimulatedPicture(name: "comet.jpg", source: .bytes(bytes)))
    }

    @Test func aPictureThatReplacesOneOfTheSameSizeHasAnotherTime() async throws {
        try await withMirror(days: 3) { mirror in
            await mirror.sync()
            let path = try mirror.picture(0)
            let file = try #require(try mirror.tree.root.read(path))
            var found: [FileStatus] = []
            for (comment, hour) in [(1, "05"), (2, "09")] as [(UInt8, String)] {
                let modified = "2026-11-20T\(hour):00:00-05:00"
                publish(jpeg(file, comment: comment), modified: modified, in: mirror)
                await mirror.sync()
                found.append(try #require(try mirror.tree.root.status(path)))
            }

            #expect(found[0].size == found[1].size)
            #expect(found[1].modified > found[0].modified)
            let record = try mirror.record(0)
            #expect(try times(mirror) == [record.fileTime])
            // It says nothing about the day but that.
            #expect(found.allSatisfy { $0.modified / 60 == day.noon / 60 })
        }
    }

    @Test func aVideoThatReplacesOneOfTheSameSizeHasAnotherTime() async throws {
        try await withMirror(days: 3) { mirror in
            func video(_ byte: UInt8) -> SimulatedMedia {
                let header = Array("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp41\0\0\0\u{8}moov".utf8)
                let data: [UInt8] = [0, 0, 0, 12] + Array("mdat".utf8) + [byte, byte, byte, byte]
                return .videoFile(
                    SimulatedPicture(name: "comet.mp4", source: .bytes(header + data)))
            }
            publish(video(1), modified: "2026-11-20T00:05:00-05:00", in: mirror)
            await mirror.sync(downloadsVideos: true)
            let before = try times(mirror)
            publish(video(2), modified: "2026-11-20T09:00:00-05:00", in: mirror)

            await mirror.sync(downloadsVideos: true)

            #expect(before == [day.noon])
            #expect(try times(mirror) == [day.noon + 1])
        }
    }

    @Test func theEditedPageOfAVideoHasAnotherTime() async throws {
        try await withMirror(days: 3) { mirror in
            let poster = SimulatedPicture(
                name: "comet.jpg", source: .drawn(Drawing(seed: 7, width: 64, height: 40)))
            let video = SimulatedMedia.iframe(
                src: "https://player.vimeo.com/video/1", poster: poster)
            publish(video, title: "Comet 1", in: mirror)
            await mirror.sync()
            let before = try times(mirror)
            publish(video, title: "Comet 2", in: mirror)

            await mirror.sync()

            // The picture stays.
            #expect(before == [day.noon, day.noon])
            #expect(try times(mirror) == [day.noon, day.noon + 1])
        }
    }

    /// Its file stays, and with it what browsers and rsync(1) know of it.
    @Test func anEditOfTheTextLeavesTheTimeOfThePicture() async throws {
        try await withMirror(days: 3) { mirror in
            await mirror.sync()
            var entry = try #require(mirror.simulator.entry(of: day))
            entry.title = "Quite Another Title"
            mirror.simulator.publish(entry)
            await mirror.sync()
            let record = try mirror.record(0)

            mirror.store.setMissingTimes(of: record)

            #expect(record.revision == 2)
            #expect(try times(mirror) == [day.noon])
        }
    }

    @Test func aTimeThatACopyLostIsThatOfTheNewestRevision() async throws {
        try await withMirror(days: 3) { mirror in
            await mirror.sync()
            var record = try mirror.record(0)
            record.revision = 4
            try mirror.tree.root.setModified(day.noon + 90, of: try mirror.picture(0))

            mirror.store.setMissingTimes(of: record)

            #expect(try times(mirror) == [day.noon + 3])
        }
    }

    @Test(arguments: [(0, 0), (1, 0), (2, 1), (43_200, 43_199), (Int.max, 43_199)])
    func theTimeStaysOnItsDay(revision: Int, seconds: Int) async throws {
        try await withMirror(days: 1) { mirror in
            await mirror.sync(since: .days(1))
            var record = try mirror.record(0)
            record.revision = revision

            #expect(record.fileTime == day.noon + seconds)
        }
    }
}
