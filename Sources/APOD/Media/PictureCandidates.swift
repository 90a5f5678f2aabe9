internal import Platform
internal import Transfer

/// The URLs from which the picture of a day may be downloaded, in the order in which they are tried.
///
/// NASA's site has originals such as `/content/dam/science/M64.jpg`, and reduced copies, called renderings, such as
/// `/dynamicimage/assets/science/M64.jpg?w=3853&h=4070`, where `w` and `h` are the size of the original.
enum PictureCandidates {
    /// Returns the candidates for the `urls` of an entry, of which the first is the best.
    ///
    /// The candidates of each URL are its original, the original in the directories of other months, and the URL itself.
    /// Then come the URLs in the directories of other months. Films are last, because a poster among the pictures is better.
    static func addresses(of urls: [WebURL], on day: Day) -> [PictureAddress] {
        var pictures: [PictureAddress] = []
        var films: [PictureAddress] = []
        func add(_ url: WebURL, _ size: (width: Int, height: Int)? = nil) {
            guard !(pictures + films).contains(where: { $0.url == url.text }) else { return }
            let address = PictureAddress(url.text, width: size?.width, height: size?.height)
            if url.isFilm { films.append(address) } else { pictures.append(address) }
        }
        for url in urls {
            // If this URL does not have the size, another URL of the same file may have it.
            let fileName = url.fileName
            let size =
                url.originalSize
                ?? urls.lazy.filter { $0.fileName == fileName }.compactMap(\.originalSize).first
            if let original = url.original {
                for candidate in [original] + original.inMonths(around: day) {
                    add(candidate, size)
                }
            }
            add(url.withoutRequestedSize, size)
        }
        for candidate in urls.flatMap({ $0.inMonths(around: day) }) { add(candidate) }
        return pictures + films
    }
}

extension PictureAddress {
    /// Whether this is the URL of a film rather than that of a picture.
    package var isFilm: Bool { WebURL(link: url)?.isFilm ?? false }

    /// Whether this is the URL of a rendition: a small copy that NASA's store of pictures and videos makes of a file.
    package var isRendition: Bool { url.contains(bytes: WebURL.partBeforeRendition) }
}

extension Media {
    /// Whether the entry names no picture, or only a small one that NASA's site made of its video.
    package var namesNoPicture: Bool { pictures.allSatisfy(\.isRendition) }
}

/// What the URL of a picture or video is, by its path, because a copy of NASA's site on any host has the same paths.
extension WebURL {
    private static let renderings = "/dynamicimage/assets/"
    private static let originals = "/content/dam/"
    /// The part of a rendition's path between the path of the original and the name of the rendition.
    fileprivate static let partBeforeRendition = "/jcr:content/renditions/"
    /// NASA's archive of APOD pictures, with a directory for each month.
    private static let archive = originals + "science/cds/apod/apod/"
    private static let hostOfArchive: WebURL = "https://assets.science.nasa.gov"

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

    /// Whether this is the URL of a film, of a type that can be downloaded or of another type.
    fileprivate var isFilm: Bool {
        isVideoFile || ["mpg", "mpeg", "wmv", "avi"].contains(pathExtension)
    }

    /// The URL of a small picture that NASA's site made of the video file at this URL; `nil` if this is another site.
    var thumbnailOfVideo: WebURL? {
        guard path.hasPrefix(Self.originals) else { return nil }
        return at("\(path)\(Self.partBeforeRendition)cq5dam.thumbnail.319.319.png")
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

    /// The URLs of this file in the directories of the months, such as `2018/march/`, where NASA may have it instead.
    ///
    /// These are the month of `day`, the next month, which has some pictures of the last days of a month, and the month
    /// before, which has some of the first days. A URL of the old site adds its month, `1803` in `/apod/image/1803/NAME`.
    fileprivate func inMonths(around day: Day) -> [WebURL] {
        guard !path.contains(bytes: Self.partBeforeRendition) else { return [] }
        let parts = path.split(separator: "/")
        let isOnOldSite = isNASA && parts.starts(with: ["apod", "image"]) && 3...4 ~= parts.count
        guard isOnOldSite || path.hasPrefix(Self.archive), let name = parts.last else { return [] }
        // A day of each month: `day`, one of the first days of the next month, the last day of the month before.
        var months = [day, day.advanced(by: 32 - day.day), day.advanced(by: -day.day)]
        if isOnOldSite, parts.count == 4 {
            // On the old site, only the directories of months have pictures.
            guard let firstOfMonth = Day(compact: "\(parts[2])01") else { return [] }
            months.append(firstOfMonth)
        }
        return months.map { month in
            let folder = "\(month.year)/\(Day.months[month.month - 1])"
            return (isOnOldSite ? Self.hostOfArchive : self).at(
                "\(Self.archive)\(folder)/\(name)")
        }
    }
}
