/// The label and the names of a credit line, such as "Image Credit & Copyright: Ada Lovelace": ``holder(articleLabel:)`` decides
/// whether the names hold the copyright.
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

    /// The names if they hold the copyright, else `nil`: they do if their label contains "copyright", or if there is no label.
    ///
    /// NASA writes "Image Credit & Copyright:" in every article, even if nobody holds the copyright. Therefore the label does not
    /// count if the first name is an agency. `articleLabel`, the ``HTMLText/creditLabel`` of the article, stands in for a missing
    /// label of the line.
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

    /// Whether `text`, which is before a colon, consists of ``labelWords``, one of which says that it is about a credit.
    private static func isLabel(_ text: Substring) -> Bool {
        let words = text.lowercased().split { !$0.isLetter }
        return words.contains { ["credit", "credits", "copyright"].contains($0) }
            && words.allSatisfy { labelWords.contains(String($0)) }
    }

    /// The words of which labels consist, such as "Artist's impression and copyright".
    private static let labelWords: Set<String> = [
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
