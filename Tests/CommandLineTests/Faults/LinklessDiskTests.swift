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
