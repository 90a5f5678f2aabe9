package import Platform

/// Colors text that is printed on a terminal, unless `NO_COLOR` is set (no-color.org) or `TERM` is `dumb`.
package struct TerminalStyle: Sendable {
    /// The parameters of the escape sequence SGR; see console_codes(4).
    package enum Style: Int, Sendable {
        case bold = 1, red = 31, green = 32, yellow = 33
    }

    private let isOn: Bool

    package init(environment: [String: String]) {
        isOn =
            StandardStream.output.isTerminal && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    /// Returns the styled text, followed by spaces up to `width` characters.
    package func callAsFunction(_ text: String, _ style: Style, width: Int = 0) -> TerminalText {
        let padding = String(repeating: " ", count: max(0, width - text.count))
        return isOn ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m\(padding)" : "\(text)\(padding)"
    }
}
