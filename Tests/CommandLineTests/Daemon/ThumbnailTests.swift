import APOD
import Glibc
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
            try site.simulator.edit(day) {
                $0.media = .picture(SimulatedPicture(name: "p.png", source: .bytes(panorama)))
            }

            let ending = try await site.mirror(thumbnails: true)

            #expect(ending.code == 0, "\(ending)")
            #expect(ending.errors.contains("cannot decode the picture: 30000 x 20000 pixels"))
            #expect(try site.tree().files[site.picture(of: day)] == panorama)
            #expect(try thumbnails(site).count == 10)
            let status = try await site.read("status")
            #expect(status.output.contains("9, 1 rejected"), "\(status)")
        }
    }
}
