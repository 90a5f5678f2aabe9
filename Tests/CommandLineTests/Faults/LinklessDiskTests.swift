import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// exFAT and some network file systems have no symbolic links.
    @Suite(
        .timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct LinklessDiskTests {
        @Test(arguments: [EPERM, EIO, EPROTO, EROFS]) func aSyncWithoutNewsWritesNoTable(
            code: Int32
        ) async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                func sync() async throws {
                    let ending = try await site.mirror(
                        "--since", "3d", "--wallpaper-size", "32x20", "--sidecars",
                        environment: shim.linkless(code))
                    #expect(ending.code == 0, "\(ending)")
                }
                for _ in 0..<2 { try await sync() }
                let before = try tables(site)

                try await sync()

                let after = try tables(site)
                #expect(after == before && before.count > 5)
                #expect(try Directory(opening: site.root).status("index.html") != nil)
            }
        }

        /// Also of a picture that NASA replaced, and after a day whose picture is no JPEG.
        @Test func theNewestPictureIsACopyThatChangesNoPicture() async throws {
            try await withSite(days: 3) { site in
                let shim = try await FaultShim(for: site)
                let root: () throws -> Directory = { try Directory(opening: site.root) }
                for picture in [nil, "a.jpg", "b.png", "c.jpeg"] {
                    if let picture {
                        try site.simulator.edit(Site.today) {
                            $0.title += "I"
                            $0.media = .drawn(
                                picture, seed: 7, width: 64, height: 40,
                                format: picture == "b.png" ? .png : .jpeg)
                        }
                    }
                    let ending = try await site.mirror(
                        "--since", "3d", thumbnails: true, environment: shim.linkless(EPERM))

                    #expect(ending.code == 0, "\(ending)")
                    let path = try site.picture(of: Site.today)
                    let shown = try root().read(Layout.latestPicture) ?? []
                    #expect(shown.starts(with: [0xFF, 0xD8]))
                    let original = try root().read(path)
                    #expect((shown == original) == (picture != "b.png"), "\(picture ?? "first")")
                    // An editor writes into the file.
                    try site.write("mine", to: "apod/\(Layout.latestPicture)")
                    #expect(try root().read(path) == original)
                    try root().remove(Layout.latestPicture)
                }
            }
        }

        /// What elsewhere makes links makes shortcuts there: `favorites add`, `favorites restore`, and the lost folder.
        @Test(arguments: [EPERM, ENOSYS, EIO])
        func aShortcutIsInPlaceOfEachLinkOfAFavorite(code: Int32) async throws {
            try await withSite { site in
                let environment = try await FaultShim(for: site).linkless(code)
                let root = try Directory(opening: site.folder).makeDirectory("apod")
                func favorites(_ words: String...) async throws -> Ending {
                    let words = ["favorites"] + words + ["--root", site.root]
                    return try await site.start(words, environment: environment).end()
                }
                func sync() async throws -> String {
                    let ending = try await site.mirror(environment: environment)
                    #expect(ending.code == 0, "\(ending)")
                    return ending.output + ending.errors
                }
                _ = try await sync()
                let picture = Layout.split(try site.picture(of: Site.day(1))).name
                let shortcut = "\(picture.dropLast(4)).url"
                let address = "https://apod.nasa.gov/apod/ap\(Site.day(1).compact).html"

                let added = try await favorites("add", "\(Site.day(1))")
                #expect(added.code == 0 && added.output == "added: \(shortcut)\n", "\(added)")
                for age in 2...4 {
                    let ending = try await favorites(
                        "add", "\(Site.day(age))", "--as", "trip/mine \(age)")
                    #expect(ending.output == "added: trip/mine \(age).url\n", "\(ending)")
                }
                let all = try site.tree().favoriteFiles
                #expect(all.count == 4)
                #expect(
                    all["favorites/\(shortcut)"]
                        == Array("[InternetShortcut]\r\nURL=\(address)\r\n".utf8))
                let again = try await favorites("add", "\(Site.day(1))")
                #expect(again.output == "already a favorite: \(shortcut)\n", "\(again)")
                let same = try await favorites("add", "\(Site.day(2))", "--as", "trip/mine 2.jpg")
                #expect(same.output == "already a favorite: trip/mine 2.url\n", "\(same)")

                // The folder is lost.
                _ = try await site.command(["rm", "-r", "\(site.root)/favorites"])
                let lost = try await sync()
                #expect(lost.contains("its links were created again as shortcuts"), "\(lost)")
                #expect(try site.tree().favoriteFiles == all)

                // A copy of the mirror lacks the items; and a shortcut never replaces what a person made meanwhile.
                _ = try await site.command(["rm", "-r", "\(site.root)/favorites"])
                _ = try root.makeDirectory("favorites")
                let held = try await sync()
                #expect(held.contains("“apod-mirror favorites restore” restores them"), "\(held)")
                try site.write("mine", to: "apod/favorites/\(shortcut)")
                let refused = try await favorites("restore")
                #expect(refused.code == 1, "\(refused)")
                #expect(
                    refused.errors
                        == "apod-mirror: favorites/\(shortcut) exists already; rename it, or add the day with another name (--as)\n"
                )
                #expect(try root.read("favorites/\(shortcut)") == Array("mine".utf8))
                try root.remove("favorites/\(shortcut)")
                let restored = try await favorites("restore")
                #expect(restored.output == "restored: \(shortcut)\n", "\(restored)")
                #expect(try site.tree().favoriteFiles == all)

                // Removed, and restored.
                let removed = try await favorites("remove", "\(Site.day(2))")
                #expect(removed.output == "removed: trip/mine 2.url\n", "\(removed)")
                #expect(try site.tree().favoriteFiles.count == 3)
                let back = try await favorites("restore", "\(Site.day(2))")
                #expect(back.output == "restored: trip/mine 2.url\n", "\(back)")
                #expect(try site.tree().favoriteFiles == all)
                let list = try await favorites("list")
                #expect(!list.output.contains("held") && list.errors == "", "\(list)")
            }
        }

        /// As on sshfs with its default options.
        @Test func linksThatCannotBeReadCountAsNone() async throws {
            try await withSite(days: 3) { site in
                let environment = try await FaultShim(for: site).contained
                func sync() async throws -> Ending {
                    try await site.mirror(
                        "--since", "3d", "--wallpaper-size", "32x20", environment: environment)
                }
                let first = try await sync()
                let added = try await site.start(
                    ["favorites", "add", "\(Site.day(1))", "--root", site.root],
                    environment: environment
                ).end()
                let second = try await sync()
                let doctor = try await site.start(
                    ["doctor", "--offline", "--root", site.root], environment: environment
                ).end()

                #expect(first.code == 0 && second.code == 0, "\(first) \(second)")
                #expect(added.code == 0 && added.output.hasSuffix(".url\n"), "\(added)")
                #expect(try site.tree().favorites == [Site.day(1)])
                #expect(doctor.output.contains("note     symlinks"), "\(doctor)")
            }
        }

        /// A person has made it, for example on the server.
        @Test func aLinkThatCannotBeReadNamesTheOptionOfSSHFS() async throws {
            try await withSite(days: 3) { site in
                let environment = try await FaultShim(for: site).contained
                _ = try await site.mirror("--since", "3d", environment: environment)
                _ = try await site.shell("ln -s ../latest.jpg '\(site.root)/favorites/one.jpg'")

                let ending = try await site.mirror("--since", "3d", environment: environment)

                #expect(ending.errors.contains("no_contain_symlinks"), "\(ending)")
                #expect(!ending.errors.contains("chown"), "\(ending)")
                #expect(
                    try Directory(opening: site.root).target(of: "favorites/one.jpg")
                        == "../latest.jpg")
            }
        }

        /// The status of everything in the directory of the tables, and of the copy of the newest picture.
        private func tables(_ site: Site) throws -> [String: FileStatus] {
            let root = try Directory(opening: site.root)
            var tables: [String: FileStatus] = [:]
            tables[Layout.latestPicture] = try root.status(Layout.latestPicture)
            var folders = [Layout.views]
            while let path = folders.popLast() {
                for name in try root.folder(path)?.textNames() ?? [] {
                    guard let status = try root.status("\(path)/\(name)") else { continue }
                    tables["\(path)/\(name)"] = status
                    if status.kind == .directory { folders.append("\(path)/\(name)") }
                }
            }
            return tables
        }
    }
}

extension TreeImage {
    /// Everything in `favorites/`, also hidden files.
    fileprivate var favoriteFiles: [String: [UInt8]] {
        files.filter { $0.key.hasPrefix("\(Layout.favorites)/") }
    }
}
