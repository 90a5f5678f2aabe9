import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import TestSupport
import Testing

@testable import Views

// Not in the suite: the body of a test that has its own process captures nothing.

private let newest = MirrorOfDays.newest
/// Two days of the month before.
private let older = newest.advanced(by: -31)
private let oldest = newest.advanced(by: -32)
private let month = Layout.folder(Layout.metadata, of: newest)

/// Runs `body` with a mirror of ``newest`` and ``older``, by a process that permissions hinder.
nonisolated(nonsending) private func withHinderedMirror(
    _ body: nonisolated(nonsending) (MirrorOfDays) async throws -> Void
) async throws {
    try await withTemporaryFolder { root in
        // Nothing hinders root.
        if getuid() == 0 {
            try #require(unsafe chown(root, 65_534, 65_534) == 0)
            try #require(seteuid(65_534) == 0)
        }
        // The folder is removed as root.
        defer { if getuid() == 0 { seteuid(0) } }
        let mirror = try MirrorOfDays(root)
        for day in [newest, older] { try add(day, to: mirror) }
        try await body(mirror)
        try setMode(0o755, in: mirror)
    }
}

private func add(_ day: Day, to mirror: MirrorOfDays) throws {
    try mirror.add(day, Chart(96, 64).jpeg(), size: (1920, 1080))
}

private func setMode(
    _ mode: mode_t, of folder: String = month, in mirror: MirrorOfDays
) throws {
    try #require(unsafe chmod("\(mirror.root.path)/\(folder)", mode) == 0)
}

/// Those that were there before stay.
private func expectFiles(of days: [Day], in mirror: MirrorOfDays) throws {
    for day in days {
        #expect(mirror.root.target(of: "wallpapers/\(day) A Chart.jpg") != nil, "\(day)")
        #expect(try mirror.root.status("v1/\(day).json") != nil, "\(day)")
    }
}

