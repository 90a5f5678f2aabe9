import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

/// XMP sidecars written by the program.
@Suite(.timeLimit(.minutes(10))) struct SidecarRunTests {
    @Test func withoutTheOptionSidecarsAreNotChanged() async throws {
        try await withSite(days: 2) { site in
            _ = try await site.mirror(environment: ["APOD_MIRROR_SIDECARS": "yes"])
            let before = try site.traces("apod/pictures")
            try site.simulator.edit(Site.today) { $0.title = "Another title" }

            _ = try await site.mirror()

            #expect(try site.tree().sidecars.count == 2)
            #expect(try site.traces("apod/pictures") == before)
            let verify = try await site.read("verify")
            #expect(verify.code == 0 && !verify.output.contains("xmp"), "\(verify)")
        }
    }
}
