/// The address in a `.desktop` file of `Type=Link` or a `.url` file of Windows.
struct DesktopEntry {
    let kind: ReferenceKind
    /// `nil` if the file contains none.
    let address: String?

    /// `nil` if `bytes` are no such file.
    init?(_ bytes: [UInt8]) {
        let lines = Self.text(bytes).split(whereSeparator: \.isNewline).map(Self.trimmed)
        if let entry = Self.section("[Desktop Entry]", of: lines) {
            kind = .desktop
            address = entry.contains("Type=Link") ? Self.address(entry) : nil
        } else if let entry = Self.section("[InternetShortcut]", of: lines) {
            kind = .url
            address = Self.address(entry)
        } else {
            return nil
        }
    }

    private static func section(_ header: String, of lines: [Substring]) -> ArraySlice<Substring>? {
        guard let start = lines.firstIndex(of: header[...]) else { return nil }
        return lines[(start + 1)...].prefix { !$0.hasPrefix("[") }
    }

    /// The value of `URL=`, or of `URL[$e]=` and `URL[de]=` as KDE and GNOME write it.
    private static func address(_ lines: ArraySlice<Substring>) -> String? {
        for line in lines {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = trimmed(line[..<equals])
            guard key == "URL" || (key.hasPrefix("URL[") && key.hasSuffix("]")) else { continue }
            return String(trimmed(line[line.index(after: equals)...]))
        }
        return nil
    }

    /// The text of the file in UTF-8, or in UTF-16 with a byte order mark.
    private static func text(_ bytes: [UInt8]) -> String {
        let isWide = bytes.starts(with: [0xFF, 0xFE])
        let text = isWide ? ByteReader(bytes: bytes).wideText(2)[...] : bytes.withoutByteOrderMark
        return String(decoding: text, as: UTF8.self)
    }

    private static func trimmed(_ line: Substring) -> Substring {
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...end]
    }
}
