import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What a command cannot read for now, it reports: it concludes nothing from that.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: FaultShim.isPossible, "needs a C compiler"))
    struct LostReasonTests {
        // MARK: The support report

        @Test func theSupportReportSaysWhichFolderCannotBeCounted() async throws {
            try await withMirroredSite(days: 1) { site in
                let shim = try await FaultShim(for: site)
                let views = try await site.start(
                    ["status", "--report", "--root", site.root],
                    environment: shim.reads(of: "\(site.root)/\(Layout.views)", code: EIO)
                ).end()

                #expect(views.output.contains("views unreadable"), "\(views)")
            }
        }
    }
}
