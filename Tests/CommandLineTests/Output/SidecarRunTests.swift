import APOD
import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import Testing

/// XMP sidecars written by the program.
@Suite(.timeLimit(.minutes(10))) struct SidecarRunTests {
    private func sidecar(of day: Day, in site: Site) throws -> String? {
        let tree = try site.tree()
        return tree.sidecars.first { $0.contains("/\(day) ") }
            .flatMap { tree.files[$0] }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Waits for the work of the daemon on a file.
    private func wait(until isDone: () throws -> Bool) async throws {
        _ = try await polled { try isDone() ? true : nil }
    }

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

    @Test func theDaemonFollowsFavoritesAndEdits() async throws {
        try await withSite(days: 3) { site in
            let daemon = try site.start(["run", "--sidecars"] + site.settings())
            try await wait { try sidecar(of: Site.today, in: site) != nil }
            _ = unsafe symlink("../latest.jpg", "\(site.root)/favorites/mine")
            try await wait { try sidecar(of: Site.today, in: site)?.contains("Rating>5<") == true }
            try site.simulator.edit(Site.today) { $0.title = "Another title" }
            daemon.signal(SIGHUP)
            try await wait {
                try sidecar(of: Site.today, in: site)?.contains("Another title") == true
            }
            #expect(try await daemon.stop().code == 0)
            #expect(try sidecar(of: Site.today, in: site)?.contains("Rating>5<") == true)
        }
    }
}
