import CommandLine
import Testing

@testable import apod_mirror

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct HelpTests {
        static let commands = Command.allCases.map(\.rawValue)

        @Test func helpIsTheSameInEachForm() async throws {
            try await withSite { site in
                let all = try await site.end("help")
                for words in [[], ["--help"], ["-h"]] {
                    let ending = try await site.start(words).end()
                    #expect(ending.code == 0 && ending.output == all.output, "\(ending)")
                }
                let show = try await site.end("help", "show")
                for words in [["show", "--help"], ["show", "-h", "whatever"]] {
                    let ending = try await site.start(words).end()
                    #expect(ending.code == 0 && ending.output == show.output, "\(ending)")
                }
            }
        }

        /// What it leaves out, it names.
        @Test func theHelpOfRunFitsATerminalOf24Lines() async throws {
            let help = try await Program.run([Program.path, "run", "--help"]).output
            let all = try await Program.run([Program.path, "help", "run", "--all"]).output

            #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 24)
            #expect(help.contains("--since") && help.contains("apod-mirror help run --all"))
            for option in Command.run.options { #expect(all.contains(option.spelling)) }
            #expect(all.contains("APOD_MIRROR_JOBS") && all.contains("Exit codes:"))
        }

        @Test func everyLineFitsA80ColumnTerminal() async throws {
            for program in [Program.path, Program.simulator] {
                let all = try await Program.run([program, "help"]).output
                let commands = all.matches(of: /(?m)^  apod-mirror[a-z-]* ([a-z]+)/).map(\.1)
                #expect(commands.count >= 4)
                let more = program == Program.path ? ["--all"] : []
                for command in commands {
                    let words = [program, "help", String(command)]
                    let help = try await Program.run(words).output
                    let whole = try await Program.run(words + more).output
                    let lines = (all + help + whole).split(separator: "\n")
                    #expect(lines.filter { $0.count > 80 } == [])
                }
            }
        }
    }
}
