import Glibc
import Platform
import TestSupport
import Testing

extension WholeProgram {
    /// The example units: their commands get titles of pictures, which are foreign text.
    @Suite(.timeLimit(.minutes(10))) struct ExampleUnitTests {
        /// A title, as JSON has it and as a person reads it.
        struct Title: CustomTestStringConvertible {
            let json: String
            let text: String
            var testDescription: String { text }

            init(_ json: String, _ text: String? = nil) {
                self.json = json
                self.text = text ?? json
            }
        }

        private static let titles = [
            Title(#"line\nTo: root\n\n.\n~! touch owned"#, "line"),
            Title("<img src=x onerror=y> &lt;b&gt; & <b>bold</b>"),
            Title(#"back\\nslash \\t \\\\ \\0 \\"#, #"back\nslash \t \\ \0 \"#),
            Title(#"\\074a href=x\\076"#, #"\074a href=x\076"#),
            Title("%s %n %i %% $HOME $$ $(touch owned) `touch owned`"),
            Title(#"\"quotes' ; touch owned; '\""#, #""quotes' ; touch owned; '""#),
            Title("-s --icon=/etc/passwd -- *"),
        ]

        private static let folder = "\(sourceTree)/systemd/examples"

        /// The script of the command of a unit, as systemd passes it to the shell; see “Command lines” in
        /// systemd.service(5).
        private static func script(of unit: String) throws -> String {
            let bytes = try #require(try Directory(opening: folder).read(unit))
            let text = String(decoding: bytes, as: UTF8.self).replacing("\\\n", with: " ")
            let line = try #require(
                text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            let parts = line.split(separator: "'")
            try #require(parts.count == 2)
            return String(parts[1]).replacing("\\\\", with: "\\").replacing("$$", with: "$")
                .replacing("%%", with: "%").replacing(
                    "/usr/local/bin/apod-mirror", with: Program.path)
        }

        /// Runs the command of `unit` after a sync with that title, with a `program` that records its arguments.
        ///
        /// - Returns: The arguments, the input, and the line that the title should be.
        private func run(
            _ unit: String, replacing program: String, with title: Title
        ) async throws -> (arguments: [String], input: String, line: String) {
            try await withMirroredSite { site in
                try site.rewriteRecord {
                    $0.replacing("\"title\": \"", with: "\"title\": \"\(title.json) ")
                }
                let shown = try await site.read("show", "latest")
                try site.write(
                    """
                    #!/bin/sh
                    printf '%s\\0' "$@" > ../arguments
                    [ \(program) != mail ] || cat > ../input
                    """, to: "bin/\(program)")
                try site.write("", to: "work/day")
                unsafe chmod("\(site.folder)/bin/\(program)", 0o755)
                let script = try Self.script(of: unit)
                    .replacing("mirror=/var/lib/apod-mirror;", with: "mirror='\(site.root)';")
                    .replacing("mirror=$HOME/Pictures/APOD;", with: "mirror='\(site.root)';")
                let ending = try await Program(
                    ["/bin/sh", "-euc", "cd '\(site.folder)/work'; \(script)"],
                    environment: ["PATH": "\(site.folder)/bin:/usr/bin:/bin", "HOME": site.home]
                ).end()

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                let work = try Directory(opening: site.folder)
                #expect(try work.folder("work")?.textNames() == ["day"])
                func read(_ name: String) throws -> String {
                    String(decoding: try work.read(name) ?? [], as: UTF8.self)
                }
                return (
                    try read("arguments").split(separator: "\0", omittingEmptySubsequences: false)
                        .dropLast().map(String.init),
                    try read("input"), String(shown.output.prefix { $0 != "\n" })
                )
            }
        }

        @Test(arguments: titles) func aTitleIsMailedAsOneLineOfText(title: Title) async throws {
            let (arguments, input, line) = try await run(
                "apod-mirror-picture.service", replacing: "mail", with: title)

            #expect(line.contains(title.text))
            #expect(arguments == ["-s", "Astronomy Picture of the Day", "root"])
            #expect(input == "\(line)\n")
        }

        @Test(arguments: titles) func aTitleIsShownAsTextWithoutMarkup(title: Title) async throws {
            let (arguments, _, line) = try await run(
                "apod-mirror-picture.user.service", replacing: "notify-send", with: title)

            #expect(line.contains(title.text))
            try #require(arguments.count == 3)
            #expect(arguments[0].hasPrefix("--icon=/"))
            #expect(arguments[1] == "Astronomy Picture of the Day")
            #expect(!arguments[2].contains { "<>".contains($0) })
            // notify-send interprets escape sequences; see g_strcompress() of GLib.
            let text = arguments[2].replacing("\\\\", with: "\\")
                .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
                .replacing("&amp;", with: "&")
            #expect(text == line)
            #expect(!arguments[2].replacing("\\\\", with: "").contains("\\"))
        }

        /// Other words of that length have hyphens in the same places.
        @Test(arguments: ["apod-mirror-picture.service", "apod-mirror-picture.user.service"])
        func onlyADateIsTakenForTheDay(unit: String) async throws {
            let search = try #require(
                try Self.script(of: unit).firstMatch(of: #/grep -m 1 (-o "[^"]+")/#))
            let record = "{\n\"title\": \"Star-by-by, 20-11-2026\",\n\"date\": \"2026-11-20\"\n}"

            let ending = try await Program(
                ["sh", "-c", "printf '%s\\n' \"$0\" | grep \(search.1)", record], environment: [:]
            ).end()

            #expect(ending.output == "2026-11-20\n", "\(ending)")
        }

        // MARK: Restarts

        /// systemd counts the starts by people, too.
        @Test(arguments: ["apod-mirror.service", "apod-mirror.user.service"])
        func aPersonMayRestartTheServiceAtAnyTime(unit: String) throws {
            let text = try Document("systemd/\(unit)").text
            let section = try #require(text.firstMatch(of: #/\[Unit\]([^\[]*)\[Service\]/#))
            let codes = try #require(text.firstMatch(of: #/\nRestartPreventExitStatus=(.*)/#))

            #expect(section.1.contains("\nStartLimitIntervalSec=0\n"))
            #expect(!text.contains("StartLimitBurst="))
            #expect(Set(codes.1.split(separator: " ")).isSuperset(of: ["2", "4", "5"]))
            #expect(text.contains("\nRestart=on-failure\nRestartSec=30s\n"))
        }

        // MARK: Sandboxes

        /// The exposures in tenths, as `systemd-analyze security` of systemd 252 computes them.
        private static let exposures = [
            ("apod-mirror.service", "", 14), ("apod-mirror.user.service", "", 63),
            ("apod-mirror-check.service", "examples/", 5),
            ("apod-mirror-failed@.service", "examples/", 33),
            ("apod-mirror-picture.service", "examples/", 64),
            ("apod-mirror-picture.user.service", "examples/", 62),
            ("apod-mirror-screen.service", "examples/screen/", 4),
            ("apod-mirror-screen.user.service", "examples/screen/", 59),
        ]

        private static let hasAnalyzer =
            unsafe system("systemd-analyze --version >/dev/null 2>&1") == 0

        @Test(
            .enabled(if: hasAnalyzer, "needs systemd-analyze(1)"), arguments: exposures)
        func noUnitIsMoreExposedThanDocumented(
            unit: String, place: String, exposure: Int
        ) async throws {
            try await withTemporaryFolder { folder in
                // A template needs an instance.
                let copy = "\(folder)/\(unit.replacing("@.", with: "@x."))"
                let ending = try await Program(
                    [
                        "sh", "-c",
                        """
                        cp '\(sourceTree)/systemd/\(place)\(unit)' '\(copy)'
                        exec systemd-analyze security --offline=yes --threshold=\(exposure) '\(copy)'
                        """,
                    ], environment: [:]
                ).end()

                #expect(ending.code == 0, "\(ending)")
            }
        }
    }
}
