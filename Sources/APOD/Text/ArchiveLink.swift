/// A link to a page of the archive, in the forms that NASA's texts have.
///
/// - `apod.nasa.gov/apod/ap261120.html`, the page of a day, also on earlier hosts;
/// - `science.nasa.gov/ap261120.html`, which the move of 2026 made of relative links, and which does not exist;
/// - `www.star.ucl.ac.uk/~apod/apod/ap261120.html`, the page in a mirror of the old site;
/// - `science.nasa.gov/image-article/apod-2026-november-20-the-crab-nebula/`, an article;
/// - `apod.nasa.gov/apod/calendar/ca2611.html`, a month.
package struct ArchiveLink: Hashable, Sendable {
    package enum Destination: Hashable, Sendable {
        case day(Day)
        /// All days of the month of this day, the 28th: the archive begins in the middle of a month.
        case month(Day)
        /// A date that does not exist.
        case nothing
    }

    package let destination: Destination
    /// The address of the article, if that is what the link names, with its host.
    private let article: String?

    /// NASA's page with the newest days, for links to pages that do not exist.
    private static let overview = "https://science.nasa.gov/apod"

    private static let hosts = [
        "apod.nasa.gov", "www.apod.nasa.gov", "science.nasa.gov", "antwrp.gsfc.nasa.gov",
        "apod.gsfc.nasa.gov",
        // Mirrors of the old site, with the same names.
        "apod.com", "www.apod.com", "star.ucl.ac.uk", "www.star.ucl.ac.uk",
        "zuserver2.star.ucl.ac.uk",
    ].map { Array($0.utf8) }

    /// Parses the value of `href`; `nil` if it leads elsewhere.
    package init?(_ link: String) {
        // Most links have no date, and are sorted out quickly.
        guard link.utf8.count(where: \.isDigit) >= 4 else { return nil }
        var path = link.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .map(\.lowercased)[...]
        let scheme = ["https:", "http:"].first { path.starts(with: $0.utf8) } ?? ""
        path = path.dropFirst(scheme.utf8.count)
        if path.starts(with: "//".utf8) {
            let host = path.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard Self.hosts.contains(where: host.elementsEqual) else { return nil }
            path = path[host.endIndex...]
        } else if !scheme.isEmpty {
            return nil
        }
        let parts = path.split(separator: UInt8(ascii: "/"))
        guard let name = parts.last else { return nil }
        if parts.first?.elementsEqual("image-article".utf8) == true {
            guard let day = DateInName(startOf: name)?.day else { return nil }
            (destination, article) = (.day(day), link.encodedWebLink)
        } else if let date = Self.digits(6, of: name, after: "ap") {
            (destination, article) = (Day(compact: date).map(Destination.day) ?? .nothing, nil)
        } else if let month = Self.digits(4, of: name, after: "ca") {
            (destination, article) = (
                Day(compact: month + "28").map(Destination.month) ?? .nothing, nil
            )
        } else {
            return nil
        }
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
            let value = String(decoding: rest[start..<end], as: UTF8.self)
            if let link = ArchiveLink(value) { links.append(link) }
            rest = rest[end...]
        }
        return links
    }

    /// The digits in a name such as `ap261120.html`.
    private static func digits(
        _ count: Int, of name: ArraySlice<UInt8>, after prefix: String
    ) -> String? {
        guard name.starts(with: prefix.utf8) else { return nil }
        let digits = name.dropFirst(prefix.utf8.count).prefix(while: \.isDigit)
        let rest = name[digits.endIndex...]
        guard digits.count == count,
            [".html", ".htm"].contains(where: { rest.elementsEqual($0.utf8) })
        else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The address on the web; of NASA's overview if the page did not exist on `day`, when the text was read.
    package func webAddress(asOf day: Day) -> String {
        if let article { return article }
        switch destination {
        case .day(let target) where target <= day && !Day.neverPublished.contains(target):
            return "https://apod.nasa.gov/apod/ap\(target.compact).html"
        case .month(let target) where target.advanced(by: 1 - target.day) <= day:
            return "https://apod.nasa.gov/apod/calendar/ca\(target.compact.prefix(4)).html"
        case .day, .month, .nothing:
            return Self.overview
        }
    }
}
