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

        @Test func everyLineFitsA80ColumnTerminal() async throws {
            for program in [Program.path, Program.simulator] {
                let all = try await Program.run([program, "help"]).output
                let commands = all.matches(of: /(?m)^  apod-mirror[a-z-]* ([a-z]+)/).map(\.1)
                #expect(commands.count >= 4)
                for command in commands {
                    let help = try await Program.run([program, "help", String(command)]).output
                    let lines = (all + help).split(separator: "\n")
                    #expect(lines.filter { $0.count > 80 } == [])
                }
            }
        }
    }
}
