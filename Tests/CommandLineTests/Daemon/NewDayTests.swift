import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
import Testing

extension WholeProgram {
    /// The command of `--on-new`.
    @Suite(.timeLimit(.minutes(10))) struct NewDayTests {
        /// Texts that are dangerous for a shell, curl(1), a terminal or the memory for arguments.
        static let texts: [ForeignText] = [
            "@/etc/passwd", "--upload-file=x", "$(touch owned) `touch owned` \"'; touch owned; '\"",
            ForeignText(String(repeating: "ab ", count: 43_700)),
            "one\nTo: root\r\n.\u{1B}[2J \u{202E}two\u{200F}",
        ]

        // MARK: What it gets

        @Test(arguments: texts) func theCommandGetsTheDayAsShortLines(
            text: ForeignText
        ) async throws {
            try await withSite(days: 1) { site in
                try site.simulator.edit(Site.today) {
                    $0.title = text.text
                    $0.explanationHTML = text.text
                    $0.credit = text.text
                }
                let command =
                    "env -0 > '\(site.folder)/seen'; [ . -ef '\(site.root)' ] || echo no; cat"

                let ending = try await site.mirror(
                    "--since", "1d", "--on-new", command, thumbnails: true)

                #expect(
                    ending.code == 0
                        && ending.errors.contains("--on-new: done, for \(Site.today)\n")
                )
                let values = try site.variables("seen")
                #expect(
                    Set(values.keys) == [
                        "PATH", "PWD", "HOME", "APOD_COMMAND", "APOD_LINE", "APOD_DATE",
                        "APOD_TITLE",
                        "APOD_TEXT", "APOD_CREDIT", "APOD_PICTURE", "APOD_ORIGINAL", "APOD_ARTICLE",
                    ])
                for (name, value) in values where name != "APOD_COMMAND" {
                    #expect(value.utf8.count < 4096 && value == value.printableLine, "\(name)")
                }
                let title = try #require(values["APOD_TITLE"])
                #expect(values["APOD_DATE"] == "\(Site.today)")
                #expect(values["APOD_LINE"] == "\(Site.today)  \(title.excerpt)")
                #expect(values["APOD_COMMAND"] == command)
                let files = try site.tree().files
                let places = ["APOD_PICTURE", "APOD_ORIGINAL"].map { values[$0] ?? "" }
                #expect(
                    places == [
                        "\(site.root)/\(Layout.thumbnail(of: Site.today))",
                        "\(site.root)/\(try site.picture(of: Site.today))",
                    ])
                #expect(
                    places.allSatisfy { files[String($0.dropFirst(site.root.count + 1))] != nil })
                #expect(values["APOD_ARTICLE"]?.hasPrefix("http") == true)
                #expect(!files.keys.contains("owned"))
            }
        }

        @Test func aDayWithoutAPictureLeavesItsVariablesEmpty() async throws {
            try await withSite(days: 1) { site in
                let ending = try await site.mirror(
                    "--on-new", "printf '%s' \"${APOD_PICTURE:-none}${APOD_CREDIT-unset}\"")

                // Without thumbnails.
                #expect(ending.errors.contains("done, for \(Site.today): none"), "\(ending)")
                #expect(!ending.errors.contains("unset"), "\(ending)")
            }
        }

        // MARK: When it runs

        @Test func theDaemonRunsTheCommandOnceForEachNewestDay() async throws {
            try await withSite(days: 12) { site in
                site.simulator.newest = Site.day(1)
                // What the day shows is there before the command.
                let command = """
                    test -e latest.jpg && grep -q "$APOD_DATE" latest.json && grep -q "$APOD_DATE" index.html \
                    && echo "$APOD_DATE" >> '\(site.folder)/seen'
                    """
                let program = try site.start(["run", "--on-new", command] + site.settings())
                // Of a first back-fill only the newest.
                try await program.errors.wait(for: "--on-new: done, for \(Site.day(1))")
                site.simulator.newest = Site.today
                program.signal(SIGHUP)
                try await program.errors.wait(for: "--on-new: done, for \(Site.today)")

                // Neither edits nor favorites nor older days.
                try site.editAll()
                program.signal(SIGHUP)
                try await program.errors.wait(for: "updated 4 days")
                _ = try await site.read("favorites", "add", "\(Site.day(11))")
                try await program.errors.wait(for: "downloaded \(Site.day(11))")
                let ending = try await program.stop()
                let again = try await site.mirror("--on-new", command)

                #expect(ending.code == 0 && again.code == 0, "\(ending) \(again)")
                #expect(try site.lines("seen") == ["\(Site.day(1))", "\(Site.today)"])
            }
        }

        @Test func theDayThatIsNewestWhenTheOptionIsFirstUsedIsNotNew() async throws {
            try await withSite(days: 3) { site in
                site.simulator.newest = Site.day(1)
                _ = try await site.mirror()
                let command = "echo \"$APOD_DATE\" >> '\(site.folder)/seen'"

                _ = try await site.mirror("--on-new", command)
                #expect(try site.lines("seen") == [])
                site.simulator.newest = Site.today
                _ = try await site.mirror("--on-new", command)

                #expect(try site.lines("seen") == ["\(Site.today)"])
            }
        }

        /// As after a restore from a backup without the hidden files.
        @Test func theCommandRunsWhileAFileOfAPersonIsInThePlaceOfTheRecord() async throws {
            try await withSite(days: 3) { site in
                site.simulator.newest = Site.day(2)
                let command = "echo \"$APOD_DATE\" >> '\(site.folder)/seen'"
                _ = try await site.mirror("--on-new", command)
                let mine = "{\"date\": \"\(Site.day(2))\", \"mine\": true}"
                try site.write(mine, to: "apod/\(Layout.latestRecord)")

                site.simulator.newest = Site.day(1)
                _ = try await site.mirror("--on-new", command)
                site.simulator.newest = Site.today
                let program = try site.start(["run", "--on-new", command] + site.settings())
                try await program.errors.wait(for: "--on-new: done, for \(Site.today)")
                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().files[Layout.latestRecord] == Array(mine.utf8))
                #expect(try site.lines("seen") == [2, 1, 0].map { "\(Site.day($0))" })
            }
        }

        /// NASA publishes the entry of today with the date of tomorrow, corrects that, and publishes tomorrow's entry later.
        @Test func theCommandRunsForADayWhoseDateAnEarlierEntryHadByMistake() async throws {
            try await withSite(days: 3) { site in
                let today = try #require(site.simulator.entry(of: Site.today))
                var mistaken = today
                mistaken.day = Site.day(-1)
                site.simulator.newest = Site.day(1)
                let command = "echo \"$APOD_DATE\" >> '\(site.folder)/seen'"
                func sync() async throws { _ = try await site.mirror("--on-new", command) }
                try await sync()

                site.simulator.newest = nil
                site.simulator.withdraw(Site.today)
                site.simulator.publish(mistaken)
                try await sync()
                site.simulator.withdraw(Site.day(-1))
                site.simulator.publish(today)
                try await sync()
                site.simulator.publish(mistaken)
                try await sync()

                let days = [1, -1, -1].map { "\(Site.day($0))" }
                #expect(try site.lines("seen") == days)
            }
        }

        @Test func aPictureThatWasImportedIsNotReported() async throws {
            try await withSite(days: 3) { site in
                site.simulator.newest = Site.day(1)
                let command = "echo \"$APOD_DATE\" >> '\(site.folder)/seen'"
                _ = try await site.mirror("--on-new", command)
                site.simulator.newest = Site.today
                _ = try await site.mirror(root: "\(site.folder)/other")
                let picture = try #require(
                    try site.tree("\(site.folder)/other").pictures.first {
                        $0.contains("\(Site.today)")
                    })
                try site.write(
                    try #require(try site.tree("\(site.folder)/other").files[picture]),
                    to: "mine/\(Site.today).jpg")
                let adopted = try await site.read(
                    ["adopt", "\(site.folder)/mine"] + site.upstream)
                #expect(adopted.code == 0, "\(adopted)")

                _ = try await site.mirror("--on-new", command)

                #expect(try site.lines("seen") == ["\(Site.day(1))"])
            }
        }

        // MARK: Failures

        @Test func aFailureIsAWarningAndRepeatedOnceWithTheNextSync() async throws {
            try await withSite(days: 1) { site in
                let command = "echo x >> '\(site.folder)/seen'; echo because >&2; exit 7"
                var errors: [String] = []
                for _ in 0..<3 {
                    let ending = try await site.mirror("--since", "1d", "--on-new", command)
                    #expect(ending.code == 0, "\(ending)")
                    errors.append(ending.errors)
                }

                let failure = "--on-new: exit code 7, "
                #expect(
                    errors[0].contains(
                        "\(failure)again with the next sync, for \(Site.today): because\n"))
                #expect(errors[1].contains("\(failure)not again, for \(Site.today): because\n"))
                #expect(!errors[2].contains("--on-new"))
                #expect(try site.lines("seen").count == 2)
            }
        }

        @Test func aSingleSyncRepeatsAFailureBeforeItBringsANewerDay() async throws {
            try await withSite(days: 3) { site in
                site.simulator.newest = Site.day(1)
                let command =
                    "test -e '\(site.folder)/ok' && echo \"$APOD_DATE\" >> '\(site.folder)/seen'"
                let failed = try await site.mirror("--on-new", command)
                try site.write("", to: "ok")
                site.simulator.newest = Site.today

                let ending = try await site.mirror("--on-new", command)

                #expect(failed.errors.contains("again with the next sync"), "\(failed)")
                #expect(!ending.errors.contains("again with the next sync"), "\(ending)")
                #expect(try site.lines("seen") == ["\(Site.day(1))", "\(Site.today)"])
            }
        }

        @Test func theDaemonRepeatsAFailureOnceWithTheNextSync() async throws {
            try await withSite(days: 1) { site in
                let program = try site.start(
                    ["run", "--log-level", "debug", "--on-new", "exit 7"] + site.settings())
                try await program.errors.wait(for: "again with the next sync")
                // A sync that begins before the daemon has done with the failure is not the next one.
                _ = try await polled {
                    program.signal(SIGHUP)
                    return try await program.errors.wait(for: "next sync: ").contains("not again")
                        ? true : nil
                }
                // One line less about a sync than there were syncs, and one more.
                for _ in 0..<2 {
                    let count = try await program.errors.wait(for: "next sync: ").syncs
                    program.signal(SIGHUP)
                    _ = try await polled {
                        try await program.errors.wait(for: "next sync: ").syncs > count ? true : nil
                    }
                }
                let ending = try await program.stop()

                #expect(ending.errors.matches(of: #/--on-new: /#).count == 2, "\(ending)")
            }
        }

        /// The first attempt counts as failed: it may have reported nothing.
        @Test func aKilledProgramRunsTheCommandAtMostTwice() async throws {
            try await withSite { site in
                let command = "echo x >> '\(site.folder)/seen'; kill -9 $PPID"
                var signals: [Int32?] = []
                for _ in 0..<3 {
                    signals.append(try await site.mirror("--on-new", command).signal)
                }

                #expect(signals == [SIGKILL, SIGKILL, nil])
                #expect(try site.lines("seen").count == 2)
            }
        }

        @Test func theDaemonStopsACommandThatIgnoresSIGTERM() async throws {
            try await withSite { site in
                let command = """
                    trap '' TERM; sleep 600 & echo $! >> '\(site.folder)/processes'
                    echo $$ >> '\(site.folder)/processes'; while :; do sleep 600; done
                    """
                let program = try site.start(["run", "--on-new", command] + site.settings())
                let processes = try await polled {
                    let lines = try site.lines("processes")
                    return lines.count == 2 ? lines.compactMap { pid_t($0) } : nil
                }

                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                #expect(
                    ending.errors.contains(
                        "--on-new: stopped, again with the next sync, for \(Site.today)\n"
                    ), "\(ending)")
                for process in processes {
                    _ = try await polled {
                        let bytes = try? Directory(opening: "/proc/\(process)").read("stat")
                        let text = String(decoding: bytes ?? [], as: UTF8.self)
                        return text.isEmpty || text.contains(") Z ") ? true : nil
                    }
                }
                #expect(
                    try await site.mirror("--on-new", "echo x >> '\(site.folder)/seen'").code == 0)
                #expect(try site.lines("seen").count == 1)
            }
        }

        @Test func noSyncWaitsForTheCommand() async throws {
            try await withSite(days: 11) { site in
                site.simulator.newest = Site.day(1)
                let command = "echo x >> '\(site.folder)/seen'; sleep 600"
                let program = try site.start(["run", "--on-new", command] + site.settings())
                _ = try await polled { try site.lines("seen").isEmpty ? nil : true }
                site.simulator.newest = Site.today
                program.signal(SIGHUP)

                try await program.errors.wait(for: "downloaded \(Site.today)")
                #expect(try await program.stop().code == 0)
            }
        }

        // MARK: Secrets

        @Test func theCommandIsInNoFileListOfProcessesLogOrReport() async throws {
            try await withSite { site in
                let secret = "s3cr3t"
                let command = "tr '\\0' ' ' < /proc/$$/cmdline > '\(site.folder)/seen'; : \(secret)"
                let variables = ["APOD_MIRROR_ON_NEW": command]
                let ending = try await site.mirror("--log-level", "debug", environment: variables)

                #expect(ending.code == 0 && !(ending.output + ending.errors).contains(secret))
                #expect(try site.lines("seen") == ["/bin/sh -c eval \"$APOD_COMMAND\" "])
                for words in [["status", "--json"], ["status", "--report"], ["status"]] {
                    let text = try await site.start(
                        words + ["--root", site.root], environment: variables
                    ).end()
                    #expect(!(text.output + text.errors).contains(secret), "\(text)")
                }
                let files = try TreeImage(of: site.folder).files
                #expect(files.count > 10)
                let secrets = files.filter { $0.value.contains(bytes: Array(secret.utf8)) }
                #expect(secrets.keys.sorted() == [])
            }
        }

        /// As bash does for a syntax error; of a long line, the output has the beginning only.
        @Test(arguments: [1, 200]) func aLineThatRepeatsTheCommandIsNotLogged(
            count: Int
        ) async throws {
            try await withSite(days: 1) { site in
                let secrets = String(repeating: "s3cr3t ", count: count)
                let command = "echo first >&2; echo \"line 1: $APOD_COMMAND\"; exit 2; : \(secrets)"

                let ending = try await site.mirror("--since", "1d", "--on-new", command)

                #expect(ending.code == 0 && ending.errors.contains("--on-new: exit code 2"))
                #expect(ending.errors.contains("first"))
                #expect(ending.errors.contains("(a line that repeats the command)"), "\(ending)")
                #expect(!(ending.output + ending.errors).contains("s3cr3t"), "\(ending)")
            }
        }

        @Test func theBeginningOfALineThatRepeatsTheCommandIsNotLoggedEither() async throws {
            try await withSite(days: 1) { site in
                let command = "printf %0980d 0; echo; echo \"line 1: $APOD_COMMAND\"; exit 2"

                let ending = try await site.mirror("--since", "1d", "--on-new", command)

                #expect(ending.code == 0 && ending.errors.contains("--on-new: exit code 2"))
                #expect(ending.errors.contains("00000\n") || ending.errors.contains("00000 "))
                #expect(!(ending.output + ending.errors).contains("printf"), "\(ending)")
            }
        }

        @Test func noCommandIsTakenFromTheTree() async throws {
            try await withSite { site in
                site.simulator.newest = Site.day(1)
                _ = try await site.mirror()
                let path = "apod/\(Layout.service)"
                let text = String(
                    decoding: try site.tree().files[Layout.service] ?? [], as: UTF8.self)
                let edited = text.replacing(
                    "\"settings\" : {", with: "\"settings\" : {\n\"on-new\" : \"touch owned\",")
                #expect(edited != text)
                try site.write(edited, to: path)
                site.simulator.newest = Site.today

                #expect(try await site.mirror().code == 0)

                #expect(try site.tree().files["owned"] == nil)
            }
        }
    }
}

/// A text of NASA; its description is short.
struct ForeignText: ExpressibleByStringLiteral, CustomTestStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral text: String) { self.text = text }

    var testDescription: String { text.excerpt }
}

extension String {
    /// How many syncs a log at the level debug tells of.
    fileprivate var syncs: Int { matches(of: #/next sync: /#).count }
}

extension Site {
    /// The variables that `env -0` wrote into the file `name`.
    fileprivate func variables(_ name: String) throws -> [String: String] {
        let bytes = try Directory(opening: folder).read(name) ?? []
        let pairs = bytes.split(separator: 0).map { variable in
            let parts = variable.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (
                String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self)
            )
        }
        return Dictionary(pairs) { $1 }
    }

    /// The lines of the file `name`; none if it is missing.
    fileprivate func lines(_ name: String) throws -> [String] {
        let bytes = try Directory(opening: folder).read(name) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
