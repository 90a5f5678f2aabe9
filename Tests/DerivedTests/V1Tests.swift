import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import Testing
import Thumbnails
import Views

/// `v1/`: the days as NASA's API v1 answered them.
@Suite(.timeLimit(.minutes(10))) struct V1Tests {
    private let newest = MirrorOfDays.newest
    private let path = "pictures/2026/2026-11/2026-11-20%20A%20Chart.jpg"

    private func settings(_ base: String? = nil, days: Int? = nil) -> ViewSettings {
        var settings = ViewSettings()
        (settings.baseURL, settings.v1Days) = (base, days)
        return settings
    }

    private func entry(_ mirror: MirrorOfDays, _ name: String) throws -> JSON {
        try JSON(parsing: #require(try mirror.root.read("v1/\(name).json"), "\(name)"))
    }

    private func names(_ mirror: MirrorOfDays) throws -> [String]? {
        try mirror.root.folder("v1")?.textNames().sorted()
    }

    /// The newest day comes nevertheless.
    @Test func noDocumentIsRemovedWhileTheFavoritesCannotBeRead() async throws {
        try await withMirror { mirror in
            let older = newest.advanced(by: -1)
            try mirror.add(older, Chart(96, 64).jpeg())
            mirror.favorites = [older]
            try await mirror.refresh(settings(days: 1))
            try mirror.add(newest, Chart(96, 64).jpeg())
            let error = SystemError("open", path: "favorites", code: EIO)
            let input = try ViewInput(
                store: mirror.store, snapshot: TreeSnapshot(of: mirror.root),
                favoritesError: error, thumbnails: nil)

            _ = try await V1View(settings(days: 1)).update(input)

            #expect(try names(mirror) == ["\(older).json", "\(newest).json", "apod.json"])
        }
    }

    // MARK: The shape

    /// The keys and their order are those of `jsonify` in nasa/apod-api.
    @Test func aDayIsAsTheAPIAnsweredIt() async throws {
        try await withMirror { mirror in
            try mirror.add(
                newest, Chart(96, 64).jpeg(), .jpeg,
                [
                    "copyright": "A. Body", "explanation": "See M1.\n\nThe second.",
                    "explanation_html": "See <a href=\"https://x.org/\">M1</a>.<p>The second.",
                    "hdurl": "https://n.gov/x.jpg", "url": "https://n.gov/x_1024.jpg",
                ])
            try await mirror.refresh(settings("https://me.org/apod/"))

            let expected: JSON = [
                "copyright": "A. Body", "date": "2026-11-20",
                "explanation": "See M1.\n\nThe second.",
                "hdurl": .string("https://me.org/apod/\(path)"), "media_type": "image",
                "service_version": "v1", "title": "A Chart",
                "url": .string("https://me.org/apod/\(path)"),
            ]
            #expect(try entry(mirror, "2026-11-20") == expected)
            #expect(try entry(mirror, "apod") == expected)
            // Without the setting, addresses are relative to the file.
            try await mirror.refresh(settings(days: 1))
            #expect(try entry(mirror, "apod")["url"]?.string == "../\(path)")
        }
    }

    @Test func aVideoHasItsAddressAndItsPosterAsThumbnail() async throws {
        try await withMirror { mirror in
            let address = "https://www.youtube.com/embed/x?rel=0"
            try mirror.add(
                newest, Chart(96, 64).jpeg(), .jpeg,
                [
                    "media_type": "video", "url": .string(address),
                    "video": ["url": .string(address)],
                ])
            let mine = "pictures/2026/2026-11/2026-11-19 A Film.mp4"
            try mirror.write([0], to: mine)
            try mirror.record(
                newest.advanced(by: -1),
                [
                    "media_type": "video",
                    "video": [
                        "url": "https://n.gov/a.mp4", "path": .string(mine), "bytes": 1,
                        "sha256": .string(String(repeating: "0", count: 64)),
                    ],
                ])
            try await mirror.refresh(settings("https://me.org/"))

            let video = try entry(mirror, "2026-11-20")
            #expect(video["media_type"] == "video" && video["url"]?.string == address)
            #expect(video["thumbnail_url"]?.string == "https://me.org/\(path)")
            #expect(video["hdurl"] == nil)
            let film = try entry(mirror, "2026-11-19")
            #expect(
                film["url"]?.string
                    == "https://me.org/pictures/2026/2026-11/2026-11-19%20A%20Film.mp4")
            #expect(film["thumbnail_url"] == nil)
        }
    }

    @Test func whatTheMirrorDoesNotHaveLeadsToNASA() async throws {
        try await withMirror { mirror in
            try mirror.add(newest.advanced(by: -2), Chart(96, 64).jpeg())
            let missing: JSON = ["reason": "none", "since": "2026-11-20T05:00:00Z"]
            try mirror.record(
                newest,
                [
                    "url": "https://n.gov/s.jpg", "hdurl": "https://n.gov/l.jpg",
                    "no_picture": missing,
                ])
            try mirror.record(
                newest.advanced(by: -1), ["media_type": "iframe", "no_picture": missing])
            try await mirror.refresh(settings("https://me.org/"))

            let picture = try entry(mirror, "2026-11-20")
            #expect(picture["url"] == "https://n.gov/s.jpg")
            #expect(picture["hdurl"] == "https://n.gov/l.jpg")
            let page = try entry(mirror, "2026-11-19")
            #expect(page["media_type"] == "other" && page["url"] == nil)
            #expect(try entry(mirror, "apod")["date"] == "2026-11-18")
        }
    }

    // MARK: Which days

    @Test func theNewestDaysAndTheFavoritesHaveAFile() async throws {
        try await withMirror { mirror in
            for index in 0..<40 {
                try mirror.add(newest.advanced(by: -index), Chart(96, 64).jpeg())
            }
            let favorite = newest.advanced(by: -39)
            mirror.favorites = [favorite]
            try await mirror.refresh(settings(days: 2))
            let few = ["2026-10-12.json", "2026-11-19.json", "2026-11-20.json", "apod.json"]
            #expect(try names(mirror) == few)

            try await mirror.refresh(settings(days: .max))
            #expect(try names(mirror)?.count == 41)
            #expect(try await mirror.refresh().changedPaths == [])

            mirror.favorites = []
            try await mirror.refresh(settings(days: 2))
            #expect(try names(mirror) == Array(few.dropFirst()))
        }
    }

    @Test func onlyASettingMakesThem() async throws {
        try await withMirror { mirror in
            try mirror.add(newest, Chart(96, 64).jpeg())
            try await mirror.refresh()
            #expect(try names(mirror) == nil)
            try await mirror.refresh(settings("https://me.org/"))
            #expect(try names(mirror) == ["2026-11-20.json", "apod.json"])

            try await mirror.refresh(settings("https://me.org/", days: 0))
            #expect(try names(mirror) == nil)
        }
    }

    @Test func aChangedRemovedOrDamagedFileIsMadeAgain() async throws {
        try await withMirror { mirror in
            let path = try mirror.add(
                newest, Chart(96, 64).jpeg(), .jpeg, ["url": "https://n.gov/x"])
            try mirror.add(newest.advanced(by: -31), Chart(96, 64).jpeg())
            try await mirror.refresh(settings("https://me.org/"))
            #expect(try await mirror.refresh().changedPaths == [])
            let before = try mirror.root.read("v1/2026-10-20.json")

            try mirror.root.remove("v1/2026-10-20.json")
            #expect(try await mirror.refresh().changedPaths == ["v1/2026-10-20.json"])
            #expect(try mirror.root.read("v1/2026-10-20.json") == before)
            try mirror.write([], to: "v1/2026-10-20.json")
            #expect(try await mirror.refresh().changedPaths == ["v1/2026-10-20.json"])

            try mirror.remove(path, of: newest)
            try await mirror.refresh()
            #expect(try entry(mirror, "2026-11-20")["url"] == "https://n.gov/x")
            #expect(try entry(mirror, "apod")["date"] == "2026-10-20")

            // Without any picture there is no newest one.
            try mirror.root.remove(mirror.recordPath(newest.advanced(by: -31)))
            try await mirror.refresh()
            #expect(try names(mirror) == ["2026-11-20.json"])
        }
    }

    // MARK: The pictures

    /// The gallery shows it for a large picture.
    @Test func theRenditionOfALargePictureIsShown() async throws {
        try await withMirror { mirror in
            let large = Chart(2400, 1700).jpeg() + [UInt8](repeating: 0, count: 1_000_001)
            try mirror.add(newest, large, size: (2400, 1700))
            let thumbnails = Thumbnails(store: mirror.store)
            let snapshot = try TreeSnapshot(of: mirror.root)
            await thumbnails.make(try thumbnails.missingThumbnails(in: snapshot)) { _, _ in }
            await thumbnails.make(
                try thumbnails.missingRenditions(among: thumbnails.neededRenditions(in: snapshot))
            ) { _, _ in }
            try await mirror.refresh(settings("https://me.org/"))

            let entry = try entry(mirror, "apod")
            #expect(entry["url"]?.string == "https://me.org/gallery/newest/2026-11-20.jpg")
            #expect(entry["hdurl"]?.string == "https://me.org/\(path)")
            #expect(try names(mirror) == ["2026-11-20.json", "apod.json"])
        }
    }
}
