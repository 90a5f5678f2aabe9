import APOD
import Glibc
import JSON
import Mirror
import PictureSamples
import Platform
import Testing
import Thumbnails

@Suite(.timeLimit(.minutes(10))) struct ThumbnailsTests {
    private typealias Mirror = MirrorOfCharts

    @Test func eachDayGetsItsThumbnail() async throws {
        try await withCharts { mirror in
            #expect(try mirror.thumbnails.missing() == Mirror.days)

            let made = try await mirror.make()

            #expect(Set(made.keys) == Set(Mirror.days))
            for day in Mirror.days {
                let bytes = try #require(try mirror.thumbnail(of: day))
                #expect(bytes.starts(with: [0xff, 0xd8, 0xff]))
                let status = try mirror.tree.root.status(Layout.thumbnail(of: day))
                #expect(status?.modified == day.noon)
            }
            #expect(try mirror.tree.root.status("gallery/thumbnails/.nomedia")?.kind == .file)
            #expect(try mirror.tree.root.folder(Layout.incoming)?.names() == [])
            #expect(try mirror.thumbnails.missing() == [])
        }
    }

    /// As a sync gives it to a picture that replaces another.
    @Test func theThumbnailOfAPictureWithALaterTimeIsMadeAgainAndGetsThatTime() async throws {
        try await withCharts { mirror in
            try await mirror.make()
            let before = try mirror.thumbnail(of: Mirror.crab)
            try mirror.mirror(Mirror.crab, Chart(96, 64).jpeg(.gray), "jpg")
            let time = Mirror.crab.noon + 1
            try mirror.tree.root.setModified(time, of: Mirror.path(of: Mirror.crab, "jpg"))

            #expect(try mirror.thumbnails.missing() == [Mirror.crab])
            try await mirror.make()

            #expect(try mirror.thumbnail(of: Mirror.crab) != before)
            let status = try mirror.tree.root.status(Layout.thumbnail(of: Mirror.crab))
            #expect(status?.modified == time)
            #expect(try mirror.thumbnails.missing() == [])
        }
    }

    @Test func anInvalidPictureIsRejectedOnceAndOthersAreRendered() async throws {
        try await withCharts { mirror in
            try mirror.mirror(Mirror.comet, Array("<html>".utf8), "png")

            let made = try await mirror.make()

            #expect(throws: ThumbnailFailure.rejected(reason: "not a JPEG, PNG, GIF or WebP file"))
            {
                try made[Mirror.comet]?.get()
            }
            #expect(try mirror.thumbnail(of: Mirror.crab) != nil)
            try mirror.mirror(Mirror.comet, Chart(9, 9).png(.gray), "png")
            #expect(try mirror.thumbnails.missing() == [Mirror.comet])
            try await mirror.make()
            #expect(try mirror.thumbnail(of: Mirror.comet) != nil)
        }
    }

    @Test(arguments: ["a link", "a file", "an edited thumbnail"])
    func whatAUserPutInPlaceOfAThumbnailStays(_ item: String) async throws {
        try await withCharts { mirror in
            let path = Layout.thumbnail(of: Mirror.crab)
            mirror.write(Array("mine".utf8), to: "mine.txt")
            var mine = Array("mine".utf8)
            switch item {
            case "a link":
                try mirror.tree.root.makeDirectory(Layout.split(path).folder)
                    .symlink("2026-11-20.jpg", to: "../../../../mine.txt")
            case "a file": mirror.write(mine, to: path)
            default:
                try await mirror.make()
                mine = try #require(try mirror.thumbnail(of: Mirror.crab)) + [0]
                mirror.write(mine, to: path)
            }
            let before = try mirror.tree.root.status(path)

            let made = await Mirror.made(of: [Mirror.crab], by: try mirror.thumbnails)

            #expect(throws: ThumbnailFailure.self) { try made[Mirror.crab]?.get() }
            #expect(try mirror.tree.root.status(path) == before)
            #expect(try mirror.tree.root.read("mine.txt") == Array("mine".utf8))
            if item != "a link" { #expect(try mirror.tree.root.read(path) == mine) }
        }
    }

    @Test(arguments: [0, 50, 300]) func aThumbnailThatWasCutShortIsMadeAgain(
        length: Int
    ) async throws {
        try await withCharts { mirror in
            try await mirror.make()
            let whole = try #require(try mirror.thumbnail(of: Mirror.crab))
            mirror.write(Array(whole.prefix(length)), to: Layout.thumbnail(of: Mirror.crab))

            try await mirror.make()

            #expect(try mirror.thumbnail(of: Mirror.crab) == whole)
            #expect(try mirror.thumbnails.missing() == [])
        }
    }

    /// As after a copy.
    @Test func aThumbnailThatWasTouchedIsNotMadeAgain() async throws {
        try await withCharts { mirror in
            try await mirror.make()
            let path = Layout.thumbnail(of: Mirror.crab)
            try mirror.tree.root.setModified(1_000_000_000, of: path)
            let inode = try mirror.tree.root.status(path)?.identity
            // The decoder is not asked.
            try mirror.decodeBy("")

            #expect(try await mirror.make().isEmpty)

            let status = try #require(try mirror.tree.root.status(path))
            #expect(status.identity == inode && status.modified == Mirror.crab.noon)
        }
    }

    @Test func aMissingProgramIsReportedOnce() async throws {
        try await withCharts { mirror in
            for program in [nil, "\(mirror.root)/none"] {
                mirror.options.program = program

                let made = try await mirror.make()

                #expect(made.count == 1)
                #expect(throws: ThumbnailFailure.self) { try made[Mirror.crab]?.get() }
                #expect(try mirror.thumbnails.missing() == Mirror.days)
            }
        }
    }

    @Test func aFileOfTheUserOnADayWithoutAPictureWantsNoThumbnail() async throws {
        try await withCharts { mirror in
            try await mirror.make()
            let day = Day(iso: "2026-11-01") ?? .first
            mirror.write(Chart(96, 64).jpeg(), to: Mirror.path(of: day, "jpg"))

            #expect(try mirror.thumbnails.missing() == [])
            #expect(try mirror.count().missing == 0)

            // A day before those that are kept: NASA has no picture, or retention removed it.
            var state = SyncState()
            state.keptFrom = Mirror.comet
            try Store(tree: mirror.tree, minimumFree: 0).save(state)
            let records: [JSON] = [
                ["no_picture": ["reason": "no picture", "since": "2026-11-20T05:00:00Z"]],
                [
                    "picture": [
                        "path": "pictures/2026/2026-11/2026-11-01 A Page.jpg", "bytes": 1,
                        "sha256": .string(String(repeating: "0", count: 64)),
                        "removed": "2026-11-20T05:00:00Z",
                    ]
                ],
            ]
            for record in records {
                let common: JSON = [
                    "date": .string("\(day)"), "title": "A Page", "explanation": "",
                    "source": ["feed": "basic", "fetched": "2026-11-20T05:00:00Z", "revision": 1],
                ]
                mirror.write(
                    JSON.object(common.members + record.members).document,
                    to: Layout.recordPath(of: day))
                #expect(try mirror.thumbnails.missing() == [])
                #expect(try mirror.count().missing == 0)
            }
        }
    }

    /// Nothing says whether the day has a picture: its record may say that `--keep` removed it.
    @Test func aDayWhoseRecordIsDamagedDoesNotCountAsOneWithoutAThumbnail() async throws {
        try await withCharts { mirror in
            let thumbnails = try mirror.thumbnails
            #expect(try thumbnails.count(in: TreeSnapshot(of: mirror.tree.root)).missing == 3)
            mirror.write([0x7B], to: Layout.recordPath(of: MirrorOfCharts.comet))

            #expect(try thumbnails.count(in: TreeSnapshot(of: mirror.tree.root)).missing == 2)
            #expect(try mirror.count().missing == 2)
        }
    }

    @Test func aDayWhoseRecordCannotBeReadDoesNotCountAsOneWithoutAThumbnail() async {
        await #expect(processExitsWith: .success) {
            // Root may read everywhere.
            if getuid() == 0 { try #require(setuid(65534) == 0) }
            try await withCharts { mirror in
                let thumbnails = try mirror.thumbnails
                #expect(try thumbnails.count(in: TreeSnapshot(of: mirror.tree.root)).missing == 3)
                let record = "\(mirror.root)/\(Layout.recordPath(of: MirrorOfCharts.comet))"
                try #require(unsafe chmod(record, 0) == 0)

                #expect(try thumbnails.count(in: TreeSnapshot(of: mirror.tree.root)).missing == 2)
                #expect(try mirror.count().missing == 2)
            }
        }
    }
}
