internal import APOD
internal import Mirror

/// One day as the gallery shows it.
struct GalleryDay {
    /// What there is to look at.
    enum Work {
        case picture(PictureRecord)
        /// A video that is kept here; its path.
        case film(String)
        /// A video that plays elsewhere; its address.
        case filmElsewhere(String)
        /// Nothing; a sentence says why.
        case nothing(String)
    }

    let day: Day
    /// `nil` where it cannot be read.
    let record: DayRecord?
    let hasThumbnail: Bool
    let isFavorite: Bool
    /// Whether the record may be readable the next time.
    let isDoubtful: Bool
    /// The picture, or the still of a video; never one that a record claims to be elsewhere.
    let picture: PictureRecord?

    init(
        day: Day, record: DayRecord?, hasThumbnail: Bool, isFavorite: Bool, isDoubtful: Bool = false
    ) {
        self.isDoubtful = isDoubtful
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
            return .nothing("This day is not here, or its file in metadata/ cannot be read.")
        }
        if let video = record.video {
            if let path = video.path, path.isInTree { return .film(path) }
            if let address = video.url.asWebAddress {
                return .filmElsewhere(VideoPageURL(of: address)?.url ?? address)
            }
        }
        if let picture { return .picture(picture) }
        return .nothing(Self.sentence(of: record))
    }

    /// Why a day has no picture.
    private static func sentence(of record: DayRecord) -> String {
        switch record.entry.mediaType {
        case "image", "": break
        case "video": return "NASA published a video on this day, and no picture of it."
        default: return "NASA published something else than a picture on this day."
        }
        guard let reason = record.missing?.reason, !reason.isEmpty else {
            return "The picture of this day is not here yet."
        }
        return "The picture of this day is not here yet. The reason: \(reason)."
    }

    /// The path of what stands for the day among others, `nil` where there is no picture of any kind.
    var cover: String? {
        thumbnail ?? picture.flatMap { $0.isShownByBrowsers ? $0.path : nil }
    }

    var thumbnail: String? { hasThumbnail ? Layout.thumbnail(of: day) : nil }

    var isFilm: Bool {
        switch work {
        case .film, .filmElsewhere: true
        case .picture, .nothing: false
        }
    }

    /// The page of the day at NASA.
    var permalink: String? { record?.entry.permalink?.asWebAddress }

    /// The picture in words: NASA's, else its title.
    var alternative: String {
        let words = record?.entry.alt ?? ""
        let isSaid = words.contains { !$0.isWhitespace }
        // So begin texts that describe nothing.
        let isElsewhere = words.lowercased().hasPrefix("see explanation")
        return isSaid && !isElsewhere ? words : title
    }
}

extension PictureRecord {
    /// Whether all browsers show it; TIFF and HEIC they do not.
    var isShownByBrowsers: Bool {
        ![MediaType.tiff, .heic].map(\.rawValue).contains(type)
    }

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
}
