import APOD
import Glibc
import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// The manual page and the documents match the program.
    @Suite(.timeLimit(.minutes(10))) struct ManualTests {
        static let pages = ["apod-mirror.1", "apod-mirror-simulator.1"].map {
            "\(sourceTree)/.install/\($0)"
        }

        private static func text(_ path: String) throws -> String {
            let bytes = try #require(try Directory(opening: sourceTree).read(path))
            return String(decoding: bytes, as: UTF8.self)
        }

        /// The help of a command: its options with their variables, and its exit codes.
        struct Help {
            let options: Set<String>
            let variables: Set<String>
            let codes: Set<String>

            init(of command: String, in site: Site) async throws {
                let text = try await site.end("help", command).output
                options = Set(
                    text.matches(of: #/(?m)^  (?:-[q0], )?(--[a-z-]+)/#).map { String($0.1) })
                variables = Set(
                    text.matches(of: #/(?m)^ +(APOD_MIRROR_[A-Z_]+)/#).map { String($0.1) })
                codes = Set(text.matches(of: #/(?m)^  (\d)  /#).map { String($0.1) })
            }
        }

        static func all(in site: Site) async throws -> [String: Help] {
            var all: [String: Help] = [:]
            for command in HelpTests.commands {
                all[command] = try await Help(of: command, in: site)
            }
            return all
        }

        private static func found(
            _ pattern: Regex<(Substring, Substring)>, in text: some StringProtocol
        )
            -> Set<String>
        {
            Set(String(text).matches(of: pattern).map { String($0.1) })
        }

        @Test func theManualPageListsEveryCommandOptionVariableAndExitCode() async throws {
            try await withSite { site in
                let help = try await Self.all(in: site)
                let page = try Self.text(".install/apod-mirror.1")

                // All variables are settings of run; what verify and history look back on is none.
                let run = try #require(help["run"])
                for (command, help) in help {
                    #expect(help.variables.isSubset(of: run.variables), "\(command)")
                }
                #expect(help["verify"]?.variables.contains("APOD_MIRROR_SINCE") == false)
                #expect(Self.found(#/(?m)^\.It Cm ([a-z]+)/#, in: page) == Set(HelpTests.commands))
                let options = Self.found(#/(?m)^\.It (?:Fl [q0] , )?Fl Fl ([a-z-]+)/#, in: page)
                #expect(
                    Set(options.map { "--\($0)" })
                        == help.values.reduce([]) { $0.union($1.options) })
                #expect(
                    Self.found(#/(APOD_MIRROR_[A-Z_]+)/#, in: page)
                        == help.values.reduce(["APOD_MIRROR_API_KEY"]) { $0.union($1.variables) })
                #expect(
                    Self.found(#/(?m)^\.It (\d)$/#, in: page)
                        == help.values.reduce([]) { $0.union($1.codes) })
            }
        }

        @Test func theDocumentsListEveryOptionCommandAndExitCode() async throws {
            try await withSite { site in
                let help = try await Self.all(in: site)
                let configuration = try Self.text("docs/configuration.md")
                let operations = try Self.text("docs/operations.md")

                #expect(
                    Self.found(#/(?m)^\| (\d) \|/#, in: operations)
                        == help.values.reduce([]) { $0.union($1.codes) })
                // Options for developers are in the manual page only.
                let commands = Self.found(#/(?m)^    apod-mirror ([a-z]+)/#, in: configuration)
                #expect(
                    commands
                        == Set(HelpTests.commands).subtracting(["version"]))
                // Options of one call are in the help; those of a machine are settings.
                let run = try #require(help["run"])
                let settings = Self.found(#/(?m)^\| (?:`-q`, )?`(--[a-z-]+)/#, in: configuration)
                #expect(
                    settings == run.options.subtracting(["--once", "--dry-run", "--json"]))
            }
        }

        @Test func documentsNameExistingVariablesOnly() async throws {
            try await withSite { site in
                // Two are those of compose.yaml, and the last of them are for the tests.
                let others: Set = [
                    "APOD_MIRROR_API_KEY", "APOD_MIRROR_DIRECTORY", "APOD_MIRROR_USER",
                    "APOD_MIRROR_REAL_DATA", "APOD_MIRROR_OPERATIONS",
                    "APOD_MIRROR_INPUTS", "APOD_MIRROR_SEED", "APOD_MIRROR_AXE",
                    "APOD_MIRROR_EVERY_CALL",
                ]
                let known = try await Self.all(in: site).values
                    .reduce(others) { $0.union($1.variables) }

                for document in try Document.all() {
                    let named = Self.found(#/(APOD_MIRROR_[A-Z_]*[A-Z])/#, in: document.text)
                    #expect(named.isSubset(of: known), "\(document.path)")
                }
            }
        }

        // MARK: Form

        private static func has(_ tool: String) -> Bool {
            unsafe system("command -v \(tool) >/dev/null 2>&1") == 0
        }

        @Test(.enabled(if: has("mandoc")), arguments: pages)
        func mandocReportsNoErrorInTheManualPage(page: String) async throws {
            // References to pages that are not installed here are not checked.
            let ending = try await Program(
                ["mandoc", "-T", "lint", page], environment: [:]
            ).end()

            let lines = (ending.output + ending.errors).split(separator: "\n")
            #expect(
                !lines.contains { !$0.contains("Xr") && !$0.contains("mandoc.db") }, "\(ending)")
        }

        @Test(.enabled(if: has("man")), arguments: pages)
        func manReportsNoErrorInTheManualPage(page: String) async throws {
            let ending = try await Program(
                ["man", "--warnings", "-l", page], environment: ["LC_ALL": "C.UTF-8"]
            ).end()

            #expect(ending.code == 0 && ending.errors == "", "\(ending.errors)")
            #expect(ending.output.contains("EXIT STATUS"))
        }
    }
}
