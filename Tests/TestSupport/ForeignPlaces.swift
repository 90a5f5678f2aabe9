/// Where people may have files and links of their own in a mirror: with the names of views, and beside its files.
package struct ForeignPlaces {
    /// The places and names of each view, and names beside them.
    package let ofViews: [String]
    /// Other places, where the mirror has pictures, records, favorites and its own state.
    package let others: [String]

    package var all: [String] { ofViews + others }

    /// - Parameter pictures: The paths of some pictures of the mirror, such as
    ///   `pictures/2026/2026-11/2026-11-20 A Chart.jpg`.
    package init(beside pictures: [String]) {
        // Pictures of one month share places.
        ofViews = Set(Self.views + pictures.flatMap { Self.views(beside: $0) }).sorted()
        others = Set(Self.rest + pictures.flatMap { Self.rest(beside: $0) }).sorted()
    }

    private static let views = [
        "index.html", "feed.xml", "feed.rss", "latest.json", "latest.jpg", "gallery/2019.html",
        "gallery/favorites.html", "gallery/favorites-2.html", "gallery/assets/style.css",
        "gallery/mine.css", "gallery/days/2019.js", "gallery/newest/2019-01-01.jpg",
        "gallery/newest/mine.jpg", "v1/2019-01-01.json", "v1/apod.json", "v1/2019-01-01.jpg",
        "v1/mine.json", "wallpapers/2019-01-01 X.jpg", "wallpapers/mine.jpg",
        "favorites/Drop pictures here.txt", "favorites/Favorites to check.txt",
    ]

    private static let rest = [
        "README.md", "notes.txt", "mine/README.txt", "pictures/README.txt", "pictures/mine.jpg",
        "pictures/2019/2019-01/2019-01-01 X.jpg", "metadata/README.md", "favorites/README.txt",
        ".apod-mirror/incoming/mine.jpg", ".apod-mirror/incoming/notes.txt",
    ]

    private static func views(beside picture: String) -> [String] {
        let names = Names(of: picture)
        return [
            "gallery/\(names.year).html", "gallery/\(names.month).html",
            "gallery/days/\(names.year).js", "gallery/words/\(names.year).js",
            "gallery/links/\(names.year).txt", "gallery/newest/\(names.day).jpg",
            "gallery/thumbnails/\(names.folder)/\(names.day).jpg",
            "gallery/thumbnails/\(names.folder)/mine.jpg", "v1/\(names.day).json",
            "v1/\(names.day).jpg", "wallpapers/\(names.file)", "wallpapers/favorite \(names.file)",
            "\(picture).xmp", "pictures/\(names.folder)/\(names.day) Mine.jpg.xmp",
            "pictures/\(names.folder)/\(names.stem).xmp",
        ]
    }

    private static func rest(beside picture: String) -> [String] {
        let names = Names(of: picture)
        return [
            "pictures/\(names.folder)/mine.jpg", "pictures/\(names.folder)/\(names.day) Mine.jpg",
            "metadata/\(names.folder)/mine.json", "metadata/\(names.folder)/\(names.day).json~",
            ".apod-mirror/incoming/\(names.day).jpg",
        ]
    }

    /// The parts of the path of a picture.
    private struct Names {
        /// As `2026-11-20 A Chart.jpg`.
        let file: String

        init(of picture: String) {
            file = picture.split(separator: "/").last.map(String.init) ?? picture
        }

        var stem: String { file.split(separator: ".").dropLast().joined(separator: ".") }
        var day: String { String(file.prefix(10)) }
        var month: String { String(file.prefix(7)) }
        var year: String { String(file.prefix(4)) }
        /// The directory below `pictures/`, as `2026/2026-11`.
        var folder: String { "\(year)/\(month)" }
    }
}
