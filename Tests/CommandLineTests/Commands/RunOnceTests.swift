import APOD
import Glibc
import Mirror
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct RunOnceTests {
        /// The ways to name the feed of the simulated NASA.
        enum Naming: CaseIterable {
            case basic, automatic, bareOrigin

            func options(for simulator: Simulator) -> [String] {
                switch self {
                case .basic: ["--feed", "basic"]
                case .automatic: ["--feed", "auto"]
                case .bareOrigin: ["--feed", "auto", "--upstream", simulator.origin]
                }
            }
        }

        @Test(arguments: Naming.allCases)
        func aSecondRunSendsOneRequestAndWritesNothing(naming: Naming) async throws {
            try await withSite(days: 40) { site in
                func mirror() async throws -> Ending {
                    let options = naming.options(for: site.simulator) + ["--since", "35d"]
                    return try await site.start(["run", "--once"] + site.settings() + options).end()
                }
                let first = try await mirror()
                let before = try site.tree().lasting
                site.simulator.resetLog()

                let second = try await mirror()

                #expect(first.code == 0 && second.code == 0, "\(first); \(second)")
                #expect(site.simulator.requests.map(\.kind) == [.newest])
                #expect(try site.tree().lasting == before)
            }
        }

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
            try await withSite { site in
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
            ["STATE_DIRECTORY": "FOLDER/apod:FOLDER/other"],
            ["XDG_PICTURES_DIR": "FOLDER/Pictures"],
            ["HOME": "FOLDER/home"],
        ])
        func withoutARootTheDefaultDirectoryIsUsed(variables: [String: String]) async throws {
            let places = [
                "STATE_DIRECTORY": "apod", "XDG_PICTURES_DIR": "Pictures/APOD",
                "HOME": "home/Pictures/APOD",
            ]
            try await withSite { site in
                let words = ["run", "--once"] + site.settings().dropFirst(2)
                let ending = try await site.start(
                    words,
                    environment: variables.mapValues { $0.replacing("FOLDER", with: site.folder) }
                ).end()

                let place = try #require(variables.keys.first.flatMap { places[$0] })
                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree("\(site.folder)/\(place)").complete.count == 10)
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