/// The directory of the newest month cannot be listed: no view lacks the other months, and none shows an older day as the
/// newest.
@Suite(.timeLimit(.minutes(10))) struct UnreadableMonthTests {
    /// As one with a bad sector, or restored by root with its rights.
    @Test func aRecordThatCannotBeReadHidesNoOtherDay() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                var settings = ViewSettings()
                settings.v1Days = 10
                let views: [any View.Type] = [FeedView.self, WallpapersView.self, V1View.self]
                mirror.restart(settings, views: views)
                try await mirror.refresh()
                try setMode(0, of: Layout.recordPath(of: older), in: mirror)
                try add(oldest, to: mirror)

                mirror.restart(settings, views: views)
                let outcome = try await mirror.refresh()

                let feed = try #require(try mirror.text("feed.xml"))
                for day in [newest, oldest] {
                    #expect(feed.contains("ap\(day.compact).html"), "\(day)")
                }
                try expectFiles(of: [newest, older, oldest], in: mirror)
                #expect(outcome.problems.count == 2, "\(outcome.problems)")
                #expect(outcome.problems.allSatisfy { $0.text.contains("\(older).json") })
                #expect(outcome.readError != nil)
            }
        }
    }

    /// So many that not all are named.
    @Test func sidecarsOfManyRecordsAreMadeOnceTheseCanBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                var settings = ViewSettings()
                settings.writesSidecars = true
                let days = (0..<7).flatMap { [newest.advanced(by: -$0), older.advanced(by: -$0)] }
                for day in days.dropFirst(2) { try add(day, to: mirror) }
                for day in days { try setMode(0, of: Layout.recordPath(of: day), in: mirror) }
                mirror.restart(settings, views: [SidecarsView.self])
                for _ in 1...2 { try await mirror.refresh() }

                for day in days { try setMode(0o644, of: Layout.recordPath(of: day), in: mirror) }
                try await mirror.refresh()

                for day in days {
                    let picture = "\(Layout.folder(Layout.pictures, of: day))/\(day) A Chart.jpg"
                    #expect(try mirror.root.status("\(picture).xmp") != nil, "\(day)")
                }
            }
        }
    }

    /// Records of pictures that do not fit a screen.
    @Test func otherRecordsThatCannotBeReadRemoveNoWallpaper() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                var settings = ViewSettings()
                settings.wallpapers.maximumCount = 3
                try add(oldest, to: mirror)
                let portraits = [-1, -2, -3].map(newest.advanced(by:))
                for day in portraits {
                    try mirror.add(day, Chart(64, 96).jpeg(), size: (1080, 1920))
                }
                mirror.restart(settings, views: [WallpapersView.self])
                try await mirror.refresh()
                for day in portraits { try setMode(0, of: Layout.recordPath(of: day), in: mirror) }

                try await mirror.refresh()

                for day in [newest, older, oldest] {
                    #expect(
                        mirror.root.target(of: "wallpapers/\(day) A Chart.jpg") != nil, "\(day)")
                }
            }
        }
    }

    @Test func itHidesNoOtherMonth() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                var settings = ViewSettings()
                settings.v1Days = 10
                mirror.restart(settings, views: [FeedView.self, WallpapersView.self, V1View.self])
                try await mirror.refresh()
                try setMode(0, in: mirror)
                try add(oldest, to: mirror)

                mirror.restart(settings, views: [FeedView.self, WallpapersView.self])
                let outcome = try await mirror.refresh()
                mirror.restart(settings, views: [V1View.self])
                // The newest day of apod.json is not known.
                await #expect(throws: SystemError.self) { try await mirror.refresh() }

                let feed = try #require(try mirror.text("feed.xml"))
                for day in [older, oldest] {
                    #expect(feed.contains("ap\(day.compact).html"), "\(day)")
                }
                try expectFiles(of: [newest, older, oldest], in: mirror)
                #expect(outcome.problems.count == 1)
                #expect(outcome.problems.first?.text.contains(month) == true)
                #expect(outcome.readError != nil)
            }
        }
    }

    @Test func noOlderDayIsShownAsTheNewest() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                let views: [any View.Type] = [LatestPictureView.self, LatestRecordView.self]
                mirror.restart(views: views)
                try await mirror.refresh()
                let record = try mirror.text(Layout.latestRecord)
                let target = try #require(mirror.root.target(of: Layout.latestPicture))
                #expect(target.contains("\(newest)"))
                try setMode(0, in: mirror)

                for view in views {
                    mirror.restart(views: [view])
                    await #expect(throws: SystemError.self) { try await mirror.refresh() }
                }

                #expect(try mirror.text(Layout.latestRecord) == record)
                #expect(mirror.root.target(of: Layout.latestPicture) == target)
            }
        }
    }

    /// The folder fails after the walk, which has listed the pictures of the month.
    @Test func picturesThatCannotBeExaminedHideNoDay() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                var settings = ViewSettings()
                settings.wallpapers.maximumCount = 2
                let views: [any View.Type] = [WallpapersView.self, LatestRecordView.self]
                mirror.restart(settings, views: views)
                try add(oldest, to: mirror)
                let pictures = Layout.folder(Layout.pictures, of: newest)
                let snapshot = try TreeSnapshot(of: mirror.root)
                try setMode(0, of: pictures, in: mirror)

                let outcome = try await mirror.refresh(by: snapshot)

                #expect(outcome.shownDay == newest)
                #expect(try mirror.text(Layout.latestRecord)?.contains("\(newest)") == true)
                let wallpapers = try mirror.root.textNames(in: "wallpapers").sorted()
                #expect(wallpapers == [oldest, older].map { "\($0) A Chart.jpg" })
                // The next walk reports the folder.
                #expect(outcome.problems.isEmpty)
                try setMode(0o755, of: pictures, in: mirror)
            }
        }
    }

    /// Its header would say whether it is animated.
    @Test func aWallpaperWhosePictureCannotBeReadStays() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                var settings = ViewSettings()
                settings.wallpapers.maximumCount = 2
                mirror.restart(settings, views: [WallpapersView.self])
                let day = newest.advanced(by: 1)
                let path = try mirror.add(
                    day, Chart(96, 64).png(.truecolor), .png, size: (1920, 1080))
                try await mirror.refresh()
                let wallpapers = try mirror.root.textNames(in: "wallpapers").sorted()
                #expect(wallpapers == ["\(newest) A Chart.jpg", "\(day) A Chart.png"])
                try setMode(0, of: path, in: mirror)

                let outcome = try await mirror.refresh()

                #expect(outcome.problems.isEmpty && outcome.changedPaths == [])
                #expect(try mirror.root.textNames(in: "wallpapers").sorted() == wallpapers)
            }
        }
    }

    /// It may be a person's.
    @Test func aFileThatCannotBeReadStaysAndIsReported() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                let feed = "feed.xml"
                mirror.restart(views: [FeedView.self, LatestPictureView.self])
                try await mirror.refresh()
                // Another time than in the table: only its contents would show whose it is.
                try mirror.root.setModified(1_000_000_000, of: feed)
                try setMode(0, of: feed, in: mirror)
                try add(oldest, to: mirror)

                let outcome = try await mirror.refresh()

                #expect(outcome.problems.count == 1 && outcome.readError != nil)
                #expect(outcome.problems.first?.text.contains(feed) == true)
                #expect(try mirror.root.status(feed)?.modified == 1_000_000_000)
                try setMode(0o644, of: feed, in: mirror)
                #expect(try await mirror.refresh().changedPaths == [feed])
            }
        }
    }

    /// Only the pages of the month itself stay as they are; the page of its year shows it as before.
    @Test(arguments: [Layout.metadata, Layout.pictures])
    func theOtherMonthsOfTheYearGoOn(top: String) async {
        await #expect(processExitsWith: .success) { [top] in
            try await withHinderedMirror { mirror in
                let views: [any View.Type] = [GalleryView.self, WallpapersView.self]
                mirror.restart(views: views)
                try await mirror.refresh()
                let october = try #require(try mirror.text("gallery/2026-10.html"))
                let hidden = Layout.folder(top, of: older)
                try setMode(0, of: hidden, in: mirror)
                let day = newest.advanced(by: -1)
                try add(day, to: mirror)
                mirror.favorites = [day, older]

                for _ in 1...2 {
                    mirror.restart(views: views)
                    let outcome = try await mirror.refresh()
                    #expect(
                        outcome.problems.contains {
                            $0.text.contains(hidden) && $0.text.contains("pages")
                        })
                    #expect(outcome.readError != nil)
                    #expect(outcome.problems.count <= 3, "\(outcome.problems)")

                    #expect(try mirror.text("gallery/2026-10.html") == october)
                    for path in ["gallery/2026-11.html", "gallery/favorites.html"] {
                        let page = try #require(try mirror.text(path))
                        #expect(page.contains("id=\"\(day)\""), "\(path)")
                        // Nobody knows whether the picture of the hidden day is here.
                        #expect(!page.contains("is missing"), "\(path)")
                    }
                    let year = try #require(try mirror.text("gallery/2026.html"))
                    let script = try #require(try mirror.text("gallery/days/2026.js"))
                    for day in [newest, day, older] {
                        #expect(year.contains("id=\"\(day)\""), "\(day)")
                        #expect(script.contains("[\"\("\(day)".dropFirst(5))\","), "\(day)")
                        let wallpapers = try mirror.root.textNames(in: "wallpapers")
                        #expect(wallpapers.contains { $0.contains("\(day)") }, "\(day)")
                    }
                }
                try setMode(0o755, of: hidden, in: mirror)
                let outcome = try await mirror.refresh()
                #expect(outcome.problems.isEmpty && outcome.readError == nil)
                #expect(try mirror.text("gallery/2026-10.html") != october)
            }
        }
    }

    /// A page that lists all of its days already is not replaced by one without a text.
    @Test func aPageStaysAsItWasWhileARecordOfItCannotBeRead() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                let pages = [
                    "2026-10.html", "favorites.html", "2026.html", "days/2026.js", "words/2026.js",
                    "links/2026.txt",
                ].map { "gallery/\($0)" }
                mirror.favorites = [newest, older]
                mirror.restart(views: [GalleryView.self])
                try await mirror.refresh()
                let before = try pages.map { try mirror.text($0) }
                #expect(!before.contains(nil))
                let record = Layout.recordPath(of: older)
                try mirror.add(
                    older, Chart(96, 64).jpeg(), size: (1920, 1080), ["title": "An Edit"])
                try setMode(0, of: record, in: mirror)

                let outcome = try await mirror.refresh()

                #expect(outcome.readError != nil)
                #expect(outcome.problems.count == 1, "\(outcome.problems)")
                #expect(outcome.problems.first?.text.contains("\(older).json") == true)
                for (path, text) in zip(pages, before) {
                    #expect(try mirror.text(path) == text, "\(path)")
                }
                try setMode(0o644, of: record, in: mirror)
                let later = try await mirror.refresh()
                #expect(later.problems.isEmpty && later.readError == nil)
                for path in pages.prefix(3) {
                    #expect(try mirror.text(path)?.contains("An Edit") == true, "\(path)")
                }
            }
        }
    }

    /// The new day is worth more than the text of the other one, which its record has.
    @Test func aRecordThatCannotBeReadHidesNoNewDayInTheGallery() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                mirror.restart(views: [GalleryView.self])
                try await mirror.refresh()
                try setMode(0, of: Layout.recordPath(of: newest), in: mirror)
                let new = newest.advanced(by: 1)
                try add(new, to: mirror)

                let outcome = try await mirror.refresh()

                #expect(outcome.readError != nil)
                #expect(outcome.problems.contains { $0.text.contains("\(newest).json") })
                for path in ["gallery/2026-11.html", "gallery/2026.html"] {
                    let page = try #require(try mirror.text(path))
                    for day in [new, newest] {
                        #expect(page.contains("id=\"\(day)\""), "\(path): \(day)")
                    }
                    #expect(!page.contains("No picture"), "\(path)")
                }
                #expect(try mirror.text("index.html")?.contains("\(new)") == true)
            }
        }
    }

    /// Without its earlier files, a year would lose the month that cannot be listed.
    @Test(arguments: ["gallery/days/2026.js", "gallery/2026.html"])
    func aYearStaysAsItIsWhileItsEarlierFilesCannotBeRead(path: String) async {
        await #expect(processExitsWith: .success) { [path] in
            try await withHinderedMirror { mirror in
                let pages = [
                    "gallery/2026.html", "gallery/days/2026.js", "gallery/words/2026.js",
                    "index.html",
                ]
                mirror.restart(views: [GalleryView.self])
                try await mirror.refresh()
                let before = try pages.map { try mirror.text($0) }
                let hidden = Layout.folder(Layout.metadata, of: older)
                try setMode(0, of: hidden, in: mirror)
                try setMode(0, of: path, in: mirror)
                try add(newest.advanced(by: -1), to: mirror)

                await #expect(throws: SystemError.self) { try await mirror.refresh() }

                try setMode(0o755, of: hidden, in: mirror)
                try setMode(0o644, of: path, in: mirror)
                #expect(try pages.map { try mirror.text($0) } == before)
            }
        }
    }

    @Test func theGalleryGoesOnWithTheOtherYears() async {
        await #expect(processExitsWith: .success) {
            try await withHinderedMirror { mirror in
                let lastYear = newest.advanced(by: -365)
                let hidden = Layout.folder(Layout.metadata, of: lastYear)
                try add(lastYear, to: mirror)
                mirror.restart(views: [GalleryView.self])
                try await mirror.refresh()
                let pages = ["gallery/2025.html", "gallery/2025-11.html"]
                let before = try pages.map { try mirror.text($0) }
                try setMode(0, of: hidden, in: mirror)
                try add(oldest, to: mirror)

                let outcome = try await mirror.refresh()

                #expect(outcome.problems.count == 1)
                #expect(outcome.problems.first?.text.contains(hidden) == true)
                let october = try #require(try mirror.text("gallery/2026-10.html"))
                #expect(october.contains("id=\"\(oldest)\""))
                #expect(!before.contains(nil))
                #expect(try pages.map { try mirror.text($0) } == before)
                try setMode(0o755, of: hidden, in: mirror)
            }
        }
    }
}
