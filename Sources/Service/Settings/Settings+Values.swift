internal import APOD
internal import Favorites
internal import FoundationEssentials
package import Mirror
internal import Platform
internal import Transfer
internal import Views

// Parsers for the values of settings; `nil` or a text mean that a value is not valid.

extension Since {
    /// Parses `30d`, `all` or a date, as ``DayArgument`` does.
    package init?(argument text: String) {
        guard let since = Since(text) ?? DayArgument.dayWithoutMirror(text).map(Since.day) else {
            return nil
        }
        self = since
    }
}

extension Duration {
    /// Parses a time of at most ten years, such as `500ms`, `90s`, `30m`, `12h` or `2d`.
    ///
    /// A number alone is one of seconds.
    init?(argument text: String) {
        let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
        let (suffix, unit) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        guard let count = Double(decimal: text.dropLast(suffix.count)),
            count * unit <= 3650 * 86_400
        else { return nil }
        self = .milliseconds(Int((count * unit * 1000).rounded()))
    }
}

extension Settings {
    /// A number within `range`.
    static func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { range ~= $0 ? $0 : nil }
    }

    /// A number of bytes, with a unit or without: `1GiB`.
    @Sendable static func size(_ text: String) -> Int? {
        if let bytes = ByteSize.bytes(in: text) { return bytes }
        return Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }

    @Sendable static func webURL(_ text: String) -> WebURL? {
        (try? WebURL(text)).flatMap { $0.isWeb && !$0.host.isEmpty ? $0 : nil }
    }

    /// `off`, or URLs separated by commas.
    @Sendable static func classicMirrors(_ text: String) -> [ClassicMirror]? {
        if text == "off" { return [] }
        if text.contains(" ") { return nil }
        let mirrors = text.split(separator: ",", omittingEmptySubsequences: false).map {
            webURL(String($0)).flatMap { $0.hasCredentials ? nil : ClassicMirror($0) }
        }
        return mirrors.contains(nil) ? nil : mirrors.compactMap(\.self)
    }

    /// A URL with a slash at its end, to which paths are appended.
    static func address(ofDirectory text: String) -> String? {
        // A password would stand in the feed, which everyone may read. Other bytes are percent-encoded in an address.
        guard let url = webURL(text), !url.hasCredentials,
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !"?#".utf8.contains($0) })
        else { return nil }
        return url.path.hasSuffix("/") ? url.text : url.text + "/"
    }

    /// Sets the longer and the shorter side of a wallpaper to those of a size such as `1920x1080`.
    mutating func readWallpaperSize(_ text: String) -> String? {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false)
            .compactMap { Self.number(String($0), 1...65_535) }
        guard sides.count == 2, "\(sides[0])x\(sides[1])" == text else {
            return "“\(text)” is not a size in pixels such as 1920x1080"
        }
        views.wallpapers.longSide = max(sides[0], sides[1])
        views.wallpapers.shortSide = min(sides[0], sides[1])
        return nil
    }

    /// Sets the file for metrics, which must not lie in the mirror.
    mutating func readMetricsFile(_ text: String) -> String? {
        do {
            metricsFile = try MetricsFile(text, root: root)
            return nil
        } catch {
            return "\(error); name a file in a directory that this user may write to"
        }
    }
}
