package import Platform

/// Styles text if the output is a terminal with colours and `NO_COLOR` is not set.
///
/// See no-color.org and terminfo(5).
package struct TerminalStyle: Sendable {
    /// The parameters of the escape sequence SGR; see console_codes(4).
    package enum Style: Int, Sendable {
        case bold = 1, red = 31, green = 32, yellow = 33
    }

    private let isOn: Bool

    package init(_ output: StandardStream, environment: [String: String]) {
        isOn =
            output.isTerminal && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }

    package func callAsFunction(_ text: String, _ style: Style) -> TerminalText {
        isOn ? "\u{1b}[\(style.rawValue)m\(text)\u{1b}[0m" : "\(text)"
    }
}
