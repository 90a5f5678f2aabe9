internal import APOD
internal import Mirror

/// One day as the gallery shows it.
struct Exhibit {
    /// What there is to look at.
    enum Work {
        case picture(PictureRecord)
        /// A video that is kept here; its path.
        case film(String)
        /// A video that plays elsewhere; its address.
        case filmElsewhere(String)
        /// Nothing; why.
        case nothing(String)
    }

    let day: Day
    /// `nil` where it cannot be read.
    let record: DayRecord?
    let hasThumbnail: Bool
    let isFavorite: Bool
    /// The picture, or the still of a video; never one that a record claims to be elsewhere.
    let picture: PictureRecord?

    init(day: Day, record: DayRecord?, hasThumbnail: Bool, isFavorite: Bool) {
        (self.day, self.record) = (day, record)
        (self.hasThumbnail, self.isFavorite) = (hasThumbnail, isFavorite)
        picture = record?.picture.flatMap { $0.path.isInTree ? $0 : nil }
    }

    var title: String {
        guard let record else { return day.inWords }
        return record.entry.title.isEmpty ? "Untitled" : record.entry.title
    }

    var work: Work {
        guard let record else {
            return .nothing("the day is not here, or its file in metadata/ cannot be read")
        }
        if let video = record.video {
            if let path = video.path, path.isInTree { return .film(path) }
            if let address = video.url.asWebAddress { return .filmElsewhere(address.watchable) }
        }
        if let picture { return .picture(picture) }
        return .nothing(record.missing?.reason ?? "it is not here yet")
    }

    /// The path of what stands for the day among others, `nil` where there is no picture of any kind.
    var cover: String? {
        if hasThumbnail { return Layout.thumbnail(of: day) }
        return picture.flatMap { $0.isShownByBrowsers ? $0.path : nil }
    }

    var isFilm: Bool {
        switch work {
        case .film, .filmElsewhere: true
        case .picture, .nothing: false
        }
    }
}

extension PictureRecord {
    /// Whether all browsers show it; TIFF they do not.
    var isShownByBrowsers: Bool { type != MediaType.tiff.rawValue }

    /// `4000 × 3000 pixels, JPEG`.
    var inWords: String {
        let kind = type.split(separator: "/").last.map { $0.uppercased() } ?? ""
        return width > 0 && height > 0 ? "\(width) × \(height) pixels, \(kind)" : kind
    }
}

extension String {
    /// Whether the path leads to a picture of the mirror.
    fileprivate var isInTree: Bool {
        hasPrefix(Layout.pictures + "/") && !split(separator: "/").contains("..")
    }

    /// The page of a video, for the address of a player that is made for being part of another page.
    fileprivate var watchable: String {
        let parts = split(separator: "/", maxSplits: 3)
        guard parts.count == 4,
            parts[1].hasSuffix("youtube.com") || parts[1].hasSuffix("nocookie.com"),
            parts[2] == "embed"
        else { return self }
        return "https://www.youtube.com/watch?v=\(parts[3].prefix { !"?&#/".contains($0) })"
    }
}
