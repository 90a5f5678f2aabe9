/// A link to the page of a day of the archive, in the forms that NASA's texts have.
///
/// - `apod.nasa.gov/apod/ap261120.html`, also on earlier hosts.
/// - `science.nasa.gov/ap261120.html`: the move of 2026 made such links of relative ones, and the page does not exist.
/// - `www.star.ucl.ac.uk/~apod/apod/ap261120.html`, a mirror of the old site on any host: no other page has such a name.
/// - `ap261120.html`, as pages of the old site name each other.
/// - `science.nasa.gov/image-article/apod-2026-november-20-the-crab-nebula/`, an article.
package struct ArchiveLink: Hashable, Sendable {
    package let day: Day
    /// NASA's page of the day, `https://apod.nasa.gov/apod/ap261120.html`; the link itself for an article or unknown host.
    package let webAddress: String

    private static let hosts = [
        "apod.nasa.gov", "www.apod.nasa.gov", "science.nasa.gov", "antwrp.gsfc.nasa.gov",
        "apod.gsfc.nasa.gov",
        // Mirrors of the old site, with the same names.
        "apod.com", "www.apod.com", "star.ucl.ac.uk", "www.star.ucl.ac.uk",
        "zuserver2.star.ucl.ac.uk",
    ].map { Array($0.utf8) }

    /// Parses the value of `href`; `nil` if it leads elsewhere.
    package init?(_ link: String) {
        guard Self.mayNameDay(link.utf8) else { return nil }
        var path = link.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .map(\.lowercased)[...]
        let scheme = ["https:", "http:"].first { path.starts(with: $0.utf8) } ?? ""
        path = path.dropFirst(scheme.utf8.count)
        /// Whether the link names no host, or one of NASA or of a known mirror of the old site.
        let isOnKnownHost: Bool
        if path.starts(with: "//".utf8) {
            let host = path.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard !host.isEmpty else { return nil }
            isOnKnownHost = Self.hosts.contains(where: host.elementsEqual)
            path = path[host.endIndex...]
        } else {
            // A colon in the first part belongs to another scheme, such as `mailto:`.
            let first = path.prefix { $0 != UInt8(ascii: "/") }
            guard scheme.isEmpty, !first.contains(UInt8(ascii: ":")) else { return nil }
            isOnKnownHost = true
        }
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard let name = parts.last else { return nil }
        var ownAddress: String?
        if let day = Self.day(ofPage: name) {
            self.day = day
            if !isOnKnownHost { ownAddress = link.encodedWebLink }
        } else if isOnKnownHost, parts.first?.elementsEqual("image-article".utf8) == true,
            let day = DateInName(startOf: name)?.day
        {
            self.day = day
            ownAddress = link.encodedWebLink
        } else {
            return nil
        }
        webAddress = ownAddress ?? "https://apod.nasa.gov/apod/ap\(day.compact).html"
    }

    /// The links in `html`, as ``ExplanationMarkup`` writes it, in their order.
    package static func all(in html: String) -> [ArchiveLink] {
        var links: [ArchiveLink] = []
        var rest = Array(html.utf8)[...]
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let isLink = rest[..<equals].suffix(4).elementsEqual("href".utf8)
            rest = rest[(equals + 1)...]
            guard isLink, let quote = rest.first, "\"'".utf8.contains(quote) else { continue }
            let start = rest.startIndex + 1
            let end = rest[start...].firstIndex(of: quote) ?? rest.endIndex
            let value = rest[start..<end]
            rest = rest[end...]
            guard mayNameDay(value) else { continue }
            if let link = ArchiveLink(String(decoding: value, as: UTF8.self)) { links.append(link) }
        }
        return links
    }

    /// Whether the link has the digits of a date: a quick test that nearly all links fail.
    private static func mayNameDay(_ link: some Collection<UInt8>) -> Bool {
        link.count { $0.isDigit } >= 4
    }

    /// `ap261120.html` names 2026-11-20; `nil` for other names.
    private static func day(ofPage name: ArraySlice<UInt8>) -> Day? {
        guard name.starts(with: "ap".utf8) else { return nil }
        let digits = name.dropFirst(2).prefix(while: \.isDigit)
        let rest = name[digits.endIndex...]
        guard [".html", ".htm"].contains(where: { rest.elementsEqual($0.utf8) }) else { return nil }
        return Day(compact: String(decoding: digits, as: UTF8.self))
    }
}
