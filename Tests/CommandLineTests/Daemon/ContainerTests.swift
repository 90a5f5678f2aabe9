import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// The mirror as the Dockerfile starts it, without an image.
    @Suite(.timeLimit(.minutes(10))) struct ContainerTests {
        /// Starts `run` with further options by the entry point of the image; `launcher` begins its command line.
        private func start(
            _ site: Site, _ options: [String], environment: [String: String],
            by launcher: [String] = []
        ) throws -> Program {
            let text = try #require(try Directory(opening: sourceTree).read("Dockerfile"))
            let entry = try #require(
                String(decoding: text, as: UTF8.self).firstMatch(of: #/\nENTRYPOINT (\[.*\])\n/#))
            let words = try JSON(parsing: Array(String(entry.1).utf8)).elements
            try site.makeTool("apod-mirror", "exec '\(Program.path)' \"$@\"")
            let command = launcher + words.compactMap(\.string)
            let settings = ["run", "--thumbnails", "no"] + site.settings() + options
            var variables = environment
            variables["PATH"] = "\(site.tools):/usr/bin:/bin"
            variables["HOME"] = site.home
            return try Program(command + settings, environment: variables)
        }

        /// The people of a NAS have other users than the container.
        @Test(arguments: [(nil, 0o775), ("000", 0o777), ("022", 0o755)] as [(String?, UInt32)])
        func favoritesAloneIsOpenedAsTheUmaskSays(umask: String?, mode: UInt32) async throws {
            try await withSite { site in
                let ending = try await start(
                    site, ["--once"], environment: umask.map { ["UMASK": $0] } ?? [:]
                ).end()

                #expect(ending.code == 0, "\(ending)")
                let modes = ["favorites": mode, "pictures": 0o755, Layout.favoriteStore: 0o755]
                for (path, mode) in modes {
                    let folder = try #require(try Directory(opening: site.root).folder(path))
                    #expect(try folder.permissions().mode == mode, "\(path)")
                }
            }
        }

        /// The first child of the main thread of `process`; `nil` if there is none.
        private func child(of process: pid_t) throws -> pid_t? {
            let bytes = try Directory(opening: "/proc/\(process)/task/\(process)").read("children")
            let text = String(decoding: bytes ?? [], as: UTF8.self)
            return text.split(separator: " ").first.flatMap { pid_t($0) }
        }

        private static let launcher = ["unshare", "-Urp", "--fork", "--kill-child", "--mount-proc"]
        private static let mayUnshare =
            unsafe system("\(launcher.joined(separator: " ")) true 2>/dev/null") == 0

        /// As with “docker run --volumes-from”: the command has the ID and the name that the daemon had.
        @Test(.enabled(if: mayUnshare, "needs a namespace of processes"), arguments: [true, false])
        func aCommandThatIsTheFirstProcessIsNotTakenForAKilledDaemon(
            isBesideDaemon: Bool
        ) async throws {
            try await withMirroredSite(days: 1) { site in
                let container = try start(site, [], environment: [:], by: Self.launcher)
                _ = try await polled {
                    try await site.read("status", "--json").json["next_sync"]?.string
                }
                let first = try #require(try child(of: container.pid))
                if !isBesideDaemon {
                    kill(first, SIGKILL)
                    _ = try await container.end()
                }
                func read(_ words: String...) async throws -> Ending {
                    try await site.command(
                        Self.launcher + [Program.path] + words + ["--root", site.root])
                }

                let status = try await read("status")
                let doctor = try await read("doctor", "--offline")
                if isBesideDaemon { kill(first, SIGTERM) }

                for ending in [status, doctor] {
                    #expect(!ending.output.contains("exchanged"), "\(ending)")
                }
                let running = isBesideDaemon ? "\nrunning     yes" : "\nrunning     no\n"
                #expect(status.output.contains(running), "\(status)")
                #expect(
                    doctor.output.contains("ended without a word") == !isBesideDaemon, "\(doctor)")
            }
        }

        /// There it is the first process: what the command leaves running becomes its child.
        @Test(.enabled(if: mayUnshare, "needs a namespace of processes"))
        func theCommandOfANewDayRunsThereAndNothingThatHasEndedIsLeft() async throws {
            try await withSite(days: 3) { site in
                site.simulator.newest = Site.day(1)
                // The second time, the container is stopped while the command runs.
                let command = """
                    if [ "$APOD_DATE" = \(Site.day(1)) ]; then sleep 600 & exit 0; fi; \
                    set -- /proc/[0-9]*; echo $# > '\(site.folder)/processes'; kill -TERM 1; sleep 600
                    """
                let container = try start(
                    site, [], environment: ["APOD_MIRROR_ON_NEW": command], by: Self.launcher)
                try await container.errors.wait(for: "--on-new: done, for \(Site.day(1))\n")
                let first = try #require(try child(of: container.pid))
                // What the command has left in the background still runs, and ends now.
                let background = try #require(try child(of: first))
                kill(background, SIGKILL)
                _ = try await polled {
                    let status = try Directory(opening: "/proc/\(background)").read("stat") ?? []
                    return String(decoding: status, as: UTF8.self).contains(") Z ") ? true : nil
                }
                site.simulator.newest = Site.today
                kill(first, SIGHUP)

                let ending = try await container.end()

                #expect(ending.code == 0, "\(ending)")
                #expect(
                    ending.errors.contains(
                        "--on-new: stopped, again with the next sync, for \(Site.today)\n"),
                    "\(ending)")
                // The first one, and the shell of the command.
                let count = try Directory(opening: site.folder).read("processes")
                #expect(count == Array("2\n".utf8))
            }
        }
    }
}
