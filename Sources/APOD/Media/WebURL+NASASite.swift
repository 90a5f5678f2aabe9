internal import MediaFormat
internal import Platform
internal import Transfer

/// Where NASA's site has originals and copies of a picture.
///
/// - An original: `/content/dam/science/M64.jpg`.
/// - A rendering, a copy of any size: `/dynamicimage/assets/science/M64.jpg?w=3853&h=4070`. Often `w` and `h` are the size of
///   the original.
/// - A rendition, a small copy: `/content/dam/science/M64.jpg/jcr:content/renditions/NAME.png`.
///
/// The path decides, not the host, because a copy of NASA's site on any host has the same paths.
extension WebURL {
    private static let renderings = "/dynamicimage/assets/"
    private static let originals = "/content/dam/"
    /// The part of a rendition's path between the path of the original and the name of the rendition.
    static let partBeforeRendition = "/jcr:content/renditions/"
    /// NASA's archive of APOD pictures, with a directory for each month.
    private static let archive = originals + "science/cds/apod/apod/"
    private static let hostOfArchive: WebURL = "https://assets.science.nasa.gov"

    /// Whether the path is in NASA's archive of APOD pictures, on the site since 2026 or on the old one.
    var isArchived: Bool { ["/cds/apod/", "/apod/image/"].contains { path.contains(bytes: $0) } }

    /// Whether the URL is on NASA's site, but outside of the archive of APOD pictures.
    var isOnSiteOutsideArchive: Bool {
        let isOnHost = ["science.nasa.gov", "assets.science.nasa.gov"].contains(host)
        let directories = [Self.renderings, Self.originals, "/wp-content/"]
        let isOnSite = isOnHost || directories.contains { path.hasPrefix($0) }
        return isOnSite && !isArchived
    }

    /// The URL of the rendition that NASA's site made of the video file at this URL; `nil` if this is another site.
    var thumbnailOfVideo: WebURL? {
        guard path.hasPrefix(Self.originals) else { return nil }
        return at("\(path)\(Self.partBeforeRendition)cq5dam.thumbnail.319.319.png")
    }

    /// The original of the rendering at this URL; `nil` for other URLs.
    var original: WebURL? {
        guard path.hasPrefix(Self.renderings) else { return nil }
        return at(Self.originals + path.dropFirst(Self.renderings.count))
    }

    var withoutRequestedSize: WebURL { path.hasPrefix(Self.renderings) ? at(path) : self }

    /// The size of the original in the query of a rendering; `nil` for other URLs.
    var originalSize: PixelSize? {
        guard path.hasPrefix(Self.renderings), let width = value(of: "w").flatMap({ Int($0) }),
            let height = value(of: "h").flatMap({ Int($0) }), width > 0, height > 0
        else { return nil }
        return PixelSize(width: width, height: height)
    }

    /// The URLs of this file in those directories of the archive, such as `2018/march/`, where NASA may have it instead.
    ///
    /// These are the directory of the month of `day`, of the next month, which has some pictures of the last days of a month,
    /// and of the month before, which has some of the first days. A URL of the old site also names a month, as in
    /// `/apod/image/1803/NAME`. For a URL outside of the archive, the list is empty.
    func inMonths(around day: Day) -> [WebURL] {
        let parts = path.split(separator: "/")
        guard !path.contains(bytes: Self.partBeforeRendition), let name = parts.last else {
            return []
        }
        let month = Month(of: day)
        var months = [month, month.next, month.previous]
        if path.hasPrefix(Self.archive) {
            return months.map { at(Self.archivePath(of: name, in: $0)) }
        }
        guard isNASA, parts.starts(with: ["apod", "image"]), 3...4 ~= parts.count else { return [] }
        if parts.count == 4 {
            // A directory of the old site that is not of a month has no pictures.
            guard let firstOfMonth = Day(compact: "\(parts[2])01") else { return [] }
            months.append(Month(of: firstOfMonth))
        }
        return months.map { Self.hostOfArchive.at(Self.archivePath(of: name, in: $0)) }
    }

    private static func archivePath(of name: Substring, in month: Month) -> String {
        "\(archive)\(month.first.year)/\(Day.months[month.first.month - 1])/\(name)"
    }
}

extension String {
    /// Whether this URL and `other` are those of the same file: they are equal, or differ only in the host of NASA's archive.
    ///
    /// NASA may move its archive to another host, or serve it from several hosts. The size in the query of a rendering does not
    /// matter.
    package func isURL(ofFileAt other: String?) -> Bool {
        if self == other { return true }
        guard let url = WebURL(link: self)?.withoutRequestedSize, url.isArchived,
            let other = other.flatMap({ WebURL(link: $0) })?.withoutRequestedSize
        else { return false }
        return url.path == other.path && url.query == other.query
    }
}
