/// A protocol for pictures in a terminal.
enum PictureProtocol: CaseIterable {
    case kitty, iterm, sixel
    /// Coloured Unicode characters; coarse, but widely supported.
    case symbols

    /// The protocols that a terminal supports.
    ///
    /// - Parameters:
    ///   - environment: The variables that identify the terminal.
    ///   - hasSixel: Queries the terminal; called only if needed.
    /// - Returns: In order of preference; empty if no picture is wanted.
    static func supported(
        by environment: [String: String], hasSixel: () -> Bool
    ) -> [PictureProtocol] {
        func value(_ name: String) -> String { environment[name] ?? "" }
        let terminal = value("TERM")
        guard !terminal.isEmpty, terminal != "dumb", value("NO_COLOR").isEmpty else { return [] }
        // A multiplexer inherits the variables of the terminal around it, but not its protocols.
        let isMultiplexed =
            !value("TMUX").isEmpty || !value("STY").isEmpty || terminal.hasPrefix("screen")
            || terminal.hasPrefix("tmux")
        let names: Set =
            isMultiplexed ? [] : [terminal, value("TERM_PROGRAM"), value("LC_TERMINAL")]
        if !names.isDisjoint(with: ["xterm-kitty", "xterm-ghostty", "ghostty"])
            || !isMultiplexed && !value("KITTY_WINDOW_ID").isEmpty
        {
            return [.kitty]
        }
        if !names.isDisjoint(with: ["WezTerm", "iTerm.app", "iTerm2"]) { return [.iterm] }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(value).first { !$0.isEmpty } ?? ""
        let isUnicode = ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
        return (hasSixel() ? [.sixel] : []) + (isUnicode ? [.symbols] : [])
    }
}
