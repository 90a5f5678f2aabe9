import APOD
import Glibc
import Mirror
import Platform
import Service
import Simulator
import TestSupport
import Testing
import Transfer

extension WholeProgram {
    /// A new mirror, which is created after NASA's first answer.
    @Suite(.timeLimit(.minutes(10))) struct FirstAnswerTests {
        @Test(arguments: [Fault.refuse, .html])
        func aSyncThatGetsNoAnswerLeavesNothing(fault: Fault) async throws {
            try await withSite { site in
                site.simulator.inject(fault, on: .any, times: nil)

                let ending = try await site.mirror()

                #expect(ending.code == 7, "\(ending)")
                #expect(ending.sentences.count == 1, "\(ending)")
                #expect(try Directory(opening: site.folder).names() == [])
            }
        }

        @Test func theDaemonWaitsForTheFirstAnswerAndRepeatsTheRequestOnReload() async throws {
            try await withSite { site in
                site.simulator.inject(.refuse, on: .any, times: nil)
                let program = try site.start(["run"] + site.settings())
                try await program.errors.wait(for: "before NASA answers")
                #expect(try !Directory(opening: site.folder).textNames().contains("apod"))
                for words in [["status"], ["favorites", "add", "latest"], ["show", "latest"]] {
                    let ending = try await site.read(words)

                    #expect(ending.code == 4, "\(words): \(ending)")
                    #expect(ending.errors.contains("process \(program.pid), "), "\(ending)")
                    #expect(ending.errors.contains("NASA's first answer: "), "\(ending)")
                }

                site.simulator.clearFaults()
                program.signal(SIGHUP)
                try await program.errors.wait(for: "downloaded 10 days")
                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().complete.count == 10)
            }
        }

        @Test func aPauseThatTheServerAsksForHoldsForTheNextAttempt() async throws {
            try await withSite { site in
                site.simulator.inject(.throttled(retryAfter: "3600"), on: .any, times: nil)
                var settings = Settings(root: site.root)
                settings.upstream = try WebURL(site.simulator.basicAddress)
                let request = FirstRequest(settings, noteFile: ServiceNoteFile([:]))

                for _ in 1...2 {
                    await #expect(throws: FeedError.self) { try await request.send() }
                }

                #expect(site.simulator.requests.count == 1)
            }
        }
    }
}
