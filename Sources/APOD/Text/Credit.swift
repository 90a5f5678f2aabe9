internal import Transfer

/// A credit line: an optional label and names.
///
/// The label "Image Credit:" claims no copyright. The label "Image Credit & Copyright:", NASA's template
/// for every page, and a line without a label claim it for the names, unless the first is an agency.
struct Credit: Hashable {
    /// "Image Credit & Copyright" without the colon.
    let label: String?
    let names: String

    /// - Parameter text: A line of normalized text.
    init(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), Self.isLabel(text[..<colon]) else {
            label = nil
            names = text
            return
        }
        label = TextNormalizer.trimmed(text[..<colon])
        names = TextNormalizer.trimmed(text[text.index(after: colon)...])
    }

    /// Returns the names if they claim the copyright, else `nil`.
    ///
    /// `pageLabel`, the label on the page, counts if this line has none.
    func holder(pageLabel: String?) -> String? {
        guard !names.isEmpty, Self.claims(names) || !isOfAgencies else { return nil }
        guard label == nil else { return Self.claims("\(label ?? "") \(names)") ? names : nil }
        return pageLabel.map(Self.claims) ?? true ? names : nil
    }

    /// Whether the first name is an agency, whose pictures are free.
    private var isOfAgencies: Bool {
        let first =
            names.split { ",;&/(:".contains($0) }.first.map { TextNormalizer.trimmed($0) } ?? ""
        return Self.agencies.contains(first.lowercased())
    }

    private static let agencies: Set<String> = [
        "nasa", "esa", "csa", "jaxa", "stsci", "jpl", "jpl-caltech", "noaa", "usgs", "nsf",
        "nasa's goddard space flight center", "nasa goddard space flight center",
    ]

    /// Returns the first bold text of a page that is a credit label.
    static func label(on page: [HTMLNode]) -> String? {
        var bold = 0
        var run = ""
        for node in page {
            switch node {
            case .opening("b", _), .opening("strong", _): bold += 1
            case .closing("b"), .closing("strong"): bold -= 1
            case .opening("br", _): run = ""
            case .text(let text) where bold > 0 && run.utf8.count < labelLengthLimit:
                run += text
                if let label = Credit(TextNormalizer.line(run)).label { return label }
            case .text(let text): run = TextNormalizer.isBlank(text) ? run : ""
            default: break
            }
        }
        return nil
    }

    private static let labelLengthLimit = 200

    private static func claims(_ label: String) -> Bool {
        label.lowercased().contains("copyright")
    }

    private static func isLabel(_ text: Substring) -> Bool {
        let words = text.lowercased().split { !$0.isLetter }
        return words.contains { ["credit", "credits", "copyright"].contains($0) }
            && words.allSatisfy { vocabulary.contains(String($0)) }
    }

    /// The words that labels consist of.
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

extension License {
    /// Finds the first link to a license in the nodes of a credit.
    ///
    /// `resolve` returns the absolute URL of a link; `nil` for one that is not a web URL.
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
