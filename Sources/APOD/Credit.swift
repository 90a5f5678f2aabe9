/// What a line of credit says: its label, where it has one, and whom it names.
///
/// The label decides about the copyright: "Image Credit:" claims none. "Image Credit & Copyright:" is
/// what NASA's template says on every page: the name behind it is a holder's, and so is a bare name,
/// unless it is that of an agency.
struct Credit: Hashable {
    /// "Image Credit & Copyright", without its colon.
    let label: String?
    let names: String

    /// Reads a line of clean text.
    init(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), Self.isLabel(text[..<colon]) else {
            label = nil
            names = text
            return
        }
        label = TextNormalizer.trimmed(text[..<colon])
        names = TextNormalizer.trimmed(text[text.index(after: colon)...])
    }

    /// Who holds the copyright, `nil` where nobody claims it.
    ///
    /// - Parameter pageLabel: The label on the page, where it has one.
    /// - Returns: The names, where the label or, without any, their being named claims it.
    func holder(pageLabel: String?) -> String? {
        guard !names.isEmpty, Self.claims(names) || !isOfAgencies else { return nil }
        guard label == nil else { return Self.claims("\(label ?? "") \(names)") ? names : nil }
        return pageLabel.map(Self.claims) ?? true ? names : nil
    }

    /// Whether the names begin with that of an agency: its pictures are free, whoever worked on them.
    private var isOfAgencies: Bool {
        let first =
            names.split { ",;&/(:".contains($0) }.first.map { TextNormalizer.trimmed($0) } ?? ""
        return Self.agencies.contains(first.lowercased())
    }

    private static let agencies: Set<String> = [
        "nasa", "esa", "csa", "jaxa", "stsci", "jpl", "jpl-caltech", "noaa", "usgs", "nsf",
        "nasa's goddard space flight center", "nasa goddard space flight center",
    ]

    /// The label of the credit on a whole page: the first bold text that is one.
    static func label(on page: [HTMLNode]) -> String? {
        var bold = 0
        var run = ""
        for node in page {
            switch node {
            case .opening("b", _), .opening("strong", _): bold += 1
            case .closing("b"), .closing("strong"): bold -= 1
            case .opening("br", _): run = ""
            case .text(let text) where bold > 0 && run.utf8.count < longestLabel:
                run += text
                if let label = Credit(TextNormalizer.line(run)).label { return label }
            case .text(let text): run = TextNormalizer.isBlank(text) ? run : ""
            default: break
            }
        }
        return nil
    }

    private static let longestLabel = 200

    private static func claims(_ label: String) -> Bool {
        label.lowercased().contains("copyright")
    }

    private static func isLabel(_ text: Substring) -> Bool {
        let words = text.lowercased().split { !$0.isLetter }
        return words.contains { ["credit", "credits", "copyright"].contains($0) }
            && words.allSatisfy { vocabulary.contains(String($0)) }
    }

    /// The words that labels are made of.
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
