import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(1))) struct HelpTests {
        static let verbs = [
            "run", "status", "show", "search", "demo", "simulate", "help", "version",
        ]

        @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
        func itNamesEveryVerb(words: [String]) async throws {
            try await withSite { site in
                let ending = try await site.start(words).end()

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                for verb in Self.verbs { #expect(ending.output.contains("  apod-mirror \(verb) ")) }
                #expect(ending.output.contains("Exit codes: 0 done"))
            }
        }

        @Test(arguments: verbs)
        func everyVerbHasOne(verb: String) async throws {
            try await withSite { site in
                let ending = try await site.end("help", verb)

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                #expect(ending.output.hasPrefix("apod-mirror \(verb)"))
            }
        }

        @Test(arguments: ["version", "--version"])
        func theVersionIsOneLine(word: String) async throws {
            try await withSite { site in
                let ending = try await site.end(word)

                #expect(ending.code == 0)
                #expect(ending.output.wholeMatch(of: /apod-mirror \d+\.\d+\.\d+\n/) != nil)
            }
        }
    }
}
