import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What the daemon does while one file takes minutes, or while it reads all files.
    @Suite(.timeLimit(.minutes(10))) struct SlowFileTests {
        /// With one slot for downloads, which the slow file would keep.
        @Test func aReloadANewDayAndAFavoriteDoNotWaitForASlowFile() async throws {
            try await withSite(days: 14) { site in
                site.simulator.newest = Site.day(1)
                let slow = Site.day(9)
                try site.simulator.sendSlowly(slow)
                let requests = site.simulator.arrivals()
                let socket = try NotifySocket("\(site.folder)/notify")
                let program = try site.start(
                    ["run", "--jobs", "1"] + site.settings(),
                    environment: ["NOTIFY_SOCKET": socket.address])
                for await request in requests where request.kind == .media && request.day == slow {
                    break
                }

                site.simulator.newest = Site.today
                program.signal(SIGHUP)
                let root = try Directory(opening: site.root)
                _ = try await polled { try root.status(Layout.recordPath(of: Site.today)) }
                _ = try await site.read("favorites", "add", "\(Site.day(12))")
                _ = try await polled { try root.status(Layout.recordPath(of: Site.day(12))) }
                #expect(try site.record(of: slow) == nil)
                try await socket.wait(for: "1 day under way")

                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().incoming == [])
                let count = site.simulator.requests.count { $0.kind == .media && $0.day == slow }
                #expect(count == 1)
                site.simulator.clearFaults()
                #expect(try await site.mirror().code == 0)
                #expect(try root.status(Layout.recordPath(of: slow)) != nil)
            }
        }

        /// A file of two gigabytes, mostly a hole, takes seconds to be read.
        @Test func aReloadDoesNotWaitForTheVerification() async throws {
            try await withMirroredSite { site in
                let (picture, record) = (
                    try site.picture(of: Site.day(5)), Layout.recordPath(of: Site.day(5))
                )
                let size = Layout.largestFile
                let enlarged = try await site.shell(
                    "cd $APOD_MIRROR_ROOT && truncate -s \(size) '\(picture)' && "
                        + "sed -i '0,/\"bytes\": [0-9]*/s//\"bytes\": \(size)/' '\(record)' && "
                        + "grep -c '\"bytes\": \(size)' '\(record)'")
                #expect(enlarged.code == 0, "\(enlarged)")
                let socket = try NotifySocket("\(site.folder)/notify")
                let program = try site.start(
                    ["run", "--thumbnails", "no"] + site.settings(),
                    environment: ["NOTIFY_SOCKET": socket.address])
                try await socket.wait(for: "0 days missing")
                site.simulator.resetLog()
                program.signal(SIGHUP)
                let _: Bool = try await polled {
                    site.simulator.requests.contains { $0.kind == .newest } ? true : nil
                }

                // Written at the end of the verification.
                #expect(try Directory(opening: site.root).status(Layout.verify) == nil)
                #expect(try await program.stop().code == 0)
            }
        }
    }
}
