import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

/// XMP sidecars written by the program.
@Suite(.timeLimit(.minutes(10))) struct SidecarRunTests {
    @Test func withoutTheOptionSidecarsThatNobodyChangedAreRemoved() async throws {
        try await withSite(days: 2) { site in
            _ = try await site.mirror(environment: ["APOD_MIRROR_SIDECARS": "yes"])
            let sidecars = try site.tree().sidecars
            #expect(sidecars.count == 2)
            let changed = try site.picture(of: Site.today) + ".xmp"
            try site.write("<mine/>", to: "apod/\(changed)")

            _ = try await site.mirror()

            #expect(try site.tree().sidecars == [changed])
            #expect(try site.tree().files[changed] == Array("<mine/>".utf8))
            let verify = try await site.read("verify")
            #expect(verify.code == 0 && !verify.output.contains("xmp"), "\(verify)")
        }
    }
}
