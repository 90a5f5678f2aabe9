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
