import APOD
import Glibc
import JSON
import Mirror
import PictureSamples
import Platform
import Simulator
import Testing

/// The thumbnails of a run.
@Suite(.timeLimit(.minutes(10))) struct ThumbnailTests {
    private func thumbnails(_ site: Site) throws -> Set<String> {
        Set(try site.tree().files.keys.filter { $0.hasPrefix(Layout.thumbnails) })
    }

    @Test func runMakesThumbnailsAndStatusCountsThem() async throws {
        try await withSite(extras: [.formats]) { site in
            #expect(try await site.mirror(thumbnails: true).code == 0)

            let tree = try site.tree()
            let days = tree.complete.map { Layout.thumbnail(of: $0) }
            #expect(days.count == 10)
            #expect(try thumbnails(site) == Set(days).union(["\(Layout.thumbnails)/.nomedia"]))
            #expect(tree.incoming == [])
            let status = try await site.read("status", "--json")
            let counts = try status.json["thumbnails"]
            #expect(counts?["complete"]?.integer == 10)
            #expect(counts?["missing"]?.integer == 0)
        }
    }

    @Test func failedThumbnailsAreReported() async throws {
        try await withMirroredSite { site in
            try site.write("mine", to: "apod/\(Layout.thumbnails)")

            let ending = try await site.mirror(thumbnails: true)

            #expect(ending.code == 3, "\(ending)")
            #expect(ending.errors.contains("10 thumbnails are missing"))
            _ = unsafe unlink("\(site.root)/\(Layout.thumbnails)")
            #expect(try await site.mirror(thumbnails: true).code == 0)
            #expect(try thumbnails(site).count == 11)
        }
    }

    /// Decoding has a limit of pixels, storing has none.
    @Test func aPictureThatIsTooLargeToDecodeIsStoredAndReportedAsRejected() async throws {
        try await withSite { site in
            let (day, panorama) = (Site.day(3), PNGFile.black(30_000, 20_000))
            let picture = SimulatedPicture(name: "panorama.png", source: .bytes(panorama))
            site.simulator.publish(
                SimulatedEntry(
                    day: day, title: "A Panorama", explanationHTML: "It is wide.",
                    media: .picture(picture)))

            let ending = try await site.mirror(thumbnails: true)

            #expect(ending.code == 0, "\(ending)")
            #expect(
                ending.errors.contains(
                    "\(Layout.thumbnail(of: day)): cannot decode the picture: 30000 x 20000 pixels"),
                "\(ending)")
            let path = try site.picture(of: day)
            #expect(try site.tree().files[path] == panorama)
            #expect(try site.record(of: day)?["picture"]?["width"]?.integer == 30_000)
            let made = try thumbnails(site)
            #expect(made.count == 10 && !made.contains(Layout.thumbnail(of: day)))
            let counts = try await site.read("status", "--json").json["thumbnails"]
            #expect(counts?["complete"]?.integer == 9 && counts?["missing"]?.integer == 0)
            #expect(counts?["rejected"]?.integer == 1)
            let text = try await site.read("status")
            #expect(text.output.contains("9, 1 rejected"), "\(text)")
        }
    }

    /// The children of each thread of a program; see proc_pid_task(5).
    private func children(of program: Program) throws -> [UInt8] {
        let threads = try Directory(opening: "/proc/\(program.pid)/task")
        return try threads.textNames().flatMap { try threads.read("\($0)/children") ?? [] }
    }

    @Test func theDaemonMakesThumbnailsAndThenHasNoChild() async throws {
        try await withSite { site in
            let program = try site.start(["run"] + site.settings())
            defer { program.signal(SIGTERM) }

            try await polled { try thumbnails(site).count >= 11 ? () : nil }
            try await polled { try children(of: program).isEmpty ? () : nil }
            #expect(try await program.stop().signal == nil)
        }
    }
}
