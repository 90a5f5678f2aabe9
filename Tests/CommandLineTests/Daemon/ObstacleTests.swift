import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What keeps all days away is said everywhere: the log, the status line of systemd, `status` and its exit code.
    @Suite(.timeLimit(.minutes(10))) struct ObstacleTests {
        /// Expects that `status` has an obstacle of `kind` in each of its forms, and ends with `code`.
        private func expect(
            _ kind: Obstacle.Kind, _ text: String, code: Int32, of site: Site
        ) async throws {
            let words = try await site.read("status")
            let json = try await site.read("status", "--json")
            let metrics = try await site.read("status", "--metrics")
            let report = try await site.read("status", "--report")

            for ending in [words, json, metrics, report] {
                #expect(ending.code == code, "\(ending)")
            }
            #expect(words.output.contains("\nobstacle    \(kind), "), "\(words)")
            #expect(words.output.contains(text), "\(words)")
            let obstacle = try json.json["obstacle"]
            #expect(obstacle?["kind"]?.string == kind.rawValue, "\(json)")
            #expect(obstacle?["text"]?.string?.contains(text) == true, "\(json)")
            #expect(obstacle?["since"]?.string?.hasSuffix("Z") == true, "\(json)")
            #expect(try json.json["health"]?.string == "obstructed", "\(json)")
            for other in Obstacle.Kind.allCases {
                let line = #/\napod_mirror_obstacle_([a-z]+)\{.*\} ([01])\n/#
                let values = metrics.output.matches(of: line)
                    .filter { $0.1 == other.rawValue }.map { $0.2 }
                #expect(values == [other == kind ? "1" : "0"], "\(metrics)")
            }
            #expect(report.output.contains("obstacle: \(kind)\n"), "\(report)")
        }

        private func expectNone(of site: Site) async throws {
            let status = try await site.read("status", "--json")
            #expect(try status.code == 0 && status.json["obstacle"] == .null, "\(status)")
        }

        @Test func tooLittleSpaceIsSaidByTheDaemonAndByStatus() async throws {
            try await withMirroredSite { site in
                site.simulator.resetLog()
                let socket = try NotifySocket("@\(site.folder)")
                let daemon = try site.start(
                    ["run"] + site.settings() + ["--thumbnails", "no", "--min-free", "900000TiB"],
                    environment: ["NOTIFY_SOCKET": socket.address])
                let text = "--min-free 900000TiB: "
                try await socket.wait(for: ", space: \(text)")

                try await expect(.space, text, code: 6, of: site)
                let ending = try await daemon.stop()

                let lines = ending.errors.split(separator: "\n").filter { $0.contains(text) }
                #expect(lines.count == 1, "\(ending)")
                #expect(lines.first?.contains("are free, nothing is downloaded") == true)
                #expect(site.simulator.requests == [])
                #expect(try await site.mirror().code == 0)
                try await expectNone(of: site)
            }
        }

        @Test func anUnreachableNASAIsAnObstacleUntilASyncReachesIt() async throws {
            try await withMirroredSite { site in
                site.simulator.inject(.refuse, on: .any, times: nil)
                #expect(try await site.mirror().code == 7)

                try await expect(.network, "no response from ", code: 7, of: site)

                site.simulator.clearFaults()
                #expect(try await site.mirror().code == 0)
                try await expectNone(of: site)
            }
        }

        /// As after a restore without chown.
        ///
        /// The command in the message leaves favorites/ to its group.
        @Test(.enabled(if: mayBecomeOthers, "gives a mirror away"))
        func picturesThatTheServiceMayNotWriteAreAnObstacle() async throws {
            try await withMirroredSite { site in
                let user = 65_534
                let words =
                    ["run", "--once"] + site.settings() + ["--since", "20d", "--thumbnails", "no"]
                let owned = try await site.shell(
                    "chmod 755 .. . '\(site.folder)' && chown -R \(user) '\(site.root)'"
                        + " && chown -R root '\(site.root)/pictures'"
                        + " && chgrp 100 '\(site.root)/favorites'")
                #expect(owned.code == 0, "\(owned)")
                site.simulator.resetLog()

                let ending = try await site.end(words, asUser: user)

                let lines = ending.sentences.filter { !$0.contains("mirrors on unmounted disks") }
                #expect(ending.code == 4 && lines.count == 1, "\(ending)")
                let remedy = lines.first?.split(separator: "“").last?.split(separator: "”").first
                #expect(remedy?.hasPrefix("chown -R ") == true, "\(ending)")
                #expect(site.simulator.requests == [])
                try await expect(
                    .rights, " may not write in \(site.root)/pictures", code: 4, of: site)
                // The next cause of the same kind.
                let changed = try await site.shell(
                    "cd '\(site.root)' && chown -R \(user) pictures && chown -R root metadata")
                #expect(changed.code == 0, "\(changed)")
                #expect(try await site.end(words, asUser: user).code == 4)
                try await expect(
                    .rights, " may not write in \(site.root)/metadata", code: 4, of: site)
                let remedied = try await site.shell(
                    "\(remedy ?? "false") && stat --format %g '\(site.root)/favorites'")
                #expect(remedied.output == "100\n", "\(remedied)")
                #expect(try await site.end(words, asUser: user).code != 4)
                #expect(try await site.read("status", "--json").json["obstacle"] == .null)
            }
        }

        @Test(.enabled(if: DiskFullTests.mayMount)) func aDiskWithoutInodesIsNamed() async throws {
            try await withMirroredSite { site in
                let copy = "\(site.folder)/copy"
                let run = [Program.path, "run", "--once"] + site.settings(root: copy)
                let ending = try await Program.run(
                    [
                        "unshare", "-Urm", "sh", "-c",
                        """
                        mkdir \(copy) && mount -t tmpfs none \(copy) && cp -a \(site.root)/. \(copy)/ || exit 99
                        used=$(df --output=iused \(copy) | tail -n 1)
                        mount -o remount,nr_inodes=$((used)) none \(copy) || exit 98
                        for words in '\(run.dropFirst().joined(separator: " ")) -q' 'status --root \(copy)' \\
                            'doctor --offline --root \(copy)'; do
                            \(Program.path) $words 2>&1 | grep 'no inodes are free' | grep -vc 'in the future'
                            \(Program.path) $words >/dev/null 2>&1; echo $?
                        done
                        """,
                    ], environment: ["HOME": site.home])

                #expect(ending.output == "1\n6\n1\n6\n1\n1\n", "\(ending)")
            }
        }
    }
}
