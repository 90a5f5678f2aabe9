import APOD
import Glibc
import Mirror
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct RunOnceTests {
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func anInterruptedRunIsReportedAndCanContinue(signal: Int32) async throws {
            try await withSite { site in
                let hanging = Site.day(5)
                site.simulator.inject(.hang, on: .mediaOf(hanging), times: nil)
                let terminal = try Pseudoterminal(columns: 80)
                let program = try site.start(
                    ["run", "--once"] + site.settings(), terminal: terminal)
                try await program.errors.wait(for: "9 of 10 days")
                program.signal(signal)
                let ending = try await program.end()
                let before = try site.tree().complete
                await site.simulator.releaseRequests()
                site.simulator.resetLog()

                let next = try await site.mirror()

                #expect(ending.code == 128 + signal, "\(ending)")
                #expect(ending.errors.contains("apod-mirror: interrupted"))
                #expect(before.count == 9 && next.code == 0, "\(next)")
                let requested = site.simulator.requests.filter { $0.kind == .media }
                #expect(requested.map(\.day) == [hanging])
            }
        }

        @Test func runOnceRetriesRejectedDaysAtOnce() async throws {
            try await withSite { site in
                site.simulator.inject(.status(403, body: nil), on: .media, times: nil)
                let during = try await site.mirror()
                site.simulator.clearFaults()

                let after = try await site.mirror()

                #expect(during.code == 3 && after.code == 0, "\(during); \(after)")
            }
        }

        @Test func runOnceHonorsRetryAfter() async throws {
            try await withSite(days: 1) { site in
                site.simulator.inject(.throttled(retryAfter: "3600"), on: .media, times: nil)
                _ = try await site.mirror()
                site.simulator.clearFaults()
                site.simulator.resetLog()

                let ending = try await site.mirror()

                #expect(ending.code != 0, "\(ending)")
                #expect(site.simulator.requests.filter { $0.kind == .media } == [])
            }
        }

        @Test(arguments: [
            ("STATE_DIRECTORY", "/apod:/other", "/apod"), ("XDG_PICTURES_DIR", "/P", "/P/APOD"),
            ("HOME", "/home", "/home/Pictures/APOD"),
        ])
        func withoutARootTheDefaultDirectoryIsUsed(
            variable: String, value: String, place: String
        ) async throws {
            try await withSite { site in
                let words = ["run", "--once"] + site.settings().dropFirst(2)
                let path = site.folder + value.replacing(":", with: ":\(site.folder)")

                let ending = try await site.start(words, environment: [variable: path]).end()

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree(site.folder + place).complete.count == 10)
            }
        }

        /// A machine without a battery for its clock starts in 1970: its clock does not say which dates are wrong.
        @Test func aDateAfterTheNewestDayIsReportedAndNotRefused() async throws {
            try await withSite { site in
                let ending = try await site.mirror("--since", "2090-01-01")

                #expect(ending.code == 0, "\(ending)")
                #expect(
                    ending.errors.contains("--since 2090-01-01: NASA's newest day is \(Site.today)")
                )
                #expect(try site.tree().complete.isEmpty)
            }
        }
    }
}
