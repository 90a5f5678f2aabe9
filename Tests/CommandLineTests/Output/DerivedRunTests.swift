import APOD
import Glibc
import JSON
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

/// The derived files, written by the program.
@Suite(.timeLimit(.minutes(10))) struct DerivedRunTests {
    static let names: Set = ["feed.xml", "latest.jpg", "latest.json", "wallpapers"]

    @Test func runOnceCreatesDerivedFilesAndASecondRunWritesNone() async throws {
        try await withSite { site in
            let ending = try await site.mirror("--wallpaper-size", "32x32")
            #expect(ending.code == 0, "\(ending)")
            let before = try site.derived()
            _ = try await site.mirror("--wallpaper-size", "32x32")

            #expect(Set(before.keys) == Self.names)
            #expect(try site.derived() == before)
            #expect(
                try site.tree().files["latest.json"].map { String(decoding: $0, as: UTF8.self) }?
                    .contains("\"date\": \"\(Site.today)\"") == true)
            let verification = try await site.read("verify")
            #expect(verification.code == 0 && !verification.output.contains("unknown"))
        }
    }

    @Test func optionsAndVariablesConfigureTheFeeds() async throws {
        try await withSite { site in
            let urls = [
                "https://me.org/?x", "https://me.org/#x", "https://me:secret@me.org/",
                "https://me.org/a b/", "me.org/apod", "/apod", "ftp://me.org/", "https://", "",
            ]
            for url in urls {
                let wrong = try await site.mirror("--base-url", url)
                #expect(wrong.code == 2, "\(wrong)")
                #expect(wrong.errors.contains("without user, blank, question mark and fragment"))
            }
            let ending = try await site.mirror(
                environment: ["APOD_MIRROR_BASE_URL": "https://me.org/apod"])
            #expect(ending.code == 0, "\(ending)")
            let feed = try site.tree().files["feed.xml"].map { String(decoding: $0, as: UTF8.self) }
            #expect(feed?.contains("\"https://me.org/apod/pictures/") == true)
            let today = try site.tree().files["v1/apod.json"].map { try JSON(parsing: $0) }
            #expect(today?["date"]?.string == "\(Site.today)")
            #expect(today?["url"]?.string?.hasPrefix("https://me.org/apod/pictures/") == true)
            let verification = try await site.read("verify")
            #expect(verification.code == 0 && !verification.output.contains("unknown"))
        }
    }

    @Test func theHintInFavoritesIsNeitherAFavoriteNorDamage() async throws {
        try await withMirroredSite { site in
            let root = try Directory(opening: site.root)
            let hint = "favorites/\(Layout.favoritesHint)"
            let before = try root.status(hint)
            #expect(before?.kind == .file)
            _ = try await site.mirror()
            let list = try await site.read("favorites", "list")
            let verification = try await site.read("verify")

            #expect(list.code == 0 && !list.output.contains(Layout.favoritesHint), "\(list)")
            #expect(verification.code == 0 && !verification.output.contains("unknown"))
            #expect(try root.status(hint) == before)

            _ = unsafe symlink("../latest.jpg", "\(site.root)/favorites/mine")
            _ = try await site.mirror()
            #expect(try root.status(hint) == nil)
            #expect(root.target(of: "favorites/mine")?.contains("\(Site.today)") == true)
        }
    }
}

extension Site {
    /// The derived files with their inodes and times.
    fileprivate func derived() throws -> [String: [Int]] {
        try DerivedRunTests.names.reduce(into: [:]) { files, name in
            var status = stat()
            try #require(unsafe lstat("\(root)/\(name)", &status) == 0)
            files[name] = [
                Int(status.st_ino), status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
    }
}
