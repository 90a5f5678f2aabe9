internal import Transfer

/// Tells from a credit line, such as "Image Credit & Copyright: Ada Lovelace", who holds the copyright.
///
/// The names hold it if the label before them contains "copyright", or if there is no label. Because NASA writes "Image
/// Credit & Copyright:" in every article, an agency as the first name means that nobody holds the copyright.
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

    /// The names if they hold the copyright, else `nil`.
    ///
    /// If the line has no label, `articleLabel` counts, which is ``HTMLText/creditLabel`` of the article.
    func holder(articleLabel: @autoclosure () -> String?) -> String? {
        if names.isEmpty { return nil }
        if Self.mentionsCopyright(names) { return names }
        if beginsWithAgency { return nil }
        guard let label = label ?? articleLabel() else { return names }
        return Self.mentionsCopyright(label) ? names : nil
    }

    /// Whether the first name is that of an agency, as in "NASA, ESA, Ada Lovelace".
    private var beginsWithAgency: Bool {
        let first = names.split { ",;&/(:".contains($0) }.first ?? ""
        return Self.agencies.contains(TextNormalizer.trimmed(first).lowercased())
    }

    private static let agencies: Set<String> = [
        "nasa", "esa", "csa", "jaxa", "stsci", "jpl", "jpl-caltech", "noaa", "usgs", "nsf",
        "nasa's goddard space flight center", "nasa goddard space flight center",
    ]

    private static func mentionsCopyright(_ text: String) -> Bool {
        text.lowercased().contains("copyright")
    }

    private static func isLabel(_ text: Substring) -> Bool {
        let words = text.lowercased().split { !$0.isLetter }
        return words.contains { ["credit", "credits", "copyright"].contains($0) }
            && words.allSatisfy { wordsOfLabels.contains(String($0)) }
    }

    /// The words of which labels consist, such as "Artist's impression and copyright".
    private static let wordsOfLabels: Set<String> = [
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
        /// The link whose end tag was not read yet, with its text so far.
        var openLink: License?
        for node in credit {
            switch node {
            case .opening("a", let attributes):
                openLink = attributes["href"].flatMap(resolve).map { License(name: "", url: $0) }
            case .text(let text):
                openLink?.name += text
            case .closing("a"):
                guard let link = openLink.take() else { continue }
                let name = TextNormalizer.line(link.name)
                if Self.isLicense(name, at: link.url) {
                    self.init(name: name, url: link.url)
                    return
                }
            case .opening, .closing: break
            }
        }
        return nil
    }

    /// Whether a link with this text and URL leads to a license.
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
