import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Foreign text reaches a terminal as text, never as a command.
    @Suite(.timeLimit(.minutes(10))) struct ForeignTextTests {
        /// Sets the window title by C0 and C1, reverses the text direction, breaks the line.
        private static let hostile =
            "Red\u{1b}]0;owned\u{7} \u{9d}0;owned\u{9c} \u{202E}dlrow\u{2066}\u{200F}\u{061C}\u{2028}end\u{7f}"
        private static let long = String(repeating: "long ", count: 4000)

        /// The characters of `text` that a terminal may execute.
        private static func commands(in text: String) -> [Unicode.Scalar] {
            text.unicodeScalars.filter { scalar in
                switch scalar.value {
                case 0x0A, 0x09: false
                case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E,
                    0x2066...0x2069:
                    true
                default: false
                }
            }
        }

        private static func expectHarmless(_ ending: Ending, mentions word: String? = nil) {
            #expect(commands(in: ending.output) == [], "\(ending)")
            #expect(commands(in: ending.errors) == [], "\(ending)")
            if let word { #expect((ending.output + ending.errors).contains(word), "\(ending)") }
        }

        @Test func controlCharactersInTitlesAreNotPrinted() async throws {
            try await withMirroredSite { site in
                try site.rewriteRecord {
                    $0.replacing("\"title\": \"", with: "\"title\": \"Red \u{9b}2J\u{202E}\u{7f}")
                }
                _ = try await site.read("favorites", "add", "latest")

                for words in [["show", "latest"], ["search", "red"], ["favorites", "list"]] {
                    let ending = try await site.read(words)

                    #expect(ending.code == 0, "\(ending)")
                    Self.expectHarmless(ending, mentions: "Red")
                }
                // JSON escapes them.
                for words in [["show", "latest", "--json"], ["search", "red", "--json"]] {
                    let ending = try await site.read(words)

                    Self.expectHarmless(ending)
                    #expect(ending.output.contains("\\u009b2J\\u202e\\u007f"))
                    #expect((try? ending.json) != nil)
                }
            }
        }

        @Test(arguments: [hostile, String(long.prefix(3000))])
        func textOfAServerIsShortenedAndSanitized(text: String) async throws {
            try await withMirroredSite { site in
                let faults: [Fault] = [
                    .json(
                        "{\"code\":\"\(text.escapedForJSON)\",\"message\":\"\(text.escapedForJSON)\"}"
                    ),
                    .redirect(to: "http://127.0.0.1:1/\(text.filter { $0.isASCII })"),
                    .verbatim(
                        status: 200,
                        headers: ["Content-Encoding": text.filter { $0.isASCII && !$0.isNewline }],
                        body: Array("{}".utf8)),
                ]
                for fault in faults {
                    site.simulator.clearFaults()
                    site.simulator.inject(fault, on: .lists, times: nil)

                    let once = try await site.mirror()
                    let status = try await site.read("status")

                    Self.expectHarmless(once)
                    Self.expectHarmless(status)
                    let longest = (once.errors + status.output).split(separator: "\n").map(\.count)
                    #expect((longest.max() ?? 0) < 1000, "\(once)")
                }
            }
        }

        @Test func namesAndTargetsInFavoritesAndArgumentsAreHarmless() async throws {
            try await withMirroredSite { site in
                for (name, target) in [
                    ("a\u{1b}]0;owned\u{7}\u{202E}", "nowhere\u{1b}[2J\u{9b}2J"),
                    ("plain", "/\u{9d}0;owned\u{9c}/\(Self.long.prefix(3000))"),
                ] {
                    _ = unsafe symlink(target, "\(site.root)/favorites/\(name)")
                }

                let list = try await site.read("favorites", "list")
                let once = try await site.mirror("--log-level", "debug")

                Self.expectHarmless(list, mentions: "plain")
                Self.expectHarmless(once)
                Self.expectHarmless(try await site.end("show", "\u{1b}[2J\u{202E}\u{9b}2J"))
                #expect(list.output.split(separator: "\n").allSatisfy { $0.count < 600 }, "\(list)")
            }
        }
    }
}

extension Site {
    /// Changes the text of a day's record, by default that of the newest.
    func rewriteRecord(of day: Day = Site.today, _ change: (String) -> String) throws {
        let path = Layout.recordPath(of: day)
        let record = try #require(try tree().files[path])
        try write(change(String(decoding: record, as: UTF8.self)), to: "apod/\(path)")
    }
}

extension String {
    fileprivate var escapedForJSON: String {
        String(JSON.string(self).line.dropFirst().dropLast())
    }
}
