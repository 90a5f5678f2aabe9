internal import Platform
internal import Transfer

/// The URLs where the picture of a day may be, the best first.
///
/// NASA's site serves renderings, which are reduced copies, below `/dynamicimage/assets/`, and the originals below
/// `/content/dam/`; the query of a rendering has the size of its original as `w` and `h`.
enum PictureCandidates {
    /// Returns the candidates of the `urls` in an entry, which are sorted by their use.
    ///
    /// The order is: for each URL its original, the original in directories of other months, and the URL itself; then
    /// the URLs in directories of other months; and at the end all films.
    static func addresses(of urls: [WebURL], on day: Day) -> [PictureAddress] {
        // Some entries of images name a film: it comes last, as its poster may be among the others.
        var (pictures, films): ([PictureAddress], [PictureAddress]) = ([], [])
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
                // An original in the directory of another month is better than a rendering.
                for candidate in [original] + original.otherMonths(of: day) { add(candidate, size) }
            }
            add(url.withoutRequestedSize, size)
        }
        for candidate in urls.flatMap({ $0.otherMonths(of: day) }) { add(candidate) }
        return pictures + films
    }
}

extension PictureAddress {
    /// Whether it names a film, so that a picture is hardly there.
    package var isFilm: Bool { WebURL(link: url)?.isFilm ?? false }

    /// Whether it is that of a small picture, which NASA's asset store makes of a file: it counts as a reduced copy.
    package var isRendition: Bool { url.contains(bytes: WebURL.renditions) }
}

extension Media {
    /// Whether the entry names no picture: at most the asset store has one of the video.
    package var namesNoPicture: Bool { pictures.allSatisfy(\.isRendition) }
}

/// The kinds of URLs of media, by their paths; a feed that mirrors NASA's may have the same paths on its own host.
extension WebURL {
    private static let renderings = "/dynamicimage/assets/"
    private static let originals = "/content/dam/"
    /// What follows the path of a file in the asset store in that of a copy of it.
    fileprivate static let renditions = "/jcr:content/renditions/"
    private static let archive = originals + "science/cds/apod/apod/"
    private static let assets: WebURL = "https://assets.science.nasa.gov"

    var isPictureFile: Bool {
        ["jpg", "jpeg", "png", "gif", "tif", "tiff", "webp", "bmp"].contains(pathExtension)
    }

    /// Whether the path is in NASA's archive of APOD pictures, on the site of 2026 or on the old one.
    var isArchived: Bool {
        ["/cds/apod/", "/apod/image/"].contains { path.contains(bytes: $0) }
    }

    /// Whether the URL is on NASA's site but outside of the archive of APOD pictures.
    var isOnSiteOutsideArchive: Bool {
        !isArchived
            && (["science.nasa.gov", "assets.science.nasa.gov"].contains(host)
                || [Self.renderings, Self.originals, "/wp-content/"].contains {
                    path.hasPrefix($0)
                })
    }

    /// Whether this is the URL of a film, also of a type that the mirror does not have.
    fileprivate var isFilm: Bool {
        isVideoFile || ["mpg", "mpeg", "wmv", "avi"].contains(pathExtension)
    }

    /// The URL of a picture from the video file at this URL, in the asset store of NASA's site; `nil` elsewhere.
    var thumbnailOfVideo: WebURL? {
        guard path.hasPrefix(Self.originals) else { return nil }
        return at("\(path)\(Self.renditions)cq5dam.thumbnail.319.319.png")
    }

    /// The URL of the original if this is the URL of a rendering.
    fileprivate var original: WebURL? {
        guard path.hasPrefix(Self.renderings) else { return nil }
        return at(Self.originals + path.dropFirst(Self.renderings.count))
    }

    /// This URL without the size that it requests of a rendering.
    fileprivate var withoutRequestedSize: WebURL {
        path.hasPrefix(Self.renderings) ? at(path) : self
    }

    /// The size of the original that the URL of a rendering names; `nil` for other URLs.
    fileprivate var originalSize: (width: Int, height: Int)? {
        guard path.hasPrefix(Self.renderings), let width = value(of: "w").flatMap({ Int($0) }),
            let height = value(of: "h").flatMap({ Int($0) }), width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    /// The URLs where NASA may have the original at this URL instead, in directories of months such as `2018/march/`.
    ///
    /// The months are that of `day`, the next one, where NASA files some pictures of the last days of a month, the one
    /// before, which has some of the first days, and the one in a URL of the old site: `/apod/image/1803/NAME` is of March 2018.
    fileprivate func otherMonths(of day: Day) -> [WebURL] {
        guard !path.contains(bytes: Self.renditions) else { return [] }
        let parts = path.split(separator: "/")
        let isOld = isNASA && parts.starts(with: ["apod", "image"]) && 3...4 ~= parts.count
        guard isOld || path.hasPrefix(Self.archive), let name = parts.last else { return [] }
        var months = [day, day.advanced(by: 32 - day.day), day.advanced(by: -day.day)]
        if isOld, parts.count == 4 {
            // Another directory than that of a month is none of pictures.
            guard let named = Day(compact: "\(parts[2])01") else { return [] }
            months.append(named)
        }
        return months.map { month in
            let folder = "\(month.year)/\(Day.months[month.month - 1])"
            return (isOld ? Self.assets : self).at("\(Self.archive)\(folder)/\(name)")
        }
    }
}
