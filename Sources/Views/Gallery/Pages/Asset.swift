/// The style sheet, the scripts and the icon: the files of `Assets/`, which are built into the program.
enum Asset {
    /// The text near the beginning of each file of the gallery that is no page: by it the mirror knows that it wrote the file.
    static let mark = "Part of the gallery of apod-mirror."

    /// The files with their names in the directory of the pages.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("style.css", PackageResources.style_css),
        ("gallery.js", PackageResources.gallery_js),
        ("zoom.js", PackageResources.zoom_js),
        ("cards.js", PackageResources.cards_js),
        ("search.js", PackageResources.search_js),
        ("days.js", PackageResources.days_js),
        ("address.js", PackageResources.address_js),
        ("hits.js", PackageResources.hits_js),
        ("anyday.js", PackageResources.anyday_js),
        ("slideshow.js", PackageResources.slideshow_js),
        ("icon.svg", PackageResources.icon_svg),
    ]
}
