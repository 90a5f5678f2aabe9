internal import Platform
internal import Transfer

/// The URLs where the picture of a day may be, the best first.
///
/// NASA's site has originals such as `/content/dam/science/M64.jpg`, and reduced copies, called renderings, such as
/// `/dynamicimage/assets/science/M64.jpg?w=3853&h=4070`, where `w` and `h` are the size of the original.
enum PictureCandidates {
    /// Returns the candidates for the `urls` of an entry, the best of which is first.
    ///
    /// For each URL: its original, the original in directories of other months, the URL itself. Then the URLs in
    /// directories of other months. At the end all films.
    static func addresses(of urls: [WebURL], on day: Day) -> [PictureAddress] {
        var pictures: [PictureAddress] = []
        // Some entries of images name a film, whose poster may be among the pictures.
        var films: [PictureAddress] = []
        func add(_ url: WebURL, _ size: (width: Int, height: Int)? = nil) {
            guard !(pictures + films).contains(where: { $0.url == url.text }) else { return }
            let picture = PictureAddress(url.text, width: size?.width, height: size?.height)
            if url.isFilm { films.append(picture) } else { pictures.append(picture) }
        }
        let fileNames = urls.map(\.fileName)
        for (url, fileName) in zip(urls, fileNames) {
            // The size in this URL, else in another one of the same file.
            let sameFile = zip(urls, fileNames).lazy.filter { $1 == fileName }.map(\.0)
            let size = url.originalSize ?? sameFile.compactMap(\.originalSize).first
            if let original = url.original {
                // Also an original in the directory of another month is better than a rendering.
                for candidate in [original] + original.otherMonths(of: day) { add(candidate, size) }
            }
            add(url.withoutRequestedSize, size)
        }
        for candidate in urls.flatMap({ $0.otherMonths(of: day) }) { add(candidate) }
        return pictures + films
    }
}

extension PictureAddress {
    /// Whether it is the URL of a film rather than that of a picture.
    package var isFilm: Bool { WebURL(link: url)?.isFilm ?? false }

    /// Whether it is the URL of a small copy that NASA's asset store makes of a file.
    package var isRendition: Bool { url.contains(bytes: WebURL.renditions) }
}

extension Media {
    /// Whether the entry names no picture, or only a small copy of its video in the asset store.
    package var namesNoPicture: Bool { pictures.allSatisfy(\.isRendition) }
}

/// The kinds of URLs of media, by their paths, because a mirror of NASA's feed may have the same paths on its own host.
extension WebURL {
    private static let renderings = "/dynamicimage/assets/"
    private static let originals = "/content/dam/"
    /// In the path of a copy of a file in the asset store, this follows the path of the file.
    fileprivate static let renditions = "/jcr:content/renditions/"
    private static let archive = originals + "science/cds/apod/apod/"
    private static let assets: WebURL = "https://assets.science.nasa.gov"

    var isPictureFile: Bool {
        ["jpg", "jpeg", "png", "gif", "tif", "tiff", "webp", "bmp"].contains(pathExtension)
    }

    /// Whether the path is in NASA's archive of APOD pictures, on the site since 2026 or on the old one.
    var isArchived: Bool {
        ["/cds/apod/", "/apod/image/"].contains { path.contains(bytes: $0) }
    }

    /// Whether the URL is on NASA's site, but outside of the archive of APOD pictures.
    var isOnSiteOutsideArchive: Bool {
        !isArchived
            && (["science.nasa.gov", "assets.science.nasa.gov"].contains(host)
                || [Self.renderings, Self.originals, "/wp-content/"].contains {
                    path.hasPrefix($0)
                })
    }

    /// Whether this is the URL of a film, also of a type that is not mirrored.
    fileprivate var isFilm: Bool {
        isVideoFile || ["mpg", "mpeg", "wmv", "avi"].contains(pathExtension)
    }

    /// The URL of a small picture of the video file at this URL; `nil` outside of the asset store of NASA's site.
    var thumbnailOfVideo: WebURL? {
        guard path.hasPrefix(Self.originals) else { return nil }
        return at("\(path)\(Self.renditions)cq5dam.thumbnail.319.319.png")
    }

    /// The URL of the original if this is the URL of a rendering.
    fileprivate var original: WebURL? {
        guard path.hasPrefix(Self.renderings) else { return nil }
        return at(Self.originals + path.dropFirst(Self.renderings.count))
    }

    /// This URL, without the query if it is that of a rendering.
    fileprivate var withoutRequestedSize: WebURL {
        path.hasPrefix(Self.renderings) ? at(path) : self
    }

    /// The size of the original in the query of a rendering; `nil` for other URLs.
    fileprivate var originalSize: (width: Int, height: Int)? {
        guard path.hasPrefix(Self.renderings), let width = value(of: "w").flatMap({ Int($0) }),
            let height = value(of: "h").flatMap({ Int($0) }), width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    /// The URLs in directories of other months, such as `2018/march/`, where NASA may have the original at this URL.
    ///
    /// They are the month of `day`, the next one, which has some pictures of the last days of a month, the one before, which
    /// has some of the first days, and the month in a URL of the old site: `/apod/image/1803/NAME` is of March 2018.
    fileprivate func otherMonths(of day: Day) -> [WebURL] {
        guard !path.contains(bytes: Self.renditions) else { return [] }
        let parts = path.split(separator: "/")
        let isOld = isNASA && parts.starts(with: ["apod", "image"]) && 3...4 ~= parts.count
        guard isOld || path.hasPrefix(Self.archive), let name = parts.last else { return [] }
        var months = [day, day.advanced(by: 32 - day.day), day.advanced(by: -day.day)]
        if isOld, parts.count == 4 {
            // No other directory than that of a month has pictures.
            guard let named = Day(compact: "\(parts[2])01") else { return [] }
            months.append(named)
        }
        return months.map { month in
            let folder = "\(month.year)/\(Day.months[month.month - 1])"
            return (isOld ? Self.assets : self).at("\(Self.archive)\(folder)/\(name)")
        }
    }
}
