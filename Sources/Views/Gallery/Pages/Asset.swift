internal import APOD
internal import JSON

/// The style sheet, the scripts and the icon: the files of `Assets/`, which are built into the program.
enum Asset {
    /// The comment at the beginning of each script.
    static let mark = "Part of the gallery of apod-mirror."

    /// The directory of these files; the directory of the pages has only files that a person opens.
    static let folder = "\(PageFrame.folder)/assets"

    /// The files with their names in ``folder``.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("style.css", PackageResources.style_css),
        ("gallery.js", PackageResources.gallery_js),
        ("zoom.js", PackageResources.zoom_js),
        ("cards.js", PackageResources.cards_js),
        ("search.js", PackageResources.search_js),
        ("days.js", PackageResources.days_js),
        ("address.js", PackageResources.address_js),
        ("foldings.js", foldings),
        ("hits.js", PackageResources.hits_js),
        ("anyday.js", PackageResources.anyday_js),
        ("slideshow.js", PackageResources.slideshow_js),
        ("icon.svg", PackageResources.icon_svg),
    ]

    /// The tables of ``SearchFolding`` and ``CatalogueSpelling`` as a script.
    private static let foldings: [UInt8] = {
        let members = SearchFolding.table.sorted { $0.key < $1.key }.map { character, folded in
            JSON.Member(key: String(character), value: .string(folded))
        }
        let spellings = CatalogueSpelling.all.map { spelling -> JSON in
            [
                "catalogue": .string(spelling.catalogue.rawValue),
                "prefix": .string(spelling.prefix),
                "first": .integer(spelling.numbers.lowerBound),
                "last": .integer(spelling.numbers.upperBound),
            ]
        }
        let words = JSON.array(CatalogueSpelling.words.sorted().map(JSON.string))
        return Array(
            """
            // \(mark)
            const foldings = \(JSON.object(members).line);
            const spellings = \(JSON.array(spellings).line);
            const catalogues = \(words.line);

            """.utf8)
    }()
}
