import Platform

/// Pictures drawn in the terminal by an installed tool: chafa, kitten, wezterm, img2sixel, timg or viu.
enum TerminalPicture {
    /// Draws the picture at `path` at the cursor and moves the cursor below it.
    ///
    /// Nothing is drawn if standard output is not a terminal, or no installed tool can draw in it. Failures are not
    /// reported: the text names the path of the picture.
    static func draw(_ path: String, environment: [String: String]) async {
        guard let terminal = StandardStream.output.size, terminal.rows > 0 else { return }
        let (columns, rows) = (min(terminal.columns, 100), terminal.rows * 2 / 3)
        func tool(_ pictureProtocol: PictureProtocol) -> ExternalProgram? {
            tools(for: pictureProtocol, columns, rows).lazy.compactMap { name, options in
                ExternalProgram(
                    name, options + ["--", path], in: environment["PATH"],
                    inheriting: .output)
            }.first
        }
        let protocols = PictureProtocol.supported(by: environment) {
            tool(.sixel) != nil && StandardStream.output.terminalAttributes().contains(4)
        }
        guard let tool = protocols.lazy.compactMap(tool).first else { return }
        if await tool.run(limit: .seconds(10)) {
            StandardStream.output.write("\n")
        } else {
            // Ends an unfinished control string and resets colours: ST and SGR of ECMA-48.
            StandardStream.output.write(styled: "\u{1b}\\\u{1b}[0m")
        }
    }

    /// The tools for a protocol in order of preference, with their options for a still picture of at most
    /// this size in cells.
    private static func tools(
        for pictureProtocol: PictureProtocol, _ columns: Int, _ rows: Int
    ) -> [(name: String, options: [String])] {
        let size = "\(columns)x\(rows)"
        // In pixels, for cells of the usual size.
        let height = rows * 20
        func chafa(_ format: String) -> (String, [String]) {
            ("chafa", ["--format=\(format)", "--size=\(size)", "--animate=off"])
        }
        func timg(_ letter: String) -> (String, [String]) {
            ("timg", ["-p\(letter)", "-g\(size)", "--frames=1"])
        }
        let icat = ["icat", "--stdin=no", "--align=left", "--loop=0"]
        return switch pictureProtocol {
        case .kitty:
            [("kitten", icat), ("kitty", ["+kitten"] + icat), chafa("kitty"), timg("k")]
        case .iterm: [("wezterm", ["imgcat"]), chafa("iterm"), timg("i")]
        case .sixel:
            [chafa("sixels"), ("img2sixel", ["--static", "--height=\(height)"]), timg("s")]
        case .symbols:
            [
                chafa("symbols"), timg("q"),
                ("viu", ["--static", "--blocks", "--width=\(min(columns, rows * 2))"]),
            ]
        }
    }
}
