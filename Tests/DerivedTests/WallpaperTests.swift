import APOD
import Glibc
import JSON
import MediaFormat
import Mirror
import PictureSamples
import Platform
import Testing
import Views

/// `wallpapers/`.
@Suite(.timeLimit(.minutes(10))) struct WallpaperTests {
    private let newest = MirrorOfDays.newest

    private func names(_ mirror: MirrorOfDays) throws -> [String]? {
        try mirror.root.folder("wallpapers")?.textNames().sorted()
    }

    /// Adds a small picture with a record of a large one.
    @discardableResult
    private func add(
        _ mirror: MirrorOfDays, _ offset: Int, _ width: Int, _ height: Int,
        _ type: MediaType = .jpeg, _ mediaType: String = "image", bytes: [UInt8]? = nil
    ) throws -> String {
        try mirror.add(
            newest.advanced(by: -offset), bytes ?? Chart(96, 64).jpeg(), type,
            size: (width, height), ["media_type": .string(mediaType)])
    }

    private func options(_ change: (inout WallpaperOptions) -> Void) -> ViewSettings {
        var options = ViewSettings()
        change(&options.wallpapers)
        return options
    }

    @Test func picturesThatFitTheScreenAreLinked() async throws {
        try await withMirror { mirror in
            let path = try add(mirror, 0, 1920, 1080)
            try add(mirror, 1, 1919, 1080)
            try add(mirror, 2, 4000, 1079)
            try add(mirror, 3, 1080, 1920)
            try add(mirror, 4, 3000, 3000)
            try add(mirror, 5, 3000, 2000, .gif)
            try add(mirror, 6, 3000, 2000, .jpeg, "video")
            try add(mirror, 7, 3000, 2000, .png)
            mirror.favorites = [newest.advanced(by: -7)]
            try await mirror.refresh()

            #expect(
                try names(mirror)
                    == ["2026-11-20 A Chart.jpg", "favorite 2026-11-13 A Chart.png"])
            let folder = try #require(try mirror.root.folder("wallpapers"))
            #expect(folder.target(of: "2026-11-20 A Chart.jpg") == "../\(path)")
        }
    }

    @Test func orientationSizeAndNumberAreOptions() async throws {
        try await withMirror { mirror in
            try add(mirror, 0, 300, 200)
            try add(mirror, 1, 200, 300)
            try add(mirror, 2, 250, 250)
            try add(mirror, 3, 199, 900)
            func days(_ change: (inout WallpaperOptions) -> Void) async throws -> [String] {
                try await mirror.refresh(
                    options {
                        $0.screen = PixelSize(width: 250, height: 200)
                        change(&$0)
                    })
                return try names(mirror)?.map { String($0.prefix(10)) } ?? []
            }

            #expect(try await days { _ in } == ["2026-11-20"])
            #expect(try await days { $0.orientation = .portrait } == ["2026-11-19"])
            let any = try await days { $0.orientation = .any }
            #expect(any == ["2026-11-19", "2026-11-20"])
            let one = try await days { ($0.orientation, $0.maximumCount) = (.any, 1) }
            #expect(one == ["2026-11-20"])
            #expect(try await days { $0.maximumCount = 0 } == [])
            #expect(try mirror.root.status("wallpapers") == nil)
        }
    }

    /// A picture of other proportions leaves bars, or loses what a screen cuts off.
    @Test(arguments: [
        (WallpaperOptions.Orientation.landscape, 4000, 3000, true), (.landscape, 3999, 3000, false),
        (.landscape, 3840, 1600, true), (.landscape, 3841, 1600, false),
        (.landscape, 12_000, 2000, false), (.landscape, 3000, 4000, false),
        (.portrait, 3000, 4000, true), (.portrait, 3001, 4000, false),
        (.portrait, 2250, 4000, true), (.portrait, 2249, 4000, false),
        (.any, 4000, 3000, true), (.any, 3000, 4000, true), (.any, 4000, 4000, false),
    ])
    func proportionsFarFromThoseOfAScreenDoNotFit(
        _ orientation: WallpaperOptions.Orientation, _ width: Int, _ height: Int, _ fits: Bool
    ) async throws {
        try await withMirror { mirror in
            try add(mirror, 0, width, height)
            try await mirror.refresh(options { $0.orientation = orientation })

            #expect(try (names(mirror) ?? []).count == (fits ? 1 : 0))
        }
    }

    @Test func anAnimatedPictureIsNotAWallpaper() async throws {
        try await withMirror { mirror in
            let png = Chart(96, 64).png(.truecolor)
            try add(mirror, 0, 2000, 1200, .webp, bytes: Chart.movingWebP)
            try add(mirror, 1, 2000, 1200, .webp, bytes: Chart(96, 64).webp())
            try add(mirror, 2, 2000, 1200, .png, bytes: Chart.moving(png))
            try add(mirror, 3, 2000, 1200, .png, bytes: png)
            try await mirror.refresh()

            #expect(try names(mirror)?.map { $0.prefix(10) } == ["2026-11-17", "2026-11-19"])
        }
    }

    @Test func changesAreReflectedAndNothingElseIsWritten() async throws {
        try await withMirror { mirror in
            let path = try add(mirror, 0, 2000, 1200)
            try add(mirror, 1, 2000, 1200)
            try await mirror.refresh()
            #expect(try await mirror.refresh().changedPaths == [])

            mirror.favorites = [newest]
            #expect(
                try await mirror.refresh().changedPaths == [
                    "wallpapers/2026-11-20 A Chart.jpg",
                    "wallpapers/favorite 2026-11-20 A Chart.jpg",
                ])
            try mirror.remove(path, of: newest)
            try await mirror.refresh()
            #expect(try names(mirror) == ["2026-11-19 A Chart.jpg"])
        }
    }

    // MARK: Never this one

    private static let name = "2026-11-20 A Chart.jpg"

    /// Runs `body` with links to the newest three of six days, the newest of which are the first pictures.
    private nonisolated(nonsending) func withLinks(
        _ body: nonisolated(nonsending) (MirrorOfDays) async throws -> Void
    ) async throws {
        try await withMirror { mirror in
            for age in 0..<6 { try add(mirror, age, 2000, 1200) }
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [0, 1, 2])
            try await body(mirror)
        }
    }

    @discardableResult
    private func restartAndRefresh(
        _ mirror: MirrorOfDays, count: Int = 3
    ) async throws
        -> ViewOutcome
    {
        let outcome = try await mirror.refresh(options { $0.maximumCount = count })
        #expect(outcome.problems == [])
        return outcome
    }

    /// How many days before the newest those are that have a link.
    private func days(_ mirror: MirrorOfDays) throws -> [Int] {
        let names = (try names(mirror) ?? []).map { $0.replacing("favorite ", with: "") }
        return names.compactMap { Day(iso: $0.prefix(10))?.distance(to: newest) }.sorted()
    }

    private func remove(_ age: Int, from mirror: MirrorOfDays) throws {
        let day = newest.advanced(by: -age)
        for name in try names(mirror) ?? [] where name.contains("\(day)") {
            try mirror.root.remove("wallpapers/\(name)")
        }
    }

    @Test func theNextPictureTakesThePlaceOfALinkThatAPersonDeletes() async throws {
        try await withLinks { mirror in
            try remove(0, from: mirror)
            for _ in 0..<2 { try await restartAndRefresh(mirror) }
            #expect(try days(mirror) == [1, 2, 3])
            #expect(try await restartAndRefresh(mirror).changedPaths == [])

            // Under whatever name, and however many there are.
            mirror.favorites = [newest]
            for count in [2, 0, 6] { try await restartAndRefresh(mirror, count: count) }
            #expect(try days(mirror) == [1, 2, 3, 4, 5])
            try remove(2, from: mirror)
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [1, 3, 4])
            #expect(try mirror.root.status(Layout.latestPicture) != nil)
        }
    }

    /// The new picture takes the place that the deleted link would have had.
    @Test func theOldestLinkStaysRefusedThoughANewPictureCameBeforeTheUpdate() async throws {
        try await withLinks { mirror in
            try remove(2, from: mirror)
            try add(mirror, -1, 2000, 1200)
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [-1, 0, 1])

            try remove(0, from: mirror)
            try await restartAndRefresh(mirror)

            #expect(try days(mirror) == [-1, 1, 3])
        }
    }

    @Test(arguments: ["rm -r wallpapers", "rm wallpapers/*"])
    func linksThatGoAtOnceComeBack(_ script: String) async throws {
        try await withLinks { mirror in
            try remove(1, from: mirror)
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [0, 2, 3])
            try #require(unsafe system("cd '\(mirror.root.path)' && \(script)") == 0)

            for _ in 0..<2 { try await restartAndRefresh(mirror) }

            #expect(try days(mirror) == [0, 2, 3])
        }
    }

    /// As many as would be held if they were favorites, or all of several.
    @Test(arguments: [
        (10, 6, true), (10, 5, false), (5, 3, true), (3, 2, false), (2, 2, true), (1, 1, false),
    ])
    func linksOfWhichManyGoAtOnceComeBack(count: Int, deleted: Int, isMany: Bool) async throws {
        try await withMirror { mirror in
            for age in 0..<count + deleted { try add(mirror, age, 2000, 1200) }
            try await restartAndRefresh(mirror, count: count)
            for age in 0..<deleted { try remove(age, from: mirror) }

            try await restartAndRefresh(mirror, count: count)

            let first = isMany ? 0 : deleted
            #expect(try days(mirror) == Array(first..<first + count))
        }
    }

    @Test(arguments: [name, "My Own.jpg", "2026-11-20.png"])
    func aLinkThatAPersonPutsThereEndsTheRefusal(_ own: String) async throws {
        try await withLinks { mirror in
            let name = Self.name
            let target = try #require(mirror.root.target(of: "wallpapers/\(name)"))
            try mirror.root.remove("wallpapers/\(name)")
            try await restartAndRefresh(mirror)
            #expect(try names(mirror)?.contains(name) == false)

            try mirror.root.symlink("wallpapers/\(own)", to: target)
            try await restartAndRefresh(mirror)

            #expect(try names(mirror)?.contains(name) == true)
            #expect(mirror.root.target(of: "wallpapers/\(own)") == target)
            // It is the mirror's again.
            if own == name {
                try await restartAndRefresh(mirror, count: 0)
                #expect(try names(mirror) ?? [] == [])
            }
        }
    }

    @Test(arguments: [
        "rm .apod-mirror/views/wallpapers.json", "echo '{' > .apod-mirror/views/wallpapers.json",
        "sed -i /directory/d .apod-mirror/views/wallpapers.json",
        "cp -a wallpapers old && rm -r wallpapers && mkdir between && mv old wallpapers",
        "touch -d 2020-01-01 wallpapers",
        // As a kill between the row and the link leaves it.
        #"sed -i 's/: "\([^"]*\)"/: {"intended": "\1"}/' .apod-mirror/views/wallpapers.json"#,
    ])
    func inDoubtADeletedLinkIsMadeAgain(_ script: String) async throws {
        try await withLinks { mirror in
            try mirror.root.remove("wallpapers/\(Self.name)")
            try #require(unsafe system("cd '\(mirror.root.path)' && \(script)") == 0)

            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [0, 1, 2])

            // From now on it is clear.
            try mirror.root.remove("wallpapers/\(Self.name)")
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [1, 2, 3])
        }
    }

    /// Before and after a scan has recorded the favorite; its link of another name may be moved there, too.
    @Test(arguments: [true, false], [true, false])
    func aLinkThatAPersonMovesIntoFavoritesIsNotRefused(
        isRecorded: Bool, wasFavorite: Bool
    ) async throws {
        try await withLinks { mirror in
            var name = Self.name
            if wasFavorite {
                mirror.favorites = [newest]
                try await restartAndRefresh(mirror)
                name = "favorite \(name)"
            }
            // With another name, only the place shows it.
            if wasFavorite { mirror.collections = ["Nebulae": [newest]] }
            let favorites = try mirror.root.makeDirectory(
                wasFavorite ? "\(Layout.favorites)/Nebulae" : Layout.favorites)
            if isRecorded {
                // The link may be in a folder there, or replaced.
                try mirror.root.remove("wallpapers/\(name)")
                if wasFavorite { try favorites.symlink(name, to: "x") }
            } else {
                try mirror.root.rename("wallpapers/\(name)", to: favorites, as: name)
                try await restartAndRefresh(mirror)
                #expect(try days(mirror) == [0, 1, 2])
            }
            mirror.favorites = [newest]

            for _ in 0..<2 { try await restartAndRefresh(mirror) }

            #expect(try days(mirror) == [0, 1, 2])
            #expect(try names(mirror)?.contains("favorite \(Self.name)") == true)
        }
    }

    @Test func aLinkThatTheMirrorItselfRemovedIsNotRefused() async throws {
        try await withLinks { mirror in
            try await restartAndRefresh(mirror, count: 1)
            try mirror.remove(try add(mirror, 1, 2000, 1200), of: newest.advanced(by: -1))
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [0, 2, 3])
            try add(mirror, 1, 2000, 1200)
            mirror.favorites = [newest]
            try await restartAndRefresh(mirror)
            mirror.favorites = []
            try await restartAndRefresh(mirror)
            #expect(try days(mirror) == [0, 1, 2])
        }
    }
}
