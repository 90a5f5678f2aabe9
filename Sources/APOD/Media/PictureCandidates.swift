internal import Platform
internal import Transfer

/// The URLs where the picture of a day may be.
enum PictureCandidates {
    /// The candidates, the original first; the best of `urls`, those in the feed, comes before the others.
    static func addresses(of urls: [WebURL], on day: Day) -> [PictureAddress] {
        // A URL with the extension of a film is rarely that of a picture: it comes last.
        var (pictures, films): ([PictureAddress], [PictureAddress]) = ([], [])
        func add(_ url: WebURL, _ size: (width: Int, height: Int)? = nil) {
            guard !(pictures + films).contains(where: { $0.url == url.text }) else { return }
            let picture = PictureAddress(url.text, width: size?.width, height: size?.height)
            if url.isFilmFile { films.append(picture) } else { pictures.append(picture) }
        }
        for url in urls {
            // The size in this URL, else in another one of the same file.
            let same = urls.filter { $0.fileName == url.fileName }
            let size = ([url] + same).lazy.compactMap(\.naturalSize).first
            if let original = url.original { add(original, size) }
            add(url.withoutRendering, size)
        }
        for url in urls.compactMap({ $0.moved(on: day) }) { add(url) }
        return pictures + films
    }
}

extension WebURL {
    private static let rendering = "/dynamicimage/assets/"
    private static let assets: WebURL = "https://assets.science.nasa.gov"
    private static let archive = "/content/dam/science/cds/apod/apod/"

    var isPictureFile: Bool {
        ["jpg", "jpeg", "png", "gif", "tif", "tiff", "webp", "bmp"].contains(pathExtension)
    }

    /// Whether the path is in NASA's archive of APOD pictures.
    var isArchived: Bool {
        ["/cds/apod/", "/apod/image/"].contains { path.contains(bytes: $0) }
    }

    /// Whether the URL is on NASA's site but outside of the archive of APOD pictures.
    var isElsewhereOnTheSite: Bool {
        !isArchived
            && (["science.nasa.gov", "assets.science.nasa.gov"].contains(host)
                || ["/dynamicimage/assets/", "/content/dam/", "/wp-content/"].contains {
                    path.hasPrefix($0)
                })
    }

    var isFilmFile: Bool {
        ["mov", "mpg", "mpeg", "mp4", "m4v", "wmv", "avi", "webm"].contains(pathExtension)
    }

    /// The URL of the original if this is the URL of a rendering.
    fileprivate var original: WebURL? {
        guard path.hasPrefix(Self.rendering) else { return nil }
        return at("/content/dam/" + path.dropFirst(Self.rendering.count))
    }

    /// This URL without the size of the rendering.
    fileprivate var withoutRendering: WebURL {
        path.hasPrefix(Self.rendering) ? at(path) : self
    }

    /// The size of the original that the URL of a rendering names; `nil` for other URLs.
    fileprivate var naturalSize: (width: Int, height: Int)? {
        guard path.hasPrefix(Self.rendering), let width = value(of: "w").flatMap({ Int($0) }),
            let height = value(of: "h").flatMap({ Int($0) }), width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    /// The URL to which the relocation of 2026 may have moved a file of the old site.
    ///
    /// `/apod/image/1803/NAME` is of March 2018; without such a directory, the month of `day` counts.
    fileprivate func moved(on day: Day) -> WebURL? {
        let parts = path.split(separator: "/")
        guard isNASA, parts.starts(with: ["apod", "image"]), 3...4 ~= parts.count,
            let name = parts.last,
            let month = parts.count == 3 ? day : Day(compact: "\(parts[2])01")
        else { return nil }
        let folder = "\(month.year)/\(Day.months[month.month - 1])"
        return Self.assets.at("\(Self.archive)\(folder)/\(name)")
    }
}
