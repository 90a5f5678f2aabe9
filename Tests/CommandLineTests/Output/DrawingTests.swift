import APOD
import Glibc
import Mirror
import Platform
import Testing

@testable import apod_mirror

extension WholeProgram {
    /// The picture that `show` draws in a terminal.
    @Suite(.timeLimit(.minutes(10))) struct DrawingTests {
        private static let utf8 = ["TERM": "xterm-256color", "LANG": "C.UTF-8"]
        private static let kitty = ["TERM": "xterm-kitty"]

        /// A tool that prints its name and arguments.
        private func makeTools(_ names: String..., in site: Site) throws {
            for name in names {
                try site.makeTool(name, "printf '<%s' \(name); printf ' %s' \"$@\"; printf '>'")
            }
        }

        /// The output of `show` for the newest day in a terminal.
        private func show(
            _ site: Site, _ options: [String] = [], _ environment: [String: String],
            answer: String? = nil
        ) async throws -> String {
            let terminal = try Pseudoterminal(columns: 60)
            let program = try Program(
                [Program.path, "show", "latest", "--root", site.root] + options,
                environment: ["HOME": site.home, "PATH": site.tools].merging(environment) { $1 },
                screen: terminal)
            if let answer {
                try await program.output.wait(for: "\u{1b}[c")
                _ = unsafe write(terminal.master, answer, answer.utf8.count)
            }
            let ending = try await program.end()
            #expect(ending.code == 0 && ending.errors == "", "\(ending)")
            return ending.output.replacing("\r\n", with: "\n")
        }

        private func withMirror(
            _ body: nonisolated(nonsending) (Site, _ picture: String) async throws -> Void
        ) async throws {
            try await withSite(days: 1) { site in
                _ = try await site.mirror()
                try await body(site, "\(site.root)/\(Layout.thumbnail(of: Site.today))")
            }
        }

        @Test func thePictureIsDrawnAboveTheText() async throws {
            try await withMirror { site, picture in
                try makeTools("chafa", in: site)

                let text = try await show(site, [], Self.utf8, answer: "\u{1b}[?65;1;9c")

                let drawn = "<chafa --format=symbols --size=60x16 --animate=off -- \(picture)>\n"
                #expect(text.contains("\(drawn)\(Site.today)  "), "\(text)")
            }
        }

        @Test func aTerminalWithSixelGetsSixel() async throws {
            try await withMirror { site, picture in
                try makeTools("img2sixel", "viu", in: site)

                let text = try await show(site, [], Self.utf8, answer: "\u{1b}[?62;4;6c")

                #expect(text.contains("<img2sixel --static --height=320 -- \(picture)>\n"))
                #expect(!text.contains("<viu"))
            }
        }

        @Test func kittyTerminalsAreNotQueried() async throws {
            try await withMirror { site, picture in
                try makeTools("chafa", "kitten", in: site)

                let text = try await show(site, [], Self.kitty)

                #expect(text.hasPrefix("<kitten icat "))
                #expect(text.contains(" -- \(picture)>\n\(Site.today)  "))
            }
        }

        /// Downloaded files are opened by sandboxed decoders only.
        @Test(arguments: ["nothing", "a link", "a fifo"])
        func withoutAThumbnailNothingIsDrawn(thing: String) async throws {
            try await withMirror { site, thumbnail in
                try makeTools("chafa", "kitten", in: site)
                _ = unsafe unlink(thumbnail)
                let picture = try #require(try site.tree().pictures.first)
                if thing == "a link" { _ = unsafe symlink("\(site.root)/\(picture)", thumbnail) }
                if thing == "a fifo" { _ = unsafe mkfifo(thumbnail, 0o600) }

                let text = try await show(site, [], Self.kitty)

                #expect(!text.contains("<chafa") && !text.contains("<kitten"), "\(text)")
                #expect(text.contains("\(Site.today)  "))
            }
        }

        /// `PictureProtocolTests` has more variables.
        @Test func withDrawingTurnedOffOnlyTheTextIsPrinted() async throws {
            let cases: [([String], [String: String])] = [
                (["--no-picture"], Self.kitty), (["--json"], Self.kitty),
                ([], ["NO_COLOR": "1"].merging(Self.kitty) { $1 }),
                ([], ["TERM": "xterm", "LANG": "C"]),
            ]
            try await withMirror { site, _ in
                try makeTools("viu", "kitten", in: site)
                for (options, environment) in cases {
                    let text = try await show(site, options, environment)

                    #expect(!text.contains("<kitten") && !text.contains("<viu"), "\(text)")
                    #expect(!text.contains("\u{1b}"), "\(text)")
                    #expect(text.hasPrefix(options == ["--json"] ? "{" : "\(Site.today)  "))
                }
            }
        }

        @Test func aFailingToolDoesNotSuppressTheText() async throws {
            try await withMirror { site, _ in
                try site.makeTool("kitten", "echo no such thing >&2; exit 1")

                let text = try await show(site, [], Self.kitty)

                #expect(text.hasPrefix("\u{1b}\\\u{1b}[0m\(Site.today)  "))
            }
        }

        @Test func outputToAPipeHasNoEscapeSequences() async throws {
            try await withMirror { site, _ in
                try makeTools("kitten", "chafa", in: site)

                let ending = try await site.start(
                    ["show", "latest", "--root", site.root],
                    environment: Self.kitty.merging(["PATH": site.tools]) { $1 }
                ).end()

                #expect(ending.output.hasPrefix("\(Site.today)  "), "\(ending)")
            }
        }

        @Test func theTerminalIsRestoredAfterAQuery() async throws {
            try await withMirror { site, _ in
                try makeTools("chafa", in: site)
                let terminal = try Pseudoterminal(columns: 60)
                let copy = dup(terminal.slave)
                defer { close(copy) }
                var (before, after) = (termios(), termios())
                unsafe tcgetattr(copy, &before)

                // The terminal does not respond: the query times out after half a second.
                let program = try Program(
                    [Program.path, "show", "latest", "--root", site.root],
                    environment: ["HOME": site.home, "PATH": site.tools]
                        .merging(Self.utf8) { $1 },
                    screen: terminal)
                try await program.output.wait(for: "Picture    ")

                unsafe tcgetattr(copy, &after)
                #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
                #expect(after.c_oflag == before.c_oflag)
            }
        }
    }
}

