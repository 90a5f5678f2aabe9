internal import Transfer

/// A credit line with an optional label and names, as in "Image Credit & Copyright: Ada Lovelace".
///
/// The label claims the copyright for the names if it contains "copyright"; a line without a label does, too. NASA writes
/// "Image Credit & Copyright:" in every article, so that the label claims nothing if the first name is an agency.
struct Credit: Hashable {
    /// The label without its colon, such as "Image Credit & Copyright"; `nil` if there is none.
    let label: String?
    let names: String

    /// Parses a line of normalized text.
    init(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), Self.isLabel(text[..<colon]) else {
            label = nil
            names = text
            return
        }
        label = TextNormalizer.trimmed(text[..<colon])
        names = TextNormalizer.trimmed(text[text.index(after: colon)...])
    }

    /// The names if they claim the copyright, else `nil`.
    ///
    /// If the line has no label, the label of the article counts: see ``HTMLText/creditLabel``.
    func holder(articleLabel: @autoclosure () -> String?) -> String? {
        if names.isEmpty { return nil }
        if Self.claimsCopyright(names) { return names }
        if isOfAgency { return nil }
        guard let label = label ?? articleLabel() else { return names }
        return Self.claimsCopyright(label) ? names : nil
    }

    /// Whether the first name is an agency, which claims no copyright, as in "NASA, ESA, Ada Lovelace".
    private var isOfAgency: Bool {
        let first = names.split { ",;&/(:".contains($0) }.first ?? ""
        return Self.agencies.contains(TextNormalizer.trimmed(first).lowercased())
    }

    private static let agencies: Set<String> = [
        "nasa", "esa", "csa", "jaxa", "stsci", "jpl", "jpl-caltech", "noaa", "usgs", "nsf",
        "nasa's goddard space flight center", "nasa goddard space flight center",
    ]

    private static func claimsCopyright(_ text: String) -> Bool {
        text.lowercased().contains("copyright")
    }

    private static func isLabel(_ text: Substring) -> Bool {
        let words = text.lowercased().split { !$0.isLetter }
        return words.contains { ["credit", "credits", "copyright"].contains($0) }
            && words.allSatisfy { vocabulary.contains(String($0)) }
    }

    /// The words of which labels consist, such as "Artist's impression and copyright".
    private static let vocabulary: Set<String> = [
        "and", "animation", "annotation", "art", "artist", "artwork", "audio", "by", "clip",
        "composite", "composition", "copyright", "courtesy", "credit", "credits", "data", "digital",
        "drawing", "editing", "figure", "graphic", "graphics", "illustration", "image", "images",
        "impression", "insert", "inset", "left", "licence", "license", "map", "model", "montage",
        "mosaic", "movie", "music", "narration", "original", "painting", "panorama", "photo",
        "photograph", "photographs", "photography", "photos", "picture", "pictures", "processing",
        "rendering", "research", "right", "s", "science", "sequence", "simulation", "sound", "text",
        "timelapse", "video", "videos", "visualization",
    ]
}

/// The license of a picture.
package struct License: Hashable, Sendable {
    /// The name in the credit, such as `CC BY 4.0`.
    package var name: String
    package var url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}

extension License {
    /// Finds the first link to a license in a credit, such as `<a href="…">CC BY 4.0</a>`; `nil` if there is none.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` if it is not a web URL.
    init?(in credit: [HTMLNode], resolve: (String) -> String?) {
        var open: (url: String, name: String)?
        for node in credit {
            switch node {
            case .opening("a", let attributes):
                open = attributes["href"].flatMap(resolve).map { ($0, "") }
            case .text(let text):
                open?.name += text
            case .closing("a"):
                if let link = open, Self.isLicense(TextNormalizer.line(link.name), at: link.url) {
                    self.init(name: TextNormalizer.line(link.name), url: link.url)
                    return
                }
                open = nil
            default: break
            }
        }
        return nil
    }

    private static func isLicense(_ name: String, at url: String) -> Bool {
        guard !name.isEmpty else { return false }
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        if words.first == "cc" || words.first == "cc0" { return true }
        if words.contains("licence") || words.contains("license") { return true }
        return WebURL(link: url).map { url in
            url.domain == "creativecommons.org"
                && ["/licenses/", "/publicdomain/"].contains { url.path.hasPrefix($0) }
        } ?? false
    }
}
