/// The places where the picture of a day may be, the original first.
struct PictureCandidates: Hashable {
    private(set) var pictures: [PictureAddress] = []

    /// - Parameters:
    ///   - addresses: Those that the feed names, the best first.
    ///   - day: The entry's own.
    init(of addresses: [WebAddress], on day: Day) {
        for address in addresses {
            let size = Self.size(of: address, among: addresses)
            for place in [address.original, address.withoutRendering].compactMap(\.self) {
                add(PictureAddress(place.description, width: size?.width, height: size?.height))
            }
        }
        for guess in addresses.compactMap({ $0.moved(on: day) }) {
            add(PictureAddress(guess.description))
        }
        // An address that ends like a film's rarely brings a picture: it is tried last.
        pictures =
            addresses.contains(where: \.isFilmFile)
            ? pictures.filter { !Self.isFilm($0) } + pictures.filter(Self.isFilm) : pictures
    }

    private mutating func add(_ picture: PictureAddress) {
        if !pictures.contains(where: { $0.url == picture.url }) { pictures.append(picture) }
    }

    private static func isFilm(_ picture: PictureAddress) -> Bool {
        WebAddress(picture.url, relativeTo: "")?.isFilmFile ?? false
    }

    /// The natural size, as an address of the same file says it.
    private static func size(
        of address: WebAddress, among addresses: [WebAddress]
    ) -> (width: Int, height: Int)? {
        let same = addresses.filter { $0.fileName == address.fileName }
        return ([address] + same).lazy.compactMap(\.naturalSize).first
    }
}

extension WebAddress {
    private static let rendering = "/dynamicimage/assets/"
    private static let archive = "/content/dam/science/cds/apod/apod/"

    /// Whether the name is that of a picture.
    var isPictureFile: Bool {
        ["jpg", "jpeg", "png", "gif", "tif", "tiff", "webp", "bmp"].contains(pathExtension)
    }

    /// Whether the path is one under which NASA keeps the pictures of the day.
    var isArchived: Bool {
        ["/cds/apod/", "/apod/image/"].contains { path.contains($0) }
    }

    /// Whether NASA's site has it among other things than the pictures of the day.
    var isElsewhereOnTheSite: Bool {
        !isArchived
            && (["science.nasa.gov", "assets.science.nasa.gov"].contains(host)
                || ["/dynamicimage/assets/", "/content/dam/", "/wp-content/"].contains {
                    path.hasPrefix($0)
                })
    }

    /// Whether the name is that of a film.
    var isFilmFile: Bool {
        ["mov", "mpg", "mpeg", "mp4", "m4v", "wmv", "avi", "webm"].contains(pathExtension)
    }

    /// Where NASA keeps the bytes of which this address serves a rendering.
    fileprivate var original: WebAddress? {
        guard path.hasPrefix(Self.rendering) else { return nil }
        return at("/content/dam/" + path.dropFirst(Self.rendering.count))
    }

    /// This address without a wish for a size.
    fileprivate var withoutRendering: WebAddress {
        path.hasPrefix(Self.rendering) ? at(path) : self
    }

    fileprivate var naturalSize: (width: Int, height: Int)? {
        guard path.hasPrefix(Self.rendering), let width = value(of: "w").flatMap({ Int($0) }),
            let height = value(of: "h").flatMap({ Int($0) }), width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    /// Where the move of 2026 may have put a file of the old site.
    ///
    /// `/apod/image/1803/NAME` is of March 2018; without such a folder it is of the entry's own month.
    fileprivate func moved(on day: Day) -> WebAddress? {
        let parts = path.split(separator: "/")
        guard isNASA, parts.starts(with: ["apod", "image"]), 3...4 ~= parts.count,
            let name = parts.last,
            let month = parts.count == 3 ? day : Day(compact: "\(parts[2])01")
        else { return nil }
        let folder = "\(month.year)/\(Day.months[month.month - 1])"
        return WebAddress(
            "https://assets.science.nasa.gov\(Self.archive)\(folder)/\(name)", relativeTo: "")
    }
}
