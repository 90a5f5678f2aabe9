/// Text from elsewhere, made safe for a terminal, a log and a desktop.
///
/// Titles come from NASA, reasons from servers, names from whoever may write to `favorites/`: any of them
/// may hold escape sequences that move the cursor, retitle the window or reverse the reading order.
///
/// - ``Output/write(_:)``, ``Log``, ``ServiceManager/Message/status(_:)`` and ``TerminalText`` clean all
///   that they are given: a caller has nothing to do.
/// - A message that quotes foreign text uses ``excerpt``: `"redirected to \(location.excerpt)"`.
/// - JSON goes out by ``Output/write(json:)``, which escapes instead of replacing.
extension String {
    /// The same text; each character that a terminal would obey is replaced by `U+FFFD`.
    ///
    /// Line feeds and tabs stay.
    package var printable: String {
        replacing { $0 == "\n" || $0 == "\t" ? $0 : "\u{FFFD}" }
    }

    /// The same on one line: what ends a line, and a tab, becomes a blank.
    package var printableLine: String {
        replacing { Self.blanks.contains($0) ? " " : "\u{FFFD}" }
    }

    /// The beginning of it on one line, at most 200 characters: foreign text within a message.
    package var excerpt: String { excerpt(200) }

    /// The same with another limit.
    ///
    /// Unicode scalars count: one character may have thousands of accents.
    package func excerpt(_ limit: Int) -> String {
        let scalars = unicodeScalars.prefix(limit + 1)
        guard scalars.count > limit else { return printableLine }
        return String(String.UnicodeScalarView(scalars.dropLast(2))).printableLine + "…"
    }

    /// A JSON document whose strings have such characters as `\u` escapes.
    package var escapedJSON: String {
        replacing { scalar in
            if scalar == "\n" || scalar == "\t" || scalar == "\r" { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private static let blanks: Set<Unicode.Scalar> = [
        "\n", "\r", "\t", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    private func replacing(_ replacement: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        replacing { scalar in String(replacement(scalar)) }
    }

    private func replacing(_ replacement: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isObeyed {
                text += replacement(scalar)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may do something else than show it: C0, DEL, C1, line separators, and what
    /// changes the direction of writing; see ECMA-48 and UAX #9.
    fileprivate var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text as one word of a command line that a person may copy: in quotes where a shell would
    /// read it otherwise.
    package var shellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "/._-+=:@%,".utf8.contains(byte)
                }
            }
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}

/// `1 day`, `2 days`: a number and what it counts.
///
/// `many` is the plural, where that is not the singular and an s.
package func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? "\(one)s")"
}
