/// A credit line: an optional label and names.
///
/// A line that contains "copyright", and a line without a label, claim the copyright for the names. NASA
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

    /// Returns the names if they claim the copyright, else `nil`; without a label, that of the article counts.
    func holder(articleLabel: String?) -> String? {
        if names.isEmpty { return nil }
        if Self.claimsCopyright(names) { return names }
        if isOfAgency { return nil }
        guard let label = label ?? articleLabel else { return names }
        return Self.claimsCopyright(label) ? names : nil
    }

    /// Whether the first name is an agency, whose pictures are free.
    private var isOfAgency: Bool {
        let first = names.split { ",;&/(:".contains($0) }.first ?? ""
        return Self.agencies.contains(TextNormalizer.trimmed(first).lowercased())
    }

    private static let agencies: Set<String> = [
        "nasa", "esa", "csa", "jaxa", "stsci", "jpl", "jpl-caltech", "noaa", "usgs", "nsf",
        "nasa's goddard space flight center", "nasa goddard space flight center",
    ]

    /// Returns the first bold text of an article that is a credit label.
    static func label(in article: [HTMLNode]) -> String? {
        var bold = 0
        var run = ""
        for node in article {
            switch node {
            case .opening("b", _), .opening("strong", _): bold += 1
            case .closing("b"), .closing("strong"): bold -= 1
            case .opening("br", _): run = ""
            case .text(let text) where bold > 0 && run.utf8.count < maximumLabelBytes:
                run += text
                if let label = Credit(TextNormalizer.line(run)).label { return label }
            // A label may be spread over bold elements with blanks between them.
            case .text(let text): run = TextNormalizer.isBlank(text) ? run + text : ""
            default: break
            }
        }
        return nil
    }

    private static let maximumLabelBytes = 200

    private static func claimsCopyright(_ text: String) -> Bool {
        text.lowercased().contains("copyright")
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
