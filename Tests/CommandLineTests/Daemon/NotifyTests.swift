import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// The notifications to the service manager, which these tests simulate.
    @Suite(.timeLimit(.minutes(10))) struct NotifyTests {
        private func link(_ site: Site, _ index: Int) throws {
            let picture = try site.tree().pictures[index]
            try Directory(opening: site.root).makeDirectory("favorites")
                .symlink("\(index).jpg", to: "../\(picture)")
        }

        private func start(_ site: Site, _ socket: NotifySocket) throws -> Program {
            try site.start(
                ["run"] + site.settings(), environment: ["NOTIFY_SOCKET": socket.address])
        }

        /// NASA answers nothing, which does not delay it; a person has asked for more days than there are, and their first
        /// sync may take hours.
        @Test func readyMeansFavoritesAndSettingsAreKnownAndFavoritesWatched() async throws {
            try await withSite { site in
                _ = try await site.mirror("--since", "3d")
                site.simulator.inject(.hang, on: .any, times: nil)
                try link(site, 0)
                let socket = try NotifySocket("@\(site.folder)")
                let program = try start(site, socket)
                try await socket.wait(for: "READY=1")

                let files = try site.tree().files
                #expect(files["\(Layout.own)/favorites/\(Site.day(2)).json"] != nil)
                for file in [Layout.lock, Layout.lockNotice] {
                    #expect(files[file] == Array("\(program.pid) daemon\n".utf8))
                }
                let lines = socket.messages.prefix { $0 != "READY=1" }
                    .filter { $0.hasPrefix("STATUS=") }
                let start = "STATUS=newest \(Site.today)"
                #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix(start) }, "\(lines)")
                let status = try await site.read("status", "--json")
                #expect(status.code == 3, "\(status)")
                let json = try status.json
                #expect(json["wanted"]?.integer == 10 && json["complete"]?.integer == 3)
                // The watch is set: later changes are detected.
                try link(site, 1)
                try await socket.wait(for: "2 favorites")
                #expect(socket.count(of: "READY=1") == 1)
                program.signal(SIGTERM)
                await site.simulator.releaseRequests()
            }
        }

        /// Such as “favorites add”, at the time when the machine starts.
        @Test func aDaemonWaitsForACommandThatWritesTheMirror() async throws {
            try await withMirroredSite(days: 2) { site in
                let known = KnownMirrors(environment: [:])
                var tree: Tree? = try Tree.writing(site.root, known: known)
                let socket = try NotifySocket("@\(site.folder)/waiting")
                let program = try start(site, socket)
                // This process is none of the program's, so that its number is not named.
                try await socket.wait(
                    for: "waiting for the lock of the mirror, held by another process")
                #expect(socket.count(of: "READY=1") == 0)
                withExtendedLifetime(tree) {}
                tree = nil

                try await socket.wait(for: "READY=1")
                let ending = try await program.stop()
                #expect(ending.code == 0, "\(ending)")
            }
        }

        @Test func aReloadAndItsEndAreNotified() async throws {
            try await withMirroredSite { site in
                let socket = try NotifySocket("\(site.folder)/notify")
                let program = try start(site, socket)
                try await socket.wait(for: "READY=1")
                try await socket.wait(for: "0 days missing")
                program.signal(SIGHUP)
                try await socket.wait(for: "READY=1", count: 2)
                program.signal(SIGTERM)
                try await socket.wait(for: "STOPPING=1")
                let ending = try await program.end()

                #expect(ending.code == 0, "\(ending)")
                let states = socket.messages.compactMap { $0.split(separator: "=").first }
                    .filter { ["READY", "RELOADING", "STOPPING"].contains($0) }
                #expect(states == ["READY", "RELOADING", "READY", "STOPPING"])
                let time = socket.messages.first { $0.hasPrefix("RELOADING") }
                #expect(time?.contains("\nMONOTONIC_USEC=") == true)
            }
        }
    }
}
