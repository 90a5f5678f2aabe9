import APOD
import JSON
import Platform
import ProgramTesting
import Testing

/// The derived files, written by the program as its settings say; `DerivedTests` has each of them.
@Suite(.timeLimit(.minutes(10))) struct DerivedRunTests {
    @Test func optionsAndVariablesConfigureTheDerivedFiles() async throws {
        try await withSite { site in
            let ending = try await site.mirror(
                "--wallpaper-size", "32x32",
                environment: ["APOD_MIRROR_BASE_URL": "https://me.org/apod"])

            #expect(ending.code == 0, "\(ending)")
            let root = try Directory(opening: site.root)
            #expect(try root.folder("wallpapers")?.textNames().isEmpty == false)
            let feed = try root.read("feed.xml").map { String(decoding: $0, as: UTF8.self) }
            #expect(feed?.contains("\"https://me.org/apod/pictures/") == true)
            let today = try root.read("v1/apod.json").map { try JSON(parsing: $0) }
            #expect(today?["date"]?.string == "\(Site.today)")
            #expect(today?["url"]?.string?.hasPrefix("https://me.org/apod/pictures/") == true)
            let verification = try await site.read("verify")
            #expect(verification.code == 0 && !verification.output.contains("unknown"))
        }
    }
}
