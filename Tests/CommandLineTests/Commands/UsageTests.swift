import CommandLine
import Mirror
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct UsageTests {
        struct Mistake: CustomTestStringConvertible {
            let words: [String]
            var environment: [String: String] = [:]
            /// What the sentence names.
            let names: [String]

            init(_ words: String..., environment: [String: String] = [:], names: [String]) {
                self.words = words
                self.environment = environment
                self.names = names
            }

            var testDescription: String {
                (environment.map { "\($0)=\($1)" } + words).joined(separator: " ")
            }
        }

        static let mistakes = [
            Mistake("frobnicate", names: ["“frobnicate”"]),
            Mistake("statsu", names: ["“statsu”", "did you mean “status”?"]),
            Mistake("-x", names: ["“-x”"]),
            Mistake("run", "--onec", names: ["“--onec”", "“run”", "did you mean “--once”?"]),
            Mistake("status", "--since", "3d", names: ["“--since”", "“status”"]),
            Mistake("run", "now", names: ["“now”", "apod-mirror run [--once]"]),
            Mistake("show", "latest", "random", names: ["“random”", "DAY|random"]),
            Mistake("show", names: ["“show”", "DAY|random"]),
            Mistake("search", names: ["“search”", "WORD..."]),
            Mistake(
                "verify", "--since", "2094-1-1", names: ["--since: 2094-01-01 is in the future"]),
            Mistake("verify", "--since", "2026-02-30", names: ["--since: “2026-02-30”", "a date"]),
            Mistake("run", "--since", names: ["--since requires a value"]),
            Mistake(
                "run", "--log-level", "loud", names: ["--log-level: “loud”", "warning", "debug"]),
            Mistake("run", "--quiet=maybe", names: ["--quiet: “maybe” is not “yes” or “no”"]),
            Mistake("run", "--hint", "off", names: ["unknown option “--hint” of “run”"]),
            Mistake("run", "--root", "", names: ["--root: “”"]),
            Mistake("run", "--since", "2090-13-01", names: ["--since: “2090-13-01”", "a date"]),
            Mistake(
                "run", "--since", "1995-06-15", names: ["--since: “1995-06-15”", "1995-06-16"]),
            Mistake("run", "--min-free", "lots", names: ["--min-free: “lots”", "1GiB"]),
            Mistake("run", "--min-free", "99999999999999999999", names: ["--min-free"]),
            Mistake("run", "--jobs", "65", names: ["--jobs: “65”", "1 to 64"]),
            Mistake("run", "--keep", "0", names: ["--keep: “0”"]),
            Mistake("run", "--dry-run", names: ["--once"]),
            Mistake("run", "--pace", "901s", names: ["--pace: “901s”", "at most 15m"]),
            Mistake("run", "--pace", "9223372036854775807ms", names: ["--pace"]),
            Mistake("run", "--upstream", "nasa.gov", names: ["--upstream: “nasa.gov”", "https:"]),
            Mistake(
                "run", "--upstream", "ftp://nasa.gov/", names: ["--upstream: “ftp://nasa.gov/”"]),
            Mistake("run", "--upstream", "http:///x/", names: ["--upstream: “http:///x/”"]),
            Mistake("run", "--base-url", "http:///x/", names: ["--base-url: “http:///x/”"]),
            Mistake(
                "run", "--base-url", "http://bücher.example/ä/",
                names: ["--base-url: “http://bücher.example/ä/”", "in ASCII", "xn--"]),
            Mistake("run", "--mirrors", "apod.com", names: ["--mirrors: “apod.com”", "“off”"]),
            Mistake("run", "--mirrors", "https://apod.com/,", names: ["--mirrors"]),
            Mistake("run", "--mirrors", "https://u:p@apod.com/", names: ["--mirrors"]),
            Mistake("run", "--feed", "rss", names: ["--feed: “rss”", "auto, basic or v1"]),
            Mistake("run", environment: ["HOME": ""], names: ["--root DIR"]),
            Mistake("--root", "/x", "run", names: ["“--root” must follow a command"]),
            Mistake("favorites", "lsit", names: ["“lsit”", "did you mean “list”?"]),
            Mistake(
                "favorites", "remove", "2026-11-20", "--notify",
                names: ["--notify", "“favorites remove”"]),
            Mistake("favorites", "add", names: ["favorites add DAY|PATH|URL..."]),
            Mistake(
                "favorites", "add", "2026-11-19", "2026-11-20", "--as", "x", "--root", "/nowhere",
                names: ["--as names one favorite"]),
            Mistake("favorites", "list", "--as", "x", names: ["--as", "“favorites list”"]),
            Mistake("status", "--json", "--metrics", names: ["--json and --metrics"]),
            Mistake("search", "x", "--path", "--json", names: ["--json and --path"]),
            Mistake("run", "--thumbnails", "2", names: ["--thumbnails: “2” is not “yes” or “no”"]),
            Mistake("favorites", "remove", names: ["--held"]),
            Mistake("favorites", "remove", "2026-11-20", "--held", names: ["--held"]),
            Mistake("favorites", "forget", names: ["unknown action “forget”"]),
            Mistake("doctor", "--offlien", names: ["did you mean “--offline”?"]),
            Mistake(
                "run", environment: ["APOD_MIRROR_VIDEOS": "maybe"],
                names: ["APOD_MIRROR_VIDEOS: “maybe” is not “yes” or “no”"]),
            Mistake(
                "run", environment: ["APOD_MIRROR_SINEC": "3d"],
                names: ["APOD_MIRROR_SINEC", "did you mean “APOD_MIRROR_SINCE”?"]),
            Mistake(
                "status", environment: ["APOD_MIRROR_JSON": "yes"],
                names: ["APOD_MIRROR_JSON is no setting of apod-mirror: --json is an option only"]),
        ]

        @Test(arguments: mistakes)
        func aMistakeIsReportedAndNothingIsChanged(mistake: Mistake) async throws {
            try await withSite { site in
                let ending = try await site.start(mistake.words, environment: mistake.environment)
                    .end()

                #expect(ending.code == 2, "\(ending)")
                #expect(ending.output == "")
                #expect(ending.sentences.count == 1)
                #expect(ending.errors.split(separator: "\n").count == 1)
                let word = mistake.words[0]
                let help = HelpTests.commands.contains(word) && word != "help" ? " \(word)" : ""
                #expect(ending.errors.hasSuffix("; see “apod-mirror help\(help)”\n"))
                for name in mistake.names { #expect(ending.errors.contains(name)) }
                #expect(!ending.errors.contains("SEC") && !ending.errors.contains("RET"))
                #expect(try TreeImage(of: site.folder).files == [:])
            }
        }

        /// Variables for the daemon do not apply to other commands.
        @Test func variablesApplyOnlyToCommandsWithTheOption() async throws {
            try await withMirroredSite { site in
                let ending = try await site.end(
                    "status",
                    environment: [
                        "APOD_MIRROR_ROOT": site.root, "APOD_MIRROR_JOBS": "lots",
                        "APOD_MIRROR_ELSEWHERE": "x",
                    ])

                #expect(ending.code == 0 && ending.output.contains(site.root), "\(ending)")
            }
        }

        /// Kubernetes and Docker name variables after the service “apod-mirror”.
        @Test func variablesOfOtherProgramsAreIgnored() async throws {
            try await withMirroredSite { site in
                let words = ["PORT", "HOST", "NAME", "URL", "TAG", "DATA", "TEST", "FOO", "ID"]
                let more = ["SERVICE_HOST", "SERVICE_PORT", "PORT_80_TCP", "PORT_80_TCP_ADDR"]
                var environment = ["APOD_MIRROR_ROOT": site.root]
                for word in words + more {
                    environment["APOD_MIRROR_\(word)"] = "tcp://10.0.0.1:80"
                }

                let ending = try await site.end("status", environment: environment)

                #expect(ending.code == 0, "\(ending)")
            }
        }

        @Test func aSwitchTakesTheseWords() {
            for word in ["0", "no", "OFF", "False"] { #expect(Bool(argument: word) == false) }
            for word in ["1", "Yes", "on", "TRUE"] { #expect(Bool(argument: word) == true) }
        }

        @Test(arguments: [false, true])
        func aSwitchIsAnOptionAndAVariable(isOn: Bool) async throws {
            try await withSite(days: 1) { site in
                let word = isOn ? "yes" : "no"
                let endings = [
                    try await site.mirror(
                        "--since", "1d", thumbnails: true,
                        environment: [
                            "APOD_MIRROR_QUIET": word, "APOD_MIRROR_THUMBNAILS": word,
                            "APOD_MIRROR_RECHECK": word,
                        ]),
                    try await site.mirror(
                        "--since", "1d", "--quiet=\(word)", "--thumbnails", word,
                        "--recheck=\(word)"),
                ]

                for ending in endings {
                    #expect(ending.code == 0, "\(ending)")
                    #expect(ending.errors.isEmpty == isOn, "\(ending)")
                }
                let thumbnail = Layout.thumbnail(of: Site.today)
                #expect((try site.tree().files[thumbnail] != nil) == isOn)
            }
        }

        @Test func anOptionOverridesItsVariable() async throws {
            try await withSite { site in
                let ending = try await site.mirror(
                    "--since", "2d", environment: ["APOD_MIRROR_SINCE": "never"])

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().complete.count == 2)
            }
        }
    }
}
