import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// A mirror that was copied or restored from a backup.
    @Suite(.timeLimit(.minutes(10))) struct RestoredTreeTests {
        /// Runs `script`, which makes `apod` of the mirror `whole`.
        private func copy(_ script: String, in site: Site) {
            let copied = unsafe system("cd '\(site.folder)' && rm -rf '\(site.home)'; \(script)")
            #expect(copied == 0)
        }

        private static let copies =
            [
                "cp -r whole apod", "cp -rL whole apod",
                "mkdir apod && tar -C whole -cf - . | tar -C apod -xmf -",
            ] + (unsafe system("restic version >/dev/null 2>&1") == 0 ? [restic] : [])

        private static let restic = """
            export RESTIC_PASSWORD=x && cd whole && restic -q --no-cache -r ../backup init \
            && restic -q --no-cache -r ../backup backup . \
            && restic -q --no-cache -r ../backup restore latest --target ../apod
            """

        @Test(arguments: copies)
        func nothingIsDownloadedAgain(script: String) async throws {
            try await withSource(days: 10) { site, whole in
                copy(script, in: site)

                let ending = try await site.mirror()

                let tree = try site.tree()
                #expect(ending.code == 0 && site.media == 0, "\(ending)")
                #expect(tree.mirrored == whole.mirrored && tree.damage == [])
                #expect(try await site.read("verify").code == 0)
            }
        }

        /// The records make it a mirror of its own, once a person has said so.
        @Test func aCopyWithoutHiddenFilesIsRefusedWithWhatToDo() async throws {
            try await withSource(days: 10) { site, whole in
                copy("cp -r whole apod && rm -rf apod/.apod-mirror", in: site)
                let before = try site.traces("apod")

                let refused = try await site.mirror()

                #expect(refused.code == 4 && refused.sentences.count == 1, "\(refused)")
                #expect(refused.errors.contains("mkdir \(site.root)/.apod-mirror"), "\(refused)")
                #expect(try site.traces("apod") == before && site.simulator.requests.isEmpty)

                let made = "gallery/, index.html, feed.*, latest.*, v1/ and wallpapers/"
                #expect(refused.errors.contains("delete \(made)"), "\(refused)")
                copy(
                    "cd apod && rm -rf gallery/ index.html feed.* latest.* v1/ wallpapers/"
                        + " && mkdir .apod-mirror", in: site)
                let ending = try await site.mirror()

                #expect(ending.code == 0 && site.media == 0, "\(ending)")
                #expect(try site.tree().mirrored == whole.mirrored)
                // Its pages change.
                copy("ln -s ../latest.json apod/favorites/", in: site)
                let later = try await site.mirror()
                #expect(later.code == 0 && !later.errors.contains("was not written"), "\(later)")
            }
        }

        /// Pictures in directories by month may be those of another program.
        @Test func picturesWithoutRecordsAreNoMirror() async throws {
            try await withSource(days: 10) { site, _ in
                copy("mkdir apod && cp -r whole/pictures apod", in: site)
                let before = try site.traces("apod")

                let ending = try await site.mirror()

                #expect(ending.code == 4 && ending.errors.contains("adopt"), "\(ending)")
                #expect(try site.traces("apod") == before && site.simulator.requests.isEmpty)
            }
        }
    }
}
