/// Text with escape sequences for a terminal, such as for bold letters, that is safe even if parts of it come from NASA.
///
/// Literals stay as they are, and may contain escape sequences. Interpolated values are made printable:
/// `TerminalText("\u{1b}[1m\(title)\u{1b}[0m")` is safe for any title.
package struct TerminalText: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text with its escape sequences, as the terminal gets it.
    package private(set) var text: String

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation interpolation: StringInterpolation) {
        text = interpolation.text
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += "\(value)".printable
        }

        package mutating func appendInterpolation(_ value: TerminalText) { text += value.text }
    }

    package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        "\(left)\(right)"
    }
}

extension Sequence<TerminalText> {
    /// Joins the texts with `separator` in between.
    package func joined(separator: TerminalText = "") -> TerminalText {
        TerminalText(stringLiteral: map(\.text).joined(separator: separator.text))
    }
}
