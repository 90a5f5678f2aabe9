import CommandLine
import Mirror
import Service
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
            Mistake("search", names: ["“search”", "WORD..."]),
            Mistake("verify", "--since", "2026-02-30", names: ["--since: “2026-02-30”", "a date"]),
            Mistake("run", "--since", names: ["--since requires a value"]),
            Mistake("run", "--jobs", "65", names: ["--jobs: “65”", "1 to 64"]),
            Mistake("run", "--quiet=maybe", names: ["--quiet: “maybe” is not “yes” or “no”"]),
            Mistake("run", "--root", "", names: ["--root: “”"]),
            Mistake("run", "--dry-run", names: ["--once"]),
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
            Mistake("favorites", "remove", "2026-11-20", "--held", names: ["--held"]),
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
            try await withSite(days: 1) { site in
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
                #expect(try TreeImage(of: site.folder).files == [:])
            }
        }

        /// Values that a setting refuses, each with a part of the reason.
        static let wrongValues: [(option: String, value: String, reason: String)] = [
            ("log-level", "loud", "warning"), ("since", "2090-13-01", "a date"),
            ("since", "1995-06-15", "1995-06-16"), ("min-free", "lots", "1GiB"),
            ("min-free", "99999999999999999999", "a size"), ("keep", "0", "more than 0"),
            ("pace", "901s", "at most 15m"), ("pace", "9223372036854775807ms", "at most 15m"),
            ("upstream", "nasa.gov", "https:"), ("upstream", "ftp://nasa.gov/", "https:"),
            ("upstream", "http:///x/", "https:"), ("feed", "rss", "auto, basic or v1"),
            ("upstream", "ftp://u:secret@nasa.gov/", "“ftp://nasa.gov/”"),
            ("upstream", "nasa.gov/?api_key=secret", "“nasa.gov/"),
            ("mirrors", "apod.com", "“off”"), ("mirrors", "https://apod.com/,", "“off”"),
            ("mirrors", "https://u:p@apod.com/", "“off”"), ("thumbnails", "2", "“yes” or “no”"),
            ("base-url", "http://bücher.example/ä/", "in ASCII, such as http://xn--"),
        ]

        @Test(arguments: wrongValues)
        func aWrongValueIsExplained(option: String, value: String, reason: String) throws {
            let setting = try #require(Settings.all.first { $0.option.name == option })
            var settings = Settings(root: "/")
            let error = #expect(throws: Setting.InvalidValue.self) {
                try setting.read(&settings, value)
            }
            let problem = "\(try #require(error))"

            #expect(problem.contains(reason) && !problem.contains("secret"), "\(problem)")
        }

        @Test(arguments: [
            "https://me.org/?x", "https://me.org/#x", "https://me:secret@me.org/",
            "https://me.org/a b/", "me.org/apod", "/apod", "ftp://me.org/", "https://",
            "http:///x/", "",
        ])
        func whatIsNoAddressOfADirectoryIsNoBaseURL(value: String) throws {
            var settings = Settings(root: "/")

            let error = #expect(throws: Setting.InvalidValue.self) {
                try Settings.baseURL.read(&settings, value)
            }

            let problem = "\(try #require(error))"
            #expect(problem.contains("without user, blank, question mark and fragment"))
        }

        /// Variables for the daemon do not apply to other commands, and Kubernetes and Docker name variables after the
        /// service “apod-mirror”.
        @Test func variablesApplyOnlyToCommandsWithTheOption() async throws {
            try await withMirroredSite(days: 1) { site in
                var environment = [
                    "APOD_MIRROR_ROOT": site.root, "APOD_MIRROR_JOBS": "lots",
                    "APOD_MIRROR_ELSEWHERE": "x",
                ]
                for word in [
                    "PORT", "HOST", "NAME", "URL", "TAG", "DATA", "TEST", "FOO", "ID",
                    "SERVICE_HOST", "SERVICE_PORT", "PORT_80_TCP", "PORT_80_TCP_ADDR",
                ] {
                    environment["APOD_MIRROR_\(word)"] = "tcp://10.0.0.1:80"
                }

                let ending = try await site.end(
                    "show", "latest", environment: environment)

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
                let (word, other) = isOn ? ("yes", "no") : ("no", "yes")
                let endings = [
                    try await site.mirror(
                        "--since", "1d", thumbnails: true,
                        environment: [
                            "APOD_MIRROR_QUIET": word, "APOD_MIRROR_THUMBNAILS": word,
                            "APOD_MIRROR_RECHECK": word,
                        ]),
                    try await site.mirror(
                        "--since", "1d", "--quiet=\(word)", "--thumbnails", word,
                        "--recheck=\(word)",
                        // An option overrides its variable.
                        environment: ["APOD_MIRROR_SINCE": "never", "APOD_MIRROR_QUIET": other]),
                ]

                for ending in endings {
                    #expect(ending.code == 0, "\(ending)")
                    #expect(ending.errors.isEmpty == isOn, "\(ending)")
                }
                let thumbnail = Layout.thumbnail(of: Site.today)
                #expect((try site.tree().files[thumbnail] != nil) == isOn)
            }
        }
    }
}
