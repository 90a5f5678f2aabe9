import APOD
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct TerminalTests {
        @Test func theProgressBarIsRemovedAtTheEnd() async throws {
            try await withSite { site in
                let last = Site.day(5)
                site.simulator.inject(.hang, on: .mediaOf(last), times: nil)
                let terminal = try Pseudoterminal(columns: 100)
                let program = try site.start(
                    ["run", "--once"] + site.settings(), terminal: terminal)

                try await program.errors.wait(for: "9 of 10 days")
                await site.simulator.releaseRequests()
                let ending = try await program.end()

                #expect(ending.code == 0 && ending.output == "", "\(ending)")
                let bars = ending.errors.split(separator: "\r").filter {
                    $0.contains("9 of 10 days")
                }
                let bar = try #require(bars.first)
                #expect(bar.hasPrefix("[####") && bar.contains("-] 9 of 10 days  "))
                #expect(bar.contains(/days  \d+(\.\d)? kB  \d+(\.\d)? [kM]?B\/s/))
                #expect(bar.replacing("\u{1b}[K", with: "").count < 100)
                let screen = Pseudoterminal.screen(after: ending.errors)
                #expect(
                    screen.count == 1
                        && screen[0].hasPrefix("10 of 10 days complete; downloaded: 10 ("))
            }
        }
    }
}
