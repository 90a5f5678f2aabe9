/// Makes foreign text safe for a terminal, a log and a desktop.
///
/// Titles from NASA, reasons of servers and names in `favorites/` may contain escape sequences that move the
/// cursor, change the title of the window or reverse the reading order.
///
/// - ``StandardStream/write(_:)``, ``Log``, ``ServiceManager/Message/status(_:)`` and ``TerminalText`` do
///   this for all text.
/// - A message that quotes foreign text uses ``excerpt``: `"redirected to \(location.excerpt)"`.
/// - JSON is written by ``StandardStream/write(json:)``, which escapes instead of replacing.
extension String {
    /// The text with `U+FFFD` in place of each character that a terminal would obey, except line feeds and
    /// tabs.
    package var printable: String {
        replacing { $0 == "\n" || $0 == "\t" ? String($0) : "\u{FFFD}" }
    }

    /// The printable text on one line, with spaces in place of line breaks and tabs.
    package var printableLine: String {
        replacing { Self.blanks.contains($0) ? " " : "\u{FFFD}" }
    }

    /// The first 200 Unicode scalars on one line, for foreign text within a message.
    package var excerpt: String { excerpt(200) }

    /// The first `limit` Unicode scalars on one line, with “…” as the last if there are more.
    ///
    /// Scalars are counted because a character may have thousands of them.
    package func excerpt(_ limit: Int) -> String {
        guard !unicodeScalars.dropFirst(limit).isEmpty else { return printableLine }
        let start = String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))
        return String(start).printableLine + "…"
    }

    /// This JSON document with `\u` escapes in place of characters that a terminal would obey.
    ///
    /// In valid JSON such a character stands within a string, except blanks.
    package var escapedJSON: String {
        replacing { scalar in
            if scalar == "\n" || scalar == "\t" || scalar == "\r" { return String(scalar) }
            // No terminal control has more than four digits.
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static let blanks: Set<Unicode.Scalar> = [
        "\n", "\r", "\t", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    private func replacing(_ replacement: (Unicode.Scalar) -> String) -> String {
        var text = ""
        // Text without controls is copied as a whole, because a search prints many lines.
        var rest = self[...]
        while let control = rest.unicodeScalars.firstIndex(where: \.isTerminalControl) {
            text += rest[..<control]
            text += replacement(rest.unicodeScalars[control])
            rest = rest[rest.unicodeScalars.index(after: control)...]
        }
        return text.isEmpty ? String(rest) : text + rest
    }
}

extension Unicode.Scalar {
    /// Whether a terminal obeys the character instead of showing it: C0, DEL, C1, line separators and
    /// controls of the writing direction; see ECMA-48 and UAX #9.
    fileprivate var isTerminalControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
