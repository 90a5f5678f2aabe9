import APOD
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
            let one = try await days { ($0.orientation, $0.count) = (.any, 1) }
            #expect(one == ["2026-11-20"])
            #expect(try await days { $0.count = 0 } == [])
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
}
