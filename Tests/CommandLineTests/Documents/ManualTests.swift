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

        private static func found(
            _ pattern: Regex<(Substring, Substring)>, in text: String
        ) -> Set<String> {
            Set(text.matches(of: pattern).map { String($0.1) })
        }

        private static let commands = Set(Command.allCases.map(\.rawValue))
        private static let codes = Set(
            Command.allCases.flatMap(\.exitCodes).map(\.rawValue).filter { $0 < 10 }.map(
                String.init)
        )

        @Test func theDocumentsListEveryCommandAndExitCode() throws {
            let page = try Document(".install/apod-mirror.1").text
            #expect(Self.found(#/(?m)^\.It Cm ([a-z]+)/#, in: page) == Self.commands)
            #expect(Self.found(#/(?m)^\.It (\d)$/#, in: page) == Self.codes)

            let configuration = try Document("docs/configuration.md").text
            #expect(
                Self.found(#/(?m)^    apod-mirror ([a-z]+)/#, in: configuration)
                    == Self.commands.subtracting(["version"]))
            #expect(
                Self.found(#/(?m)^\| (\d) \|/#, in: try Document("docs/troubleshooting.md").text)
                    == Self.codes)
        }

        @Test func theLineOfACrontabIsTheSameInAllDocuments() throws {
            let text = try Document("docs/notifications.md").text
            let line = try #require(text.firstMatch(of: #/(?m)^0 22 \* \* \* .*$/#)).0

            #expect(try Document(".install/apod-mirror.1").text.contains(line))
        }

        @Test func documentsNameExistingVariablesOnly() throws {
            // For the tests.
            let others: Set = [
                "APOD_MIRROR_REAL_DATA", "APOD_MIRROR_OPERATIONS",
                "APOD_MIRROR_INPUTS", "APOD_MIRROR_SEED", "APOD_MIRROR_YEAR",
                "APOD_MIRROR_BROWSER", "APOD_MIRROR_DISKS", "APOD_MIRROR_DESKTOP",
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

        @Test(.enabled(if: has("man")), arguments: pages)
        func manAndMandocReportNoErrorInTheManualPage(page: String) async throws {
            let shown = try await Program.run(
                ["man", "--warnings", "-l", page], environment: ["LC_ALL": "C.UTF-8"])
            #expect(shown.code == 0 && shown.errors == "", "\(shown.errors)")
            #expect(shown.output.contains("EXIT STATUS"))

            guard Self.has("mandoc") else { return }
            let lint = try await Program.run(["mandoc", "-T", "lint", page])
            // References to pages that are not installed here are not checked.
            let lines = (lint.output + lint.errors).split(separator: "\n")
            #expect(!lines.contains { !$0.contains("Xr") && !$0.contains("mandoc.db") }, "\(lint)")
        }
    }
}
