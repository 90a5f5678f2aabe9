import APOD
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `verify --manifest FILE`.
    @Suite(.timeLimit(.minutes(10))) struct ManifestCommandTests {
        /// `ManifestTests` checks a copy of the mirror by such a list.
        @Test func aManifestIsWrittenAndReplaced() async throws {
            try await withMirroredSite(days: 2) { site in
                let list = "\(site.folder)/apod.sha256"

                for words in [["verify"], ["verify", "--quick"]] {
                    let ending = try await site.start(
                        words + ["--manifest", list, "--root", site.root]
                    ).end()

                    #expect(ending.code == 0, "\(ending)")
                    #expect(ending.output.contains("2 files listed in \(list)\n"), "\(ending)")
                    let check = try await site.shell(
                        "cd \"$APOD_MIRROR_ROOT\" && sha256sum -c --quiet '\(list)'")
                    #expect(check.code == 0 && check.output == "", "\(check)")
                }
            }
        }

        /// A mistyped name costs no file, and is reported before hours of reading.
        @Test(arguments: ["apod/list", "apod/latest.json", "mine", ".", "none/list", "link"])
        func aManifestReplacesNothingElse(name: String) async throws {
            try await withMirroredSite(days: 2) { site in
                try site.write("mine", to: "mine")
                try Directory(opening: site.folder).symlink("link", to: "list")
                let before = try TreeImage(of: site.folder)

                let ending = try await site.read("verify", "--manifest", "\(site.folder)/\(name)")

                #expect(ending.code == 2 && ending.output == "", "\(ending)")
                #expect(ending.errors.hasPrefix("apod-mirror: --manifest: "), "\(ending)")
                #expect(try TreeImage(of: site.folder) == before)
            }
        }
    }
}
