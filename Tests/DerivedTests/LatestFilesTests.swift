import APOD
import FoundationEssentials
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import Testing
import Views

/// `latest.json` and `latest.jpg`.
@Suite(.timeLimit(.minutes(10))) struct LatestFilesTests {
    private let newest = MirrorOfDays.newest

    @Test func theRecordOfTheNewestDayIsCopiedAndItsPictureLinked() async throws {
        try await withMirror { mirror in
            try mirror.add(newest.advanced(by: -1), Chart(64, 64).jpeg())
            try await mirror.refresh()
            let path = try mirror.add(newest, Chart(96, 64).jpeg(), .jpeg, ["mine": "kept"])
            try await mirror.refresh()

            let copy = try #require(try mirror.root.read("latest.json"))
            #expect(try copy == mirror.root.read(mirror.recordPath(newest)))
            #expect(mirror.root.target(of: "latest.jpg") == path)
        }
    }

    @Test(arguments: [
        "nothing", "no picture", "a removed picture", "the future", "a damaged record", "a link",
        "a fifo", "a directory",
    ])
    func aDayWithoutARecordedPictureIsNotTheNewest(_ kind: String) async throws {
        try await withMirror { mirror in
            let path = try mirror.add(newest, Chart(96, 64).jpeg())
            let next = newest.advanced(by: 1)
            let record = mirror.recordPath(next)
            let picture = kind == "nothing" ? "" : try mirror.add(next, Chart(64, 64).jpeg())
            if ["the future", "a link", "a fifo", "a directory"].contains(kind) {
                try mirror.root.remove(record)
            }
            switch kind {
            case "no picture":
                let reason: JSON = ["reason": "none", "since": "2026-11-21T05:00:00Z"]
                try mirror.record(next, ["no_picture": reason])
            case "a removed picture": try mirror.remove(picture, of: next)
            case "the future":
                try mirror.add(#require(Day(iso: "2090-01-01")), Chart(64, 64).jpeg())
            case "a damaged record": try mirror.write([0, 1, 2], to: record)
            case "a link": try mirror.root.symlink(record, to: "/etc/hostname")
            case "a fifo":
                try #require(unsafe mkfifo("\(mirror.root.path)/\(record)", 0o600) == 0)
            case "a directory": _ = try mirror.root.makeDirectory(record)
            default: break
            }
            try await mirror.refresh()

            #expect(try mirror.text("latest.json")?.contains("\"date\": \"\(newest)\"") == true)
            #expect(mirror.root.target(of: "latest.jpg") == path)
        }
    }

    static let others: [(MediaType, [UInt8])] = [
        (.png, Chart(300, 200).png(.truecolor)), (.gif, Chart(300, 200).gif()),
        (.webp, Chart(300, 200).webp()),
    ]

    @Test(arguments: others)
    func anotherTypeIsConvertedInFullSize(_ type: MediaType, _ bytes: [UInt8]) async throws {
        try await withMirror { mirror in
            try mirror.add(newest.advanced(by: -1), Chart(96, 64).jpeg())
            try await mirror.refresh()
            try mirror.add(newest, bytes, type, size: (300, 200))

            #expect(try await mirror.refresh().problems == [])
            #expect(try mirror.root.status("latest.jpg")?.kind == .file)
            #expect(try mirror.root.status("latest.jpg")?.modified == newest.noon)
            let header = try MediaHeader(
                reading: mirror.root.open("latest.jpg", O_RDONLY))
            #expect(header.type == .jpeg)
            #expect(header.size?.width == 300 && header.size?.height == 200)
            mirror.restart()
            #expect(try await mirror.refresh().changedPaths == [])
            // A conversion is not removed if no new one is possible.
            mirror.restart(decodes: false)
            #expect(try await mirror.refresh().changedPaths == [])
            let next = newest.advanced(by: 1)
            let path = try mirror.add(next, Chart(64, 64).jpeg())
            try await mirror.refresh()
            #expect(mirror.root.target(of: "latest.jpg") == path)
        }
    }

    /// The mirror had that link there, and replaced it by a converted picture.
    @Test func aLinkOfAPersonToTheEarlierPictureStays() async throws {
        try await withMirror { mirror in
            let earlier = try mirror.add(newest.advanced(by: -1), Chart(96, 64).jpeg())
            try await mirror.refresh()
            try mirror.add(newest, Chart(96, 64).png(.truecolor), .png)
            try await mirror.refresh()
            #expect(try mirror.root.status(Layout.latestPicture)?.kind == .file)
            try mirror.root.remove(Layout.latestPicture)
            try mirror.root.symlink(Layout.latestPicture, to: earlier)

            mirror.restart()
            _ = try await mirror.refresh()

            #expect(mirror.root.target(of: Layout.latestPicture) == earlier)
        }
    }

    /// It is reported once, unless there is no decoder.
    @Test(arguments: [true, false])
    func aPictureThatCannotBeConvertedIsSkipped(hasDecoder: Bool) async throws {
        try await withMirror { mirror in
            let path = try mirror.add(newest.advanced(by: -1), Chart(96, 64).jpeg())
            try mirror.add(newest, Array("\u{89}PNG no more".utf8), .png)
            mirror.restart(decodes: hasDecoder)

            let outcome = try await mirror.refresh()

            #expect(mirror.root.target(of: "latest.jpg") == path)
            guard hasDecoder else { return }
            #expect(outcome.problems.count == 1)
            #expect(try await mirror.refresh().problems == [])
        }
    }

    /// Each change of the tree would decode the picture again.
    @Test func aConversionThatLacksMemoryIsNotRepeatedAtOnce() async throws {
        try await withMirror { mirror in
            let path = try mirror.add(newest.advanced(by: -1), Chart(96, 64).jpeg())
            try mirror.add(newest, Chart(96, 64).png(.truecolor), .png)
            try mirror.decode(
                by: "head -c 1 > /dev/null; printf 'failed no memory' >&0; exec sleep 1000")

            let failed = try await mirror.refresh()
            #expect(failed.problems.count == 1)
            #expect(mirror.root.target(of: "latest.jpg") == path)
            let waiting = try await mirror.refresh()
            #expect(waiting.problems == [])

            // It is tried again though nothing changes.
            #expect(failed.nextUpdate != nil)
            #expect(waiting.nextUpdate == failed.nextUpdate)
        }
    }

    /// The file is repaired later.
    @Test func aPictureWithoutItsRecordedSizeIsConvertedLater() async throws {
        try await withMirror { mirror in
            let bytes = Chart(96, 64).png(.truecolor)
            let path = try mirror.add(newest, bytes, .png)
            try mirror.write([0], to: path)
            #expect(try await mirror.refresh().problems.count == 1)
            try mirror.write(bytes, to: path)

            #expect(try await mirror.refresh().changedPaths.contains("latest.jpg"))
        }
    }

    // MARK: Writes

    /// What a power cut, a full disk or a failing disk leaves.
    @Test(arguments: ["emptied", "cut", "zeroed"], [false, true])
    func aDamagedFileIsMadeAgain(_ damage: String, isJPEG: Bool) async throws {
        try await withMirror { mirror in
            let chart = Chart(300, 200)
            try mirror.add(
                newest, isJPEG ? chart.jpeg() : chart.png(.truecolor), isJPEG ? .jpeg : .png,
                size: (300, 200))
            try await mirror.refresh()
            let names = ["latest.json", "latest.jpg", "feed.xml"]
                .filter { (try? mirror.root.status($0))??.kind == .file }
            #expect(names.count == (isJPEG ? 2 : 3))
            let whole = try names.map { try mirror.root.read($0) ?? [] }
            for (name, bytes) in zip(names, whole) {
                let damaged =
                    switch damage {
                    case "emptied": [UInt8]()
                    case "cut": Array(bytes.prefix(bytes.count * 9 / 10))
                    default: [UInt8](repeating: 0, count: bytes.count)
                    }
                try mirror.write(damaged, to: name)
            }

            let outcome = try await mirror.refresh()

            #expect(outcome.problems == [] && Set(outcome.changedPaths) == Set(names))
            #expect(try names.map { try mirror.root.read($0) ?? [] } == whole)
        }
    }

    /// Items of a user.
    static let strangers: [@Sendable (Directory, String) throws -> Void] = [
        { try $0.open($1, O_WRONLY | O_CREAT).write(Array("{\"date\": 1}".utf8), path: $1) },
        { try $0.open($1, O_WRONLY | O_CREAT).write(Chart(8, 8).jpeg(), path: $1) },
        {
            let text = [UInt8](repeating: 0, count: 8192) + Array("mine".utf8)
            try $0.open($1, O_WRONLY | O_CREAT).write(text, path: $1)
        },
        { try $0.symlink($1, to: "favorites/mine") },
        { _ = try $0.makeDirectory("\($1)/mine") },
        { unsafe mkfifo("\($0.path)/\($1)", 0o600) },
    ]

    @Test(arguments: strangers.indices)
    func aFileOfTheUserIsReportedAndNotChanged(_ index: Int) async throws {
        try await withMirror { mirror in
            try mirror.add(newest, Chart(96, 64).jpeg(), size: (1920, 1080))
            for path in MirrorOfDays.places {
                try Self.strangers[index](mirror.root, path)
            }
            func statuses() throws -> [FileStatus?] {
                try MirrorOfDays.places.map { try mirror.root.status($0) }
            }
            let before = try statuses()
            let outcome = try await mirror.refresh(ViewSettings(baseURL: "https://me.org/"))

            #expect(outcome.changedPaths == [])
            #expect(outcome.problems.count == MirrorOfDays.places.count)
            #expect(try statuses() == before)
        }
    }
}
