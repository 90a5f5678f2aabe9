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
            // An original in the directory of another month is better than a rendering.
            if let original = url.original { for url in original.moved(on: day) { add(url, size) } }
            add(url.withoutRequestedSize, size)
        }
        for url in urls { for url in url.moved(on: day) { add(url) } }
        return pictures + films
    }
}

extension WebURL {
    /// The directory of renderings: reduced copies, whose query has the size of the original as `w` and `h`.
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

    /// This URL without the size that it requests of a rendering.
    fileprivate var withoutRequestedSize: WebURL {
        path.hasPrefix(Self.rendering) ? at(path) : self
    }

    /// The size of the original that the URL of a rendering names; `nil` for other URLs.
    fileprivate var naturalSize: (width: Int, height: Int)? {
        guard path.hasPrefix(Self.rendering), let width = value(of: "w").flatMap({ Int($0) }),
            let height = value(of: "h").flatMap({ Int($0) }), width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    /// The URLs where NASA may have the original at this URL instead, in directories of months: that of `day`, the
    /// next one, where NASA files some pictures of the last days of a month, and for a URL of the old site the one
    /// that it names: `/apod/image/1803/NAME` is of March 2018.
    fileprivate func moved(on day: Day) -> [WebURL] {
        let parts = path.split(separator: "/")
        let isOld = isNASA && parts.starts(with: ["apod", "image"]) && 3...4 ~= parts.count
        guard isOld || path.hasPrefix(Self.archive), let name = parts.last else { return [] }
        var months = [day, day.advanced(by: 32 - day.day)]
        if isOld, parts.count == 4 {
            guard let named = Day(compact: "\(parts[2])01") else { return [] }
            months.append(named)
        }
        return months.map { month in
            let folder = "\(month.year)/\(Day.months[month.month - 1])"
            return (isOld ? Self.assets : self).at("\(Self.archive)\(folder)/\(name)")
        }
    }
}
