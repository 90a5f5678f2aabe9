import Glibc
import Mirror
import Simulator
import Testing

extension WholeProgram {
    /// Signals end other commands at once, with the exit status of the signal.
    @Suite(.timeLimit(.minutes(10))) struct SignalTests {
        @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
        func theSimulatorEndsWithItsTerminal(signal: Int32) async throws {
            try await withSite { site in
                let program = try Program(
                    [Program.simulator, "serve", "--days", "3"], environment: [:])
                try await program.output.wait(for: "http://")
                program.signal(signal)
                let ending = try await program.end()

                #expect(ending.code == (signal == SIGTERM ? 0 : 128 + signal), "\(ending)")
            }
        }

        /// nohup(1) ignores SIGHUP, and a shell without job control SIGINT of its commands in the background.
        @Test(arguments: [(SIGHUP, "HUP"), (SIGINT, "INT")])
        func anIgnoredSignalStaysIgnored(signal: Int32, name: String) async throws {
            try await withSite { site in
                let script = "trap '' \(name); exec \"$0\" serve --days 3"
                let program = try Program(
                    ["bash", "-c", script, Program.simulator], environment: [:])
                try await program.output.wait(for: "http://")
                program.signal(signal)
                program.signal(SIGTERM)
                let ending = try await program.end()

                #expect(ending.code == 0, "\(ending)")
            }
        }

        /// It waits for a pipe that is full.
        @Test func aPreviewEndsWithItsTerminal() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                let script = """

                    cd '\(site.folder)' && mkfifo full && exec 8<>full && head -c 65536 /dev/zero >&8
                    timeout --preserve-status --kill-after=60 1 \
                        '\(Program.path)' run --once --dry-run --root '\(site.root)' >full
                    """

                let ending = try await Program(
                    ["bash", "-c", script], environment: ["HOME": site.home]
                ).end()

                #expect(ending.code == 128 + SIGTERM, "\(ending)")
            }
        }

        @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
        func doctorEndsWithItsTerminal(signal: Int32) async throws {
            try await withSite { site in
                site.simulator.inject(.hang, on: .any, times: nil)
                var arrivals = site.simulator.arrivals().makeAsyncIterator()
                let program = try site.start([
                    "doctor", "--root", site.root, "--upstream",
                    site.simulator.basicAddress,
                ])
                _ = await arrivals.next()
                program.signal(signal)
                let ending = try await program.end()

                #expect(ending.code == 128 + signal, "\(ending)")
            }
        }
    }
}
