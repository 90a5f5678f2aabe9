internal import APOD
internal import Mirror
internal import Platform

/// One day as the gallery shows it.
struct GalleryDay {
    enum Content {
        case picture(PictureRecord)
        /// The path of a video in the mirror.
        case video(String)
        /// The URL of a video on another site.
        case externalVideo(String)
        /// No content; the sentence gives the reason.
        case nothing(String)
    }

    let day: Day
    /// `nil` if it cannot be read.
    let record: DayRecord?
    let hasThumbnail: Bool
    let hasRendition: Bool
    let isFavorite: Bool
    /// `nil` if its texts are not shown in the gallery.
    var links: DayLinks?
    /// The picture, or the poster of a video; `nil` if its path is outside of the mirror.
    let picture: PictureRecord?
    let content: Content

    init(
        day: Day, record: DayRecord?, hasThumbnail: Bool, hasRendition: Bool = false,
        isFavorite: Bool, links: DayLinks? = nil
    ) {
        self.hasRendition = hasRendition
        self.links = links
        (self.day, self.record) = (day, record)
        (self.hasThumbnail, self.isFavorite) = (hasThumbnail, isFavorite)
        picture = record?.picture.flatMap { $0.path.isInTree && $0.removed == nil ? $0 : nil }
        content = Self.content(of: record, picture)
    }

    /// The maximum length of a page with texts, in bytes: four times that of the longest year.
    static let pageLimit = 8 << 20

    /// The day for a page of `length` bytes, without its texts where that is at its limit.
    func fitting(_ length: Int) -> GalleryDay {
        // mutation test: page-limit
        length < Self.pageLimit ? self : brief
    }

    /// The day without its texts; what is left of them has a few hundred bytes.
    var brief: GalleryDay {
        var record = record
        record?.entry.title = title.excerpt(120)
        record?.entry.explanation = ""
        record?.entry.explanationHTML = nil
        record?.entry.alt = nil
        record?.entry.credit = nil
        record?.entry.copyright = nil
        record?.entry.license = nil
        if let missing = record?.missing { record?.missing?.reason = missing.reason.excerpt(120) }
        return GalleryDay(
            day: day, record: record, hasThumbnail: hasThumbnail, hasRendition: hasRendition,
            isFavorite: isFavorite, links: links)
    }

    var title: String {
        guard let record else { return day.formatted }
        return record.entry.title.isEmpty ? "Untitled" : record.entry.title
    }

    private static func content(of record: DayRecord?, _ picture: PictureRecord?) -> Content {
        guard let record else {
            return .nothing(
                "The mirror does not have this day, or cannot read its record in metadata/.")
        }
        if let video = record.video {
            if let path = video.path, path.isInTree, video.removed == nil { return .video(path) }
            if let address = video.url.webURL {
                return .externalVideo(VideoPageURL(of: address)?.url ?? address)
            }
        }
        if let picture { return .picture(picture) }
        return .nothing(sentence(of: record))
    }

    /// The reason why a day has no picture.
    private static func sentence(of record: DayRecord) -> String {
        guard record.removed == nil else {
            return "The mirror removed the picture of this day, because it keeps the newest only."
        }
        switch record.entry.mediaType {
        case "image", "": break
        case "video": return "NASA published a video on this day, without a still image."
        default: return "NASA published a web page on this day, and no picture."
        }
        guard let reason = record.missing?.reason, !reason.isEmpty else {
            return "The mirror has no picture of this day yet."
        }
        return "The mirror has no picture of this day yet: \(reason)."
    }

    /// The path of the small picture for a grid; `nil` if the day has no picture.
    var cover: String? { thumbnail ?? original }

    /// The path of the picture; `nil` if there is none that all browsers can show.
    var original: String? { picture.flatMap { $0.isShownByBrowsers ? $0.path : nil } }

    var thumbnail: String? {
        hasThumbnail && record?.removed == nil ? Layout.thumbnail(of: day) : nil
    }

    /// The path of the ``Rendition`` of the picture.
    var rendition: String? { hasRendition && picture != nil ? Rendition.path(of: day) : nil }

    var isVideo: Bool {
        switch content {
        case .video, .externalVideo: true
        case .picture, .nothing: false
        }
    }

    /// The URL of NASA's page of the day.
    var permalink: String? { record.flatMap { $0.webAddress(of: $0.entry.permalink) } }

    /// The alternative text: NASA's, else the title.
    var alternative: String {
        let words = record?.entry.alt ?? ""
        let isPresent = words.contains { !$0.isWhitespace }
        // Such texts do not describe the picture.
        let refersToText = words.lowercased().hasPrefix("see explanation")
        return isPresent && !refersToText ? words : title
    }
}

extension PictureRecord {
    /// Whether all browsers can show it; they cannot show TIFF and HEIC.
    var isShownByBrowsers: Bool {
        ![MediaType.tiff, .heic].map(\.rawValue).contains(type)
    }

    /// `4000 × 3000 pixels, JPEG`.
    var formatted: String {
        let kind = type.split(separator: "/").last.map { $0.uppercased() } ?? ""
        return width > 0 && height > 0 ? "\(width) × \(height) pixels, \(kind)" : kind
    }
}

extension String {
    /// Whether the path is in the mirror's directory of pictures.
    fileprivate var isInTree: Bool {
        hasPrefix(Layout.pictures + "/")
            && !utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }
}

extension Day {
    /// `20 November 2026`.
    var formatted: String { "\(day) \(monthName) \(year)" }

    /// `20 November`.
    var formattedWithoutYear: String { "\(day) \(monthName)" }

    var monthName: String {
        let name = Self.months[month - 1]
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}
