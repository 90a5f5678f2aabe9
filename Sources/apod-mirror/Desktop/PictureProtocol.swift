/// A way to show a picture in a terminal.
enum PictureProtocol: CaseIterable {
    case kitty, iterm, sixel
    /// Coloured letters: coarse, and possible nearly everywhere.
    case symbols

    /// Tells what a terminal understands.
    ///
    /// - Parameters:
    ///   - environment: The variables by which terminals make themselves known.
    ///   - hasSixel: Asked only where it matters, because it takes a question to the terminal.
    /// - Returns: The ways, the best first; none where no picture is wanted.
    static func known(
        to environment: [String: String], hasSixel: () -> Bool
    ) -> [PictureProtocol] {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let terminal = value("TERM")
        guard !terminal.isEmpty, terminal != "dumb", value("NO_COLOR").isEmpty else { return [] }
        // What they inherited tells of the terminal around them, which they hide.
        let isMultiplexed =
            !value("TMUX").isEmpty || !value("STY").isEmpty || terminal.hasPrefix("screen")
            || terminal.hasPrefix("tmux")
        let names = isMultiplexed ? [] : [terminal, value("TERM_PROGRAM"), value("LC_TERMINAL")]
        if !names.isDisjoint(from: ["xterm-kitty", "xterm-ghostty", "ghostty"])
            || !isMultiplexed && !value("KITTY_WINDOW_ID").isEmpty
        {
            return [.kitty]
        }
        if !names.isDisjoint(from: ["WezTerm", "iTerm.app", "iTerm2"]) { return [.iterm] }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value).first { !$0.isEmpty } ?? ""
        let isUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
        return (hasSixel() ? [.sixel] : []) + (isUnicode ? [.symbols] : [])
    }
}

extension [String] {
    fileprivate func isDisjoint(from other: [String]) -> Bool {
        Set(self).isDisjoint(with: other)
    }
}