/// The picture protocol of a terminal, by its variables.
@Suite(.timeLimit(.minutes(10))) struct PictureProtocolTests {
    @Test(
        arguments: [
            (["TERM": "xterm-kitty"], [.kitty]),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], [.kitty]),
            (["TERM": "xterm-ghostty"], [.kitty]),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], [.iterm]),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], [.iterm]),
            (["TERM": "xterm"], [.sixel]),
            (["TERM": "xterm", "LANG": "de_DE.UTF-8"], [.sixel, .symbols]),
            (["TERM": "xterm", "LANG": "de_DE.UTF-8", "LC_ALL": "C"], [.sixel]),
            (
                ["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1", "LC_CTYPE": "C.utf8"],
                [.sixel, .symbols]
            ),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/x"], [.sixel]),
            (["TERM": "dumb", "KITTY_WINDOW_ID": "1"], []),
            (["TERM": "xterm-kitty", "NO_COLOR": "1"], []),
            (["KITTY_WINDOW_ID": "1"], []),
        ] as [([String: String], [PictureProtocol])])
    func theBestProtocolIsChosen(environment: [String: String], expected: [PictureProtocol]) {
        #expect(PictureProtocol.supported(by: environment) { true } == expected)
        let others = expected.filter { $0 != .sixel }
        #expect(PictureProtocol.supported(by: environment) { false } == others)
    }
}
