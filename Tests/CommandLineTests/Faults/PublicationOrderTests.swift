import APOD
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Published files survive a power cut, as the order of the calls shows.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Trace.isPossible)) struct PublicationOrderTests {
        @Test func picturesRecordsPagesAndThumbnailsArePublishedInOrder() async throws {
            try await withSite(days: 3) { site in
                let trace = try await trace(site, "--since", "3d", "--thumbnails", "yes")

                #expect(trace.violations() == [])
                for top in ["pictures", "metadata", "gallery", Layout.thumbnails] {
                    #expect(trace.publications(in: top) >= 3, "\(top)")
                }
            }
        }

        @Test(arguments: [1, 25]) func favoritesArePublishedInOrder(count: Int) async throws {
            try await withSite(days: 30) { site in
                #expect(try await site.mirror("--since", "30d").code == 0)
                let favorites = try Directory(opening: site.root).makeDirectory(Layout.favorites)
                for path in try site.tree().pictures.prefix(count) {
                    let name = try #require(path.split(separator: "/").last)
                    try favorites.symlink(String(name), to: "../\(path)")
                }

                let trace = try await trace(site, "--since", "30d")

                #expect(trace.violations() == [])
                #expect(trace.publications(in: ".apod-mirror/favorites") >= count)
            }
        }

        @Test func editsArePublishedInOrder() async throws {
            try await withSite(days: 4) { site in
                #expect(try await site.mirror("--since", "4d").code == 0)
                for (age, format) in [Drawing.Format.jpeg, .png].enumerated() {
                    try site.simulator.edit(Site.day(age)) {
                        $0.media = .drawn(
                            "b.\(format)", seed: 7, width: 64, height: 40, format: format)
                    }
                }
                try site.simulator.edit(Site.day(2)) { $0.title = "Quite Another Title" }

                let trace = try await trace(site, "--since", "4d")

                #expect(trace.violations() == [])
                #expect(trace.publications(in: "metadata") == 3)
                #expect(trace.publications(in: ".apod-mirror/previous") == 5)
            }
        }

        /// Otherwise a power cut leaves a record that names a removed page.
        @Test func aPageIsRemovedWhenTheRecordWithoutItIsOnTheDisk() async throws {
            try await withSite(days: 2) { site in
                let poster = SimulatedPicture.drawn("poster.jpg", seed: 7, width: 48, height: 32)
                let video = "https://www.youtube.com/embed/M6-iC_aYcug"
                try site.simulator.edit(Site.today) {
                    $0.media = .iframe(src: video, poster: poster)
                }
                #expect(try await site.mirror("--since", "2d").code == 0)
                try site.simulator.edit(Site.today) { $0.media = .picture(poster) }

                let trace = try await trace(site, "--since", "2d")

                #expect(trace.violations() == [])
                #expect(trace.removals(in: "pictures") == 1)
            }
        }

        /// Otherwise a power cut brings back a picture and a sidecar that nothing removes again.
        @Test func removalsAreOnTheDiskBeforeTheyAreRecorded() async throws {
            try await withSite(days: 3) { site in
                #expect(try await site.mirror("--since", "3d", "--sidecars").code == 0)

                let trace = try await trace(site, "--since", "3d", "--keep", "2d", "--sidecars")

                #expect(trace.violations() == [])
                #expect(trace.removals(in: "pictures") == 2)
            }
        }

        /// A process was killed between the names of the picture and of its record.
        @Test func whatAKilledProcessNamedIsFlushedBeforeItsRecord() async throws {
            try await withSite(days: 2) { site in
                let (picture, record) = try await killBeforeRecord(site)

                let trace = try await trace(site, "--since", "2d")

                #expect(trace.isFlushed(picture, before: record))
                #expect(try site.tree().complete.contains(Site.today))
            }
        }

        /// A second fsync of it would succeed, though the bytes are lost; see fsync(2).
        @Test func aPictureWhoseFsyncFailedIsDownloadedAgain() async throws {
            try await withSite(days: 2) { site in
                let (picture, _) = try await killBeforeRecord(site)
                site.simulator.resetLog()

                let fault = [
                    "strace", "-f", "-o", "/dev/null", "-P", "\(site.root)/\(picture)", "-e",
                    "trace=fsync", "-e", "inject=fsync:error=EIO:when=1",
                ]
                let words = ["run", "--once"] + site.settings() + ["--since", "2d"]
                let ending = try await site.command(fault + [Program.path] + words)

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().complete.contains(Site.today))
                #expect(site.simulator.requests.contains { $0.kind == .media })
            }
        }

        /// Leaves the tree as a process that was killed before it named the record of today.
        private func killBeforeRecord(
            _ site: Site
        ) async throws -> (picture: String, record: String) {
            #expect(try await site.mirror("--since", "2d").code == 0)
            let picture = try site.picture(of: Site.today)
            let root = try Directory(opening: site.root)
            let record = Layout.recordPath(of: Site.today)
            let staging = try root.makeDirectory(Layout.incoming)
            try root.rename(record, to: staging, as: Layout.recordName(of: Site.today))
            return (picture, record)
        }

        private func trace(_ site: Site, _ options: String...) async throws -> PublicationTrace {
            let file = "\(site.folder)/calls"
            let strace = Trace.prefix(to: file, tracing: PublicationTrace.traced)
            let ending = try await site.command(
                strace + [Program.path, "run", "--once"] + site.settings() + options)
            #expect(ending.code == 0, "\(ending)")
            return PublicationTrace(try Trace(of: file).calls(on: ""), root: site.root)
        }
    }
}
