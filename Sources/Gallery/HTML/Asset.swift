/// The files that the pages look like and do: `Assets/` beside this file, built into the program.
enum Asset {
    /// Each with its name in the folder of the pages.
    static let all: [(name: String, bytes: [UInt8])] = [
        ("style.css", PackageResources.style_css),
        ("gallery.js", PackageResources.gallery_js),
        ("search.js", PackageResources.search_js),
        ("icon.svg", PackageResources.icon_svg),
    ]
}
