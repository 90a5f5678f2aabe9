/// A link in NASA's texts to the page of another day, which the gallery turns into a link to its own page.
///
/// NASA's texts have such links in these forms:
/// - `apod.nasa.gov/apod/ap261120.html`, and the same on earlier hosts.
/// - `science.nasa.gov/ap261120.html`, a page that does not exist: NASA's move of 2026 made it of a relative link.
/// - `www.star.ucl.ac.uk/~apod/apod/ap261120.html`, and other mirrors of the old site: no other page has such a name.
/// - `ap261120.html`, as pages of the old site link to each other.
/// - `science.nasa.gov/image-article/apod-2026-november-20-the-crab-nebula/`, an article.
package struct ArchiveLink: Hashable, Sendable {
    package let day: Day
    /// The address of the page on the web, for a day that the mirror does not have.
    ///
    /// It is NASA's page `https://apod.nasa.gov/apod/ap261120.html`; for an article and for an unknown host, it is the link
    /// itself, unless that is relative.
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
        guard Self.mayNameDay(link.utf8), let target = Target(of: link) else { return nil }
        let parts = target.path.split(separator: UInt8(ascii: "/"))
        guard let name = parts.last else { return nil }
        if let day = Self.day(ofOldPage: name) {
            self.day = day
            let linkToUnknownHost = target.isOnKnownHost ? nil : link.encodedWebLink
            webAddress = linkToUnknownHost ?? Self.oldPage(of: day)
        } else if target.isOnKnownHost, parts.first?.elementsEqual("image-article".utf8) == true,
            let day = DateInName(startOf: name)?.day
        {
            self.day = day
            // A relative link is no address.
            webAddress = link.encodedWebLink ?? Self.oldPage(of: day)
        } else {
            return nil
        }
    }

    /// Where a link leads.
    private struct Target {
        let path: ArraySlice<UInt8>
        /// Whether the link is relative, or its host is one of ``hosts``.
        let isOnKnownHost: Bool

        /// Fails for a link with another scheme than `http` and `https`, such as `mailto:`.
        init?(of link: String) {
            let address = link.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
                .map(\.lowercased)[...]
            let scheme = ["https:", "http:"].first { address.starts(with: $0.utf8) } ?? ""
            let afterScheme = address.dropFirst(scheme.utf8.count)
            if afterScheme.starts(with: "//".utf8) {
                let host = afterScheme.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
                guard !host.isEmpty else { return nil }
                path = afterScheme[host.endIndex...]
                isOnKnownHost = hosts.contains(where: host.elementsEqual)
            } else {
                // A colon in the first part belongs to another scheme.
                let first = address.prefix { $0 != UInt8(ascii: "/") }
                guard !first.contains(UInt8(ascii: ":")) else { return nil }
                path = address
                isOnKnownHost = true
            }
        }
    }

    private static func oldPage(of day: Day) -> String {
        "https://apod.nasa.gov/apod/ap\(day.compact).html"
    }

    /// The links to days in `html`, which ``ExplanationMarkup`` wrote, in their order.
    package static func all(in html: String) -> [ArchiveLink] {
        valuesOfHref(in: Array(html.utf8)).filter(mayNameDay).compactMap {
            ArchiveLink(String(decoding: $0, as: UTF8.self))
        }
    }

    private static func valuesOfHref(in html: [UInt8]) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        var rest = html[...]
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let isLink = rest[..<equals].suffix(4).elementsEqual("href".utf8)
            rest = rest[(equals + 1)...]
            guard isLink, let quote = rest.first, "\"'".utf8.contains(quote) else { continue }
            let value = rest.dropFirst().prefix { $0 != quote }
            values.append(value)
            rest = rest[value.endIndex...]
        }
        return values
    }

    /// Whether the link has enough digits for a year: a quick test that nearly all links fail.
    private static func mayNameDay(_ link: some Collection<UInt8>) -> Bool {
        link.count { $0.isDigit } >= 4
    }

    /// `ap261120.html` names 2026-11-20; `nil` for other names.
    private static func day(ofOldPage name: ArraySlice<UInt8>) -> Day? {
        guard name.starts(with: "ap".utf8) else { return nil }
        let digits = name.dropFirst(2).prefix(while: \.isDigit)
        let rest = name[digits.endIndex...]
        guard [".html", ".htm"].contains(where: { rest.elementsEqual($0.utf8) }) else { return nil }
        return Day(compact: String(decoding: digits, as: UTF8.self))
    }
}
