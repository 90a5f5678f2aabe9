import APOD
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `verify --manifest`.
    @Suite(.timeLimit(.minutes(10))) struct ManifestCommandTests {
        @Test func aManifestChecksACopyWithoutThisProgram() async throws {
            try await withSite { site in
                _ = try await site.mirror("--videos")
                let list = "\(site.folder)/apod.sha256"
                let check = "cd '\(site.folder)/copy' && sha256sum -c --quiet '\(list)'"

                let ending = try await site.read("verify", "--manifest")
                try site.write(ending.output, to: "apod.sha256")
                let part = try await site.read("verify", "--manifest", "\(Site.day(2))")
                let copied = try await site.shell(
                    "cp -r '\(site.root)' '\(site.folder)/copy' && \(check)")
                let picture = try site.picture(of: Site.day(2))
                let damaged = try await site.shell(
                    "truncate -s 9 '\(site.folder)/copy/\(picture)' && \(check)")

                #expect(ending.code == 0 && ending.output.hasPrefix("# apod-mirror: 10 files, "))
                #expect(part.output.hasPrefix("# apod-mirror: 1 file, "), "\(part)")
                #expect(copied.code == 0 && copied.output == "", "\(copied)")
                #expect(damaged.code == 1 && damaged.output == "\(picture): FAILED\n", "\(damaged)")
            }
        }

        /// A copy that is checked by the list would seem whole.
        @Test func aDayThatIsNotListedIsNamed() async throws {
            try await withMirroredSite { site in
                try await site.damage("truncate -s 0", Layout.recordPath(of: Site.day(2)))

                let ending = try await site.read("verify", "--manifest")

                #expect(ending.code == 8 && ending.output.contains("\(Site.day(1))"), "\(ending)")
                #expect(ending.errors.contains("\(Site.day(2))"), "\(ending)")
                #expect(!ending.output.contains("\(Site.day(2))"), "\(ending)")
            }
        }
    }
}
