package import Platform

/// Colors text for standard output if that is a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
package struct TerminalStyle: Sendable {
    /// A style; its raw value is the parameter of the escape sequence SGR, see console_codes(4).
    package enum Style: Int, Sendable {
        case bold = 1, red = 31, green = 32, yellow = 33
    }

    private let isOn: Bool

    package init(environment: [String: String]) {
        isOn =
            StandardStream.output.isTerminal && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Returns the text in this style, filled with blanks to `width` characters: `style("Options:", .bold)`.
    package func callAsFunction(_ text: String, _ style: Style, width: Int = 0) -> TerminalText {
        let padding = String(repeating: " ", count: max(0, width - text.count))
        return isOn ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m\(padding)" : "\(text)\(padding)"
    }
}
