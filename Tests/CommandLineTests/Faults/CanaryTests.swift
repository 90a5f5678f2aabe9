import APOD
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// No target of a link in `favorites/` causes access outside of the tree.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Trace.isPossible)) struct CanaryTests {
        /// A single sync, and the first scans of a daemon that creates a mirror.
        enum Way: CaseIterable {
            case once, daemon
        }

        /// Names in `favorites/`, and their targets.
        private static let links = [
            ("shadow", "/etc/shadow"), ("mine", "/proc/self/fd/1"), ("up", "../../.."),
            ("root", "/"), ("zero", "/dev/zero"), ("loop", "loop"),
            ("file", "../../canary/secret.jpg"),
            ("folder", "../../canary"), ("inside", "folder/secret.jpg"),
            ("dated", "../../canary/2026-11-01.jpg"), ("copy of dated", "dated"),
            ("mirrored", "../../canary/pictures/2020/2020-01/2020-01-02 X.jpg"),
        ]

        @Test(arguments: Way.allCases)
        func linksToOutsideAreNeverFollowed(way: Way) async throws {
            try await withSite { site in
                if way == .once { #expect(try await site.mirror().code == 0) }
                let canary = try Canary(in: site)
                let before = canary.state
                try fill(site)

                let trace = try await trace(site, way)

                #expect(canary.state == before)
                #expect(trace.calls(on: "\(site.root)/favorites").count > 5)
                for place in ["/canary", "/etc/shadow", "/dev/zero"] {
                    #expect(trace.calls(on: place) == [])
                }
                for name in Self.links.map(\.0) { #expect(trace.callsThrough(name) == []) }
                for (name, target) in Self.links where name != "mirrored" {
                    #expect(try Self.favorites(site)?.target(of: name) == target)
                }
            }
        }

        private static func favorites(_ site: Site) throws -> Directory? {
            try Directory(opening: site.root).folder("favorites")
        }

        private func fill(_ site: Site) throws {
            let folder = try Directory(opening: site.folder).makeDirectory("apod/favorites")
            for (name, target) in Self.links { try folder.symlink(name, to: target) }
            try site.write(
                "[Desktop Entry]\nType=Link\nURL=file://\(site.folder)/canary/secret.jpg\n",
                to: "apod/favorites/secret.desktop")
            unsafe mkfifo("\(site.root)/favorites/fifo", 0o644)
            // /dev/null once more; without root there is none.
            unsafe mknod("\(site.root)/favorites/device", S_IFCHR | 0o644, 0x103)
        }

        private func trace(_ site: Site, _ way: Way) async throws -> Trace {
            let file = "\(site.folder)/calls"
            let words = (way == .once ? ["run", "--once"] : ["run"]) + site.settings()
            let program = try Program(
                Trace.prefix(to: file) + [Program.path] + words, environment: ["HOME": site.home])
            if way == .daemon {
                try await program.errors.wait(for: "downloaded 10 days")
                program.signal(SIGTERM)
            }
            #expect(try await program.end().signal == nil)
            return try Trace(of: file)
        }
    }
}
