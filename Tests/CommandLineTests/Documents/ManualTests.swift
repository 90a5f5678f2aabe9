import APOD
import CommandLine
import Glibc
import Platform
import Service
import TestSupport
import Testing

@testable import apod_mirror

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

        private static func found(
            _ pattern: Regex<(Substring, Substring)>, in text: some StringProtocol
        )
            -> Set<String>
        {
            Set(String(text).matches(of: pattern).map { String($0.1) })
        }

        private static let commands = Set(Command.allCases.map(\.rawValue))
        private static let codes = Set(
            Command.allCases.flatMap(\.exitCodes).map(\.rawValue).filter { $0 < 10 }.map(
                String.init)
        )

        @Test func theDocumentsListEveryCommandAndExitCode() throws {
            let page = try Self.text(".install/apod-mirror.1")
            #expect(Self.found(#/(?m)^\.It Cm ([a-z]+)/#, in: page) == Self.commands)
            #expect(Self.found(#/(?m)^\.It (\d)$/#, in: page) == Self.codes)

            let configuration = try Self.text("docs/configuration.md")
            #expect(
                Self.found(#/(?m)^    apod-mirror ([a-z]+)/#, in: configuration)
                    == Self.commands.subtracting(["version"]))
            #expect(
                Self.found(#/(?m)^\| (\d) \|/#, in: try Self.text("docs/operations.md"))
                    == Self.codes)
        }

        @Test func documentsNameExistingVariablesOnly() throws {
            // Two are those of compose.yaml, and the others are for the tests.
            let others: Set = [
                "APOD_MIRROR_DIRECTORY", "APOD_MIRROR_USER",
                "APOD_MIRROR_REAL_DATA", "APOD_MIRROR_OPERATIONS",
                "APOD_MIRROR_INPUTS", "APOD_MIRROR_SEED", "APOD_MIRROR_AXE",
            ]
            let known = others.union(Settings.all.map(\.option.variable))

            for document in try Document.all() {
                let named = Self.found(#/(APOD_MIRROR_[A-Z0-9_]*[A-Z0-9])/#, in: document.text)
                #expect(named.isSubset(of: known), "\(document.path)")
            }
        }

        // MARK: Form

        private static func has(_ tool: String) -> Bool {
            unsafe system("command -v \(tool) >/dev/null 2>&1") == 0
        }

        @Test(.enabled(if: has("mandoc")), arguments: pages)
        func mandocReportsNoErrorInTheManualPage(page: String) async throws {
            // References to pages that are not installed here are not checked.
            let ending = try await Program.run(["mandoc", "-T", "lint", page])

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
