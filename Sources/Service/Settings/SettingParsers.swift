internal import APOD
internal import Favorites
internal import MediaFormat
package import Mirror
internal import Platform
internal import Transfer

// The parsers of the values of ``Setting``s; they return `nil` for an invalid text.

extension Since {
    /// Parses `30d`, `all`, or a date in one of the forms of ``DayArgument``.
    package init?(argument text: String) {
        guard let since = Since(text) ?? DayArgument.dayWithoutMirror(text).map(Since.day) else {
            return nil
        }
        self = since
    }
}

extension Duration {
    /// Parses a time of at most 15 minutes: `500ms`, `90s`, `15m`, or seconds without a unit, `90`.
    init?(pace text: String) {
        // `ms` comes before `s`, which is also its suffix.
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
        let unit = units.first { text.hasSuffix($0.suffix) } ?? ("", 1)
        guard let number = Double(decimal: text.dropLast(unit.suffix.count)) else { return nil }
        let seconds = number * unit.seconds
        guard seconds <= 15 * 60 else { return nil }
        self = .milliseconds(Int((seconds * 1000).rounded()))
    }
}

extension Settings {
    /// Parses a number within `range`.
    static func number(_ text: String, _ range: some RangeExpression<Int>) -> Int? {
        guard let number = Int(text), range.contains(number) else { return nil }
        return number
    }

    /// Parses a number of bytes, with or without a unit: `1GiB`, `1073741824`.
    @Sendable static func size(_ text: String) -> Int? {
        ByteCount(typed: text)?.bytes ?? number(text, 0...)
    }

    /// Parses a size in pixels such as `1920x1080`.
    @Sendable static func pixelSize(_ text: String) -> PixelSize? {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
            .compactMap { number(String($0), 1...65_535) }
        // `1x2xy` and `01x2` have two valid sides, too, and are rejected.
        guard sides.count == 2, "\(sides[0])x\(sides[1])" == text else { return nil }
        return PixelSize(width: sides[0], height: sides[1])
    }

    /// Parses an address with `http:` or `https:` and a host.
    @Sendable static func webURL(_ text: String) -> WebURL? {
        // libcurl ignores a third slash: in `http:///x/`, it would take x for the host.
        guard !text.contains(":///"), let url = try? WebURL(text), url.isWeb, !url.host.isEmpty
        else { return nil }
        return url
    }

    /// Parses `off`, or the URLs of mirrors of NASA's old site: `https://apod.com/en/,http://www.star.ucl.ac.uk/~apod/apod/`.
    ///
    /// A URL with a user or a password is rejected, because messages and `service.json` contain the URLs.
    @Sendable static func classicMirrors(_ text: String) -> [ClassicMirror]? {
        if text == "off" { return [] }
        // `WebURL` would encode a blank.
        if text.contains(" ") { return nil }
        var mirrors: [ClassicMirror] = []
        for address in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let url = webURL(String(address)), !url.hasCredentials else { return nil }
            mirrors.append(ClassicMirror(url))
        }
        return mirrors
    }

    /// Parses the URL of a directory: `https://example.org/apod` becomes `https://example.org/apod/`.
    ///
    /// Feeds contain the URL as it is, and everyone may read them. So a URL with a user or a password is rejected, and one with
    /// characters that a URL must encode.
    static func directoryURL(_ text: String) -> String? {
        guard let url = webURL(text), !url.hasCredentials,
            // All characters of ASCII that are visible.
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"?#".utf8.contains($0) })
        else { return nil }
        return url.path.hasSuffix("/") ? url.text : url.text + "/"
    }
}
