/// A credit line: an optional label and names, as in "Image Credit & Copyright: Ada Lovelace".
///
/// A line that contains "copyright", and a line without any label, claim the copyright for the names. NASA
/// writes "Image Credit & Copyright:" in every article: if the first name is an agency, the label claims nothing.
struct Credit: Hashable {
    /// The label without its colon, such as "Image Credit & Copyright"; `nil` if there is none.
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
    /// If the line has no label, that of the article counts, ``HTMLText/creditLabel``.
    func holder(articleLabel: @autoclosure () -> String?) -> String? {
        if names.isEmpty { return nil }
        if Self.claimsCopyright(names) { return names }
        if isOfAgency { return nil }
        guard let label = label ?? articleLabel() else { return names }
        return Self.claimsCopyright(label) ? names : nil
    }

    /// Whether the first name is an agency, which claims no copyright; others of such a list only made the picture.
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

    /// The words that labels consist of; "s" is that of "Artist's impression".
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
