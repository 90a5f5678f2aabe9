import Platform

/// A picture drawn into the terminal by a tool that is installed: chafa, kitten, wezterm, img2sixel,
/// timg or viu.
///
/// What cannot be drawn is left out without a word: the text says where the picture is.
struct TerminalPicture {
    private let tool: ExternalProgram

    /// `nil` where standard output is no terminal, or nothing here can draw in it.
    ///
    /// - Parameters:
    ///   - path: The picture, absolute.
    ///   - environment: The variables of the process.
    init?(of path: String, environment: [String: String]) {
        guard let terminal = Terminal() else { return nil }
        let frame = Frame(columns: min(terminal.columns, 100), rows: terminal.rows * 2 / 3)
        func tool(_ way: PictureProtocol) -> ExternalProgram? {
            Self.tools(for: way, in: frame).lazy.compactMap { name, options in
                ExternalProgram(
                    name, options + ["--", path], in: environment["PATH"],
                    inheriting: .output)
            }.first
        }
        let ways = PictureProtocol.known(to: environment) {
            tool(.sixel) != nil && terminal.attributes().contains(4)
        }
        guard let tool = ways.lazy.compactMap(tool).first else { return nil }
        self.tool = tool
    }

    /// Draws it at the cursor, which is below it afterwards.
    func draw() async {
        if await tool.run(limit: .seconds(10)) {
            StandardStream.output.write("\n")
        } else {
            // Whatever it was in the middle of, the text is text again: see ECMA-48, ST and SGR.
            StandardStream.output.write(styled: "\u{1b}\\\u{1b}[0m")
        }
    }

    /// The cells that the picture may take.
    private struct Frame {
        let columns: Int
        let rows: Int

        var text: String { "\(columns)x\(rows)" }
        /// In pixels, of cells as large as usual.
        var height: Int { rows * 20 }
    }

    /// The tools that draw in a certain way, the best first, each with its options for a still picture.
    private static func tools(
        for way: PictureProtocol, in frame: Frame
    ) -> [(name: String, options: [String])] {
        func chafa(_ format: String) -> (String, [String]) {
            ("chafa", ["--format=\(format)", "--size=\(frame.text)", "--animate=off"])
        }
        func timg(_ letter: String) -> (String, [String]) {
            ("timg", ["-p\(letter)", "-g\(frame.text)", "--frames=1"])
        }
        let icat = ["icat", "--stdin=no", "--align=left", "--loop=0"]
        return switch way {
        case .kitty:
            [("kitten", icat), ("kitty", ["+kitten"] + icat), chafa("kitty"), timg("k")]
        case .iterm: [("wezterm", ["imgcat"]), chafa("iterm"), timg("i")]
        case .sixel:
            [chafa("sixels"), ("img2sixel", ["--static", "--height=\(frame.height)"]), timg("s")]
        case .symbols:
            [
                chafa("symbols"), timg("q"),
                ("viu", ["--static", "--blocks", "--width=\(min(frame.columns, frame.rows * 2))"]),
            ]
        }
    }
}
