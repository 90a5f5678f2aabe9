package import Platform

/// Colour for people: on a terminal that knows it, and never where `NO_COLOR` is set.
///
/// See no-color.org and terminfo(5).
package struct TerminalStyle: Sendable {
    /// How a text shows.
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
