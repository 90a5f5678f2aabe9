import Testing

extension WholeProgram {
    /// `apod-mirror-simulator`, its commands, and its manual page.
    @Suite(.timeLimit(.minutes(10))) struct SimulatorCommandTests {
        static let commands = ["serve", "demo", "help", "version"]

        private func end(_ words: [String]) async throws -> Ending {
            try await Program.run([Program.simulator] + words)
        }

        @Test func theManualPageListsEverythingOfTheHelp() async throws {
            func found(_ pattern: Regex<(Substring, Substring)>, in text: String) -> Set<String> {
                Set(text.matches(of: pattern).map { String($0.1) })
            }
            let help = try await end(["help", "serve"]).output
            let path = try #require(ManualTests.pages.last)
            let page = try await Program.run(["cat", path]).output

            let all = try await end([])
            #expect(all.code == 0 && all.errors == "", "\(all)")
            #expect(found(#/(?m)^\.It Cm ([a-z]+)/#, in: page) == Set(Self.commands))
            #expect(
                found(#/(?m)^  apod-mirror-simulator ([a-z]+) /#, in: all.output)
                    == Set(Self.commands))
            #expect(
                found(#/(?m)^\.It Fl Fl ([a-z-]+)/#, in: page)
                    == found(#/(?m)^  --([a-z-]+)/#, in: help))
            #expect(
                found(#/(APOD_MIRROR_[A-Z_]+)/#, in: page)
                    == found(#/(APOD_MIRROR_[A-Z_]+)/#, in: help))
        }
    }
}
