import CommandLine
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import apod_mirror

extension WholeProgram {
    /// The example units: their commands get titles of pictures, which are foreign text.
    @Suite(.timeLimit(.minutes(10))) struct ExampleUnitTests {
        /// Titles, as JSON has them, and as people read them if that differs.
        private static let titles: [(json: String, text: String?)] = [
            (#"line\nTo: root\n\n.\n~! touch owned"#, "line"),
            ("<img src=x onerror=y> &lt;b&gt; & <b>bold</b>", nil),
            (#"back\\nslash \\t \\\\ \\0 \\"#, #"back\nslash \t \\ \0 \"#),
            (#"\\074a href=x\\076"#, #"\074a href=x\076"#),
            ("%s %n %i %% $HOME $$ $(touch owned) `touch owned`", nil),
            (#"\"quotes' ; touch owned; '\""#, #""quotes' ; touch owned; '""#),
            ("-s --icon=/etc/passwd -- *", nil),
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

        /// The script of `unit`, for the mirror of `site` below a path with a blank.
        private static func script(of unit: String, on site: Site) throws -> String {
            let link = "the mirror"
            try Directory(opening: site.folder).symlink(link, to: site.root)
            return try script(of: unit)
                .replacing("/var/lib/apod-mirror", with: "\(site.folder)/\(link)")
                .replacing("$HOME/Pictures/APOD", with: "\(site.folder)/\(link)")
        }

        /// Runs the command of `unit` after a sync with each title, with a `program` that records its arguments.
        ///
        /// `check` gets the arguments, the input, and the line that the title should be.
        private func run(
            _ unit: String, replacing program: String,
            _ check: (_ arguments: [String], _ input: String, _ line: String) throws -> Void
        ) async throws {
            try await withMirroredSite(days: 1) { site in
                try site.makeTool(
                    program,
                    """
                    printf '%s\\0' "$@" > ../arguments
                    [ \(program) != mail ] || cat > ../input
                    """)
                let script = try Self.script(of: unit, on: site)
                let record = try site.tree().files[Layout.recordPath(of: Site.today)] ?? []
                let folder = try Directory(opening: site.folder)
                func read(_ name: String) throws -> String {
                    String(decoding: try folder.read(name) ?? [], as: UTF8.self)
                }
                for title in Self.titles {
                    try site.rewriteRecord { _ in
                        String(decoding: record, as: UTF8.self)
                            .replacing("\"title\": \"", with: "\"title\": \"\(title.json) ")
                    }
                    let shown = try await site.read("show", "latest")
                    try site.write("", to: "work/day")
                    let ending = try await site.runUnit(script)

                    #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                    #expect(try folder.folder("work")?.textNames() == ["day"])
                    let line = String(shown.output.prefix { $0 != "\n" })
                    #expect(line.contains(title.text ?? title.json))
                    let arguments = try read("arguments")
                        .split(separator: "\0", omittingEmptySubsequences: false)
                        .dropLast().map(String.init)
                    try check(arguments, try read("input"), line)
                }
            }
        }

        /// NASA has corrected the date of an entry, or the picture of the newest day is away for a moment.
        @Test(arguments: [
            ("apod-mirror-picture.service", "mail"),
            ("apod-mirror-picture.user.service", "notify-send"),
        ])
        func onlyADayLaterThanTheLastOneIsReported(unit: String, program: String) async throws {
            try await withMirroredSite(days: 2) { site in
                try site.makeTool(program, "echo called >> '\(site.folder)/calls'")
                let script = try Self.script(of: unit, on: site)
                let folder = try Directory(opening: site.folder)
                for (last, isReported) in [
                    (Site.day(1), true), (Site.today, false), (Site.day(-1), false),
                ] {
                    try site.write("\(last)\n", to: "work/day")
                    try site.write("", to: "calls")
                    let ending = try await site.runUnit(script)

                    #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                    #expect(try folder.read("calls") == Array((isReported ? "called\n" : "").utf8))
                    let day = isReported ? Site.today : last
                    #expect(try folder.read("work/day") == Array("\(day)\n".utf8))
                }
            }
        }

        @Test func aTitleIsMailedAsOneLineOfText() async throws {
            try await run("apod-mirror-picture.service", replacing: "mail") {
                arguments, input, line in
                #expect(arguments == ["-s", "Astronomy Picture of the Day", "root"])
                #expect(input == "\(line)\n")
            }
        }

        @Test func aTitleIsShownAsTextWithoutMarkup() async throws {
            try await run("apod-mirror-picture.user.service", replacing: "notify-send") {
                arguments, _, line in
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
        }

        /// Other words of that length have hyphens in the same places.
        @Test(arguments: ["apod-mirror-picture.service", "apod-mirror-picture.user.service"])
        func onlyADateIsTakenForTheDay(unit: String) async throws {
            let search = try #require(
                try Self.script(of: unit).firstMatch(of: #/grep -m 1 (-o "[^"]+")/#))
            let record = "{\n\"title\": \"Star-by-by, 20-11-2026\",\n\"date\": \"2026-11-20\"\n}"

            let ending = try await Program.run([
                "sh", "-c", "printf '%s\\n' \"$0\" | grep \(search.1)", record,
            ])

            #expect(ending.output == "2026-11-20\n", "\(ending)")
        }

        // MARK: Health

        /// Days that are missing come late; whatever else `status` says needs a person.
        @Test func onlyMissingDaysLeaveAMirrorHealthy() async throws {
            let top = try Directory(opening: sourceTree)
            func text(_ path: String) throws -> String {
                String(decoding: try #require(try top.read(path)), as: UTF8.self)
            }
            let check = try #require(
                try text("Dockerfile").firstMatch(of: #/HEALTHCHECK[^\n]*\\\n +CMD ([^\n]+)/#))
            let codes = Command.status.exitCodes.filter { $0 != .usage }
            #expect(codes.contains(.noSpace) && codes.contains(.unreachable))
            for code in codes {
                let ending = try await Program.run([
                    "bash", "-c", "apod-mirror() { return \(code.rawValue); }; \(check.1)",
                ])

                let isHealthy = [.done, .missing].contains(code)
                #expect((ending.code == 0) == isHealthy, "\(code): \(ending)")
            }
            #expect(
                try text("systemd/examples/apod-mirror-check.service")
                    .contains("\nSuccessExitStatus=\(ExitCode.missing.rawValue)\n"))
        }

        /// An alert needs the numbers of the mirror whose disk is away.
        @Test func theNumbersForPrometheusAreWrittenWhileTheDiskIsAway() async throws {
            try await withMirroredSite(days: 1) { site in
                let folder = try Directory(opening: site.folder)
                try folder.rename("apod", to: folder, as: "away")
                try site.write("old", to: "work/apod.prom")
                let script = try Self.script(of: "apod-mirror-metrics.service")

                let ending = try await Program(
                    ["/bin/sh", "-c", "cd '\(site.folder)/work'; \(script)"],
                    environment: ["HOME": site.home, "APOD_MIRROR_ROOT": site.root]
                ).end()

                #expect(ending.code == 0, "\(ending)")
                #expect(try folder.folder("work")?.textNames() == ["apod.prom"])
                let page = String(
                    decoding: try folder.read("work/apod.prom") ?? [], as: UTF8.self)
                let labels = "{root=\"\(site.root)\"}"
                #expect(page.contains("\napod_mirror_up\(labels) 0\n"), "\(page)")
            }
        }

        // MARK: Sandboxes

        /// The exposures in tenths, as `systemd-analyze security` of systemd 252 computes them.
        private static let exposures = [
            ("apod-mirror.service", "", 14), ("apod-mirror.user.service", "", 63),
            ("apod-mirror-check.service", "examples/", 5),
            ("apod-mirror-close.service", "examples/", 9),
            ("apod-mirror-failed@.service", "examples/", 33),
            ("apod-mirror-metrics.service", "examples/", 5),
            ("apod-mirror-picture.service", "examples/", 64),
            ("apod-mirror-picture.user.service", "examples/", 62),
            ("apod-mirror-web.service", "examples/", 12),
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

extension Site {
    /// Runs the script of a unit in the folder `work`, with the programs of the test before those of the machine.
    fileprivate func runUnit(_ script: String) async throws -> Ending {
        try await Program(
            ["/bin/sh", "-euc", "cd '\(folder)/work'; \(script)"],
            environment: ["PATH": "\(tools):/usr/bin:/bin", "HOME": home]
        ).end()
    }
}
