import CommandLine
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// What docs/troubleshooting.md explains is what the program prints.
    @Suite(.timeLimit(.minutes(10))) struct TroubleshootingTests {
        // MARK: The outputs of status

        @Test func theStatusOfAHealthyMirrorIsAsTheDocumentShowsIt() async throws {
            try await withSite(days: 30) { site in
                // NASA never publishes a picture for these days.
                for age in [3, 17] { try site.simulator.edit(Site.day(age)) { $0.media = .other } }
                let daemon = try site.start(["run"] + site.settings() + ["--since", "30d"])
                try await daemon.errors.wait(for: "downloaded 28 days")
                let added = try await site.read(
                    ["favorites", "add"] + [0, 1, 2].map { "\(Site.day($0))" })
                #expect(added.code == 0, "\(added)")

                // Thumbnails, the favorites, the next sync and the verification come after the pictures.
                let expected = try Self.documented(0)
                var status = try await site.read("status")
                for _ in 0..<200 where Self.lasting(status.output, of: site) != expected {
                    status = try await site.read("status")
                }
                let ending = try await daemon.stop()

                #expect(status.code == 0 && ending.code == 0, "\(status)")
                #expect(Self.lasting(status.output, of: site) == expected, "\(status.output)")
            }
        }

        @Test func theStatusOfAMirrorWithTroublesIsAsTheDocumentShowsIt() async throws {
            try await withSite(days: 30) { site in
                site.simulator.withdraw(Site.day(8))
                let options = ["--since", "30d", "--quiet"]
                _ = try await site.start(["run", "--once"] + site.settings() + options).end()
                let days = [0, 1, 2].map { "\(Site.day($0))" }
                _ = try await site.read(["favorites", "add"] + days)
                _ = try await site.start(["run", "--once"] + site.settings() + options).end()
                let emptied = try await site.shell(
                    "rm '\(site.root)'/favorites/*; echo text > '\(site.root)/favorites/note.txt'")
                #expect(emptied.code == 0, "\(emptied)")
                site.simulator.stop()
                let sync = try await site.start(["run", "--once"] + site.settings() + options)
                    .end()

                let status = try await site.read("status")

                #expect(sync.code == 7 && status.code == 7, "\(sync) \(status)")
                let expected = try Self.documented(1)
                #expect(Self.lasting(status.output, of: site) == expected, "\(status.output)")
            }
        }

        // MARK: Messages

        /// The sections with rows whose first cells, all but the last two, quote the program.
        private static let sections = [
            "Reading status", "Obstacles", "Missing days", "Messages of commands", "Favorites",
            "Damaged files", "The gallery and the pictures",
        ]
        /// The words of strerror(3) that a row quotes.
        private static let systemErrors: Set = [
            "Read-only file system", "Input/output error", "Too many open files",
            "Cannot allocate memory", "Permission denied", "Disk quota exceeded",
        ]

        /// The document quotes with “…” for what differs; what is between is in the sources.
        @Test func eachQuotedMessageIsOneOfTheProgram() async throws {
            let files = try await Program.run([
                "find", "\(sourceTree)/Sources", "-name", "*.swift", "-exec", "cat", "{}", "+",
            ]).output
            // Texts that go on in the next line.
            let sources = files.replacing(#/"\s*\+\s*"/#) { _ in "" }
                .replacing(#/\\\n\s*/#) { _ in "" }

            var quoted: [String] = []
            for section in Self.sections {
                let rows = try Self.rows(of: section)
                #expect(!rows.isEmpty, "\(section)")
                for row in rows {
                    for cell in row.dropLast(row.count > 2 ? 2 : 1) {
                        for span in cell.matches(of: #/`([^`]+)`/#) {
                            quoted += span.1.split(separator: #/…|\s{2,}/#)
                                .map { $0.trimming(" ;:,.(“”") }
                                // Shorter words would be found in any text.
                                .filter { $0.count >= 8 && !Self.systemErrors.contains($0) }
                        }
                    }
                }
            }
            #expect(quoted.count > 60)
            #expect(quoted.filter { !sources.contains($0) } == [])
        }

        @Test func eachObstacleAndEachCheckOfTheDoctorHasARow() async throws {
            let kinds = Set(try Self.rows(of: "Obstacles").map { $0[0] })
            #expect(kinds == Set(Obstacle.Kind.allCases.map { "`\($0.rawValue)`" }))

            let doctor = try await Program.run([
                "grep", "-ohE", "CheckResult\\(\"[a-z]+\"",
                "\(sourceTree)/Sources/Service/Doctor/Doctor.swift",
            ]).output
            let names = doctor.matches(of: #/"([a-z]+)"/#).map { "`\($0.1)`" }
            #expect(names.count > 8)
            #expect(try Self.rows(of: "What doctor says").map { $0[0] } == names)
        }

        @Test func eachExitCodeHasTheMeaningThatTheHelpNames() throws {
            let rows = try Self.rows(of: "Exit codes")
            let meanings = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })

            for code in ExitCode.allCases where code.rawValue < 10 {
                #expect(meanings["\(code.rawValue)"] == code.meaning)
            }
        }

        /// The cells of all tables of a section, without the heads.
        private static func rows(of section: String) throws -> [[String]] {
            let text = try Document("docs/troubleshooting.md").text
            let start = try #require(text.firstRange(of: "\n## \(section)\n"), "\(section)")
            let rest = text[start.upperBound...]
            let end = rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex
            let lines = rest[..<end].split(separator: "\n").filter { $0.hasPrefix("|") }
            let isBorder = lines.map { $0.hasPrefix("|---") } + [false]
            return lines.indices.filter { !isBorder[$0] && !isBorder[$0 + 1] }.map { index in
                lines[index].split(separator: "|").map { $0.trimming(" ") }
            }
        }

        /// The output of the block `index` of the document, in the same form.
        private static func documented(_ index: Int) throws -> [String] {
            let text = try Document("docs/troubleshooting.md").text
            let blocks = text.matches(
                of: #/(?s)```console\n\$ apod-mirror status\n(.*?)```/#
            ).map { String($0.1) }
            #expect(blocks.count == 2)
            return lasting(
                blocks[index].replacing("/var/lib/apod-mirror", with: "MIRROR"), of: nil)
        }

        /// The lines of `text` without what differs from run to run; numbers of days and of favorites stay.
        private static func lasting(_ text: String, of site: Site?) -> [String] {
            var text = text
            if let site { text = text.replacing(site.root, with: "MIRROR") }
            return text.replacing(#/\d{4}-\d\d-\d\d/#) { _ in "DAY" }
                .replacing(#/\d+ (s|minutes|hours|days) (old|ago)/#) { "AGE \($0.2)" }
                .replacing(#/in \d+ (s|minutes|hours)/#) { _ in "SOON" }
                .replacing(#/\(\d\d:\d\d\)/#) { _ in "(TIME)" }
                .replacing(#/\b\d+(\.\d+)? (bytes|[kMGT]?B)\b/#) { _ in "SIZE" }
                .replacing(#/process \d+/#) { _ in "process N" }
                // The address, and a sentence of libcurl.
                .replacing(#/no response from [^;]*/#) { _ in "no response" }
                .split(separator: "\n").map(String.init)
        }
    }
}

extension Substring {
    /// Without any of `characters` at its ends.
    fileprivate func trimming(_ characters: String) -> String {
        var text = drop(while: characters.contains)
        while let last = text.last, characters.contains(last) { text.removeLast() }
        return String(text)
    }
}
