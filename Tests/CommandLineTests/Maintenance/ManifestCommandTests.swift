import APOD
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `verify --manifest FILE`.
    @Suite(.timeLimit(.minutes(10))) struct ManifestCommandTests {
        @Test func aManifestChecksACopyWithoutThisProgram() async throws {
            try await withSite { site in
                _ = try await site.mirror("--videos")
                let list = "\(site.folder)/apod.sha256"
                let check = "cd '\(site.folder)/copy' && sha256sum -c --quiet '\(list)'"

                let ending = try await site.read("verify", "--manifest", list)
                let again = try await site.read("verify", "--quick", "--manifest", list)
                let copied = try await site.shell(
                    "cp -r '\(site.root)' '\(site.folder)/copy' && \(check)")
                let picture = try site.picture(of: Site.day(2))
                let damaged = try await site.shell(
                    "truncate -s 9 '\(site.folder)/copy/\(picture)' && \(check)")

                #expect(ending.code == 0 && again.code == 0, "\(ending); \(again)")
                #expect(ending.output.contains("10 files listed in \(list)\n"), "\(ending)")
                #expect(copied.code == 0 && copied.output == "", "\(copied)")
                #expect(damaged.code == 1 && damaged.output == "\(picture): FAILED\n", "\(damaged)")
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
