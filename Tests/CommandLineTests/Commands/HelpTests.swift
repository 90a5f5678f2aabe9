import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct HelpTests {
        static let commands = [
            "run", "status", "verify", "favorites", "show", "search", "history", "adopt",
            "doctor",
            "help", "version",
        ]

        @Test(arguments: [[], ["help"], ["--help"], ["-h"]])
        func helpListsEveryCommand(words: [String]) async throws {
            try await withSite { site in
                let ending = try await site.start(words).end()

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                for command in Self.commands {
                    #expect(ending.output.contains("  apod-mirror \(command) "))
                }
                #expect(ending.output.contains("Exit codes: 0 done"))
            }
        }

        @Test(arguments: commands)
        func helpOfEveryCommandIsTheSameBothWays(command: String) async throws {
            try await withSite { site in
                let ending = try await site.end("help", command)
                let other = try await site.end(command, "--help")
                let short = try await site.end(command, "-h", "whatever")

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                #expect(ending.output.hasPrefix("apod-mirror \(command)"))
                #expect(ending.output.contains("\nExit codes:\n  0  "))
                #expect(other.output == ending.output && other.code == 0, "\(other)")
                #expect(short.output == ending.output && short.code == 0, "\(short)")
            }
        }

        @Test func helpListsTheOptionsOfTheCommandOnly() async throws {
            try await withSite { site in
                let run = try await site.end("run", "--help").output
                let show = try await site.end("show", "--help").output

                #expect(run.contains("  --since 30d|DATE|all "))
                #expect(run.contains("APOD_MIRROR_SINCE; default: 30d\n"))
                #expect(run.contains("  -q, --quiet "))
                let advanced = run.split(separator: "Advanced options:\n", maxSplits: 1).last
                    .map { $0.matches(of: /(?m)^  (--[a-z-]+)/).map { String($0.1) } }
                #expect(advanced == ["--feed", "--jobs", "--pace", "--recheck"], "\(run)")
                #expect(run.contains("Examples:\n  apod-mirror run --once"))
                #expect(run.contains(/\n  6 +disk full/))
                #expect(show.contains("  --json ") && !show.contains("--since"))
                #expect(!show.contains("\n  6 "))
            }
        }

        @Test func everyLineFitsA80ColumnTerminal() async throws {
            for program in [Program.path, Program.simulator] {
                let all = try await Program([program, "help"], environment: [:]).end().output
                let commands = all.matches(of: /(?m)^  apod-mirror[a-z-]* ([a-z]+)/).map(\.1)
                #expect(commands.count >= 4)
                for command in commands {
                    let help = try await Program(
                        [program, "help", String(command)], environment: [:]
                    ).end().output
                    let lines = (all + help).split(separator: "\n")
                    #expect(lines.filter { $0.count > 80 } == [])
                }
            }
        }

        @Test func helpListsTheActionsOfFavorites() async throws {
            try await withSite { site in
                let help = try await site.end("favorites", "add", "--help").output

                for action in ["list", "add", "remove", "restore", "export", "import"] {
                    #expect(help.contains("\n  favorites \(action)"))
                }
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
