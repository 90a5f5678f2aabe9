import Testing

extension WholeProgram {
    /// The destinations and the format of the output.
    @Suite(.timeLimit(.minutes(10))) struct OutputTests {
        private static let escape = "\u{1b}["

        @Test(arguments: [["help"], ["run", "--help"], ["doctor", "--offline"]])
        func onlyTerminalsGetColors(words: [String]) async throws {
            try await withSite { site in
                let piped = try await site.start(words).end()
                let shown = try await site.start(words, screen: Pseudoterminal(columns: 100)).end()

                #expect(!piped.output.contains(Self.escape), "\(piped)")
                #expect(shown.output.contains(Self.escape), "\(shown)")
            }
        }

        @Test(arguments: [["NO_COLOR": "1"], ["NO_COLOR": "0"], ["TERM": "dumb"]])
        func noColorTurnsColorsOff(environment: [String: String]) async throws {
            try await withSite { site in
                let ending = try await site.start(
                    ["doctor", "--offline"], environment: environment,
                    screen: Pseudoterminal(columns: 100)
                ).end()

                #expect(ending.output.contains("ok ") && !ending.output.contains(Self.escape))
            }
        }

        @Test(arguments: ["help", "run --help", "status", "doctor --offline"])
        func aClosedPipeIsNoError(words: String) async throws {
            try await withMirroredSite { site in
                let ending = try await site.shell(
                    "set -o pipefail; \(Program.path) \(words) | head -n 1")

                #expect(ending.code == 0 && ending.errors == "", "\(ending)")
                #expect(ending.output.split(separator: "\n").count == 1)
            }
        }

        @Test func aFullDiskBehindStandardOutputIsReported() async throws {
            try await withSite { site in
                let ending = try await site.shell("\(Program.path) help > /dev/full")

                #expect(ending.code == 6 && ending.sentences.count == 1, "\(ending)")
                #expect(ending.errors.contains("standard output"))
                // The disk of the mirror is not full.
                #expect(!ending.errors.contains("--min-free"))
                #expect(ending.errors.contains("; send the output to another place"))
            }
        }

        /// Otherwise the first opened file would become standard output.
        @Test func closedStandardStreamsAreNotReusedForFiles() async throws {
            try await withMirroredSite { site in
                let before = try site.tree().lasting

                let ending = try await site.shell("\(Program.path) status <&- >&- 2>&-")

                #expect(ending.code == 0, "\(ending)")
                #expect(try site.tree().lasting == before)
            }
        }
    }
}

extension Site {
    /// Runs a line of bash, in which `APOD_MIRROR_ROOT` is the mirror.
    func shell(_ line: String) async throws -> Ending {
        try await Program(
            ["bash", "-c", line], environment: ["HOME": home, "APOD_MIRROR_ROOT": root]
        ).end()
    }
}
