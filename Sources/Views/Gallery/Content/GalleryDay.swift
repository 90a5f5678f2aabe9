internal import APOD
internal import Mirror
internal import Platform

/// One day as the gallery and the feeds show it: what its record says, and which of its files are there.
///
/// A picture has up to three files: the original, a thumbnail, and a ``Rendition`` if the original is large and recent. The
/// properties of these names are paths relative to the root of the mirror; `nil` if the file is not there. The HTML of a day is
/// made by extensions in other files.
struct GalleryDay {
    enum Content {
        case picture(PictureRecord)
        /// The path of a video in the mirror.
        case video(String)
        /// The URL of a video on another site.
        case externalVideo(String)
        /// Nothing, with a sentence that says why.
        case nothing(String)
    }

    let day: Day
    /// `nil` if there is no record, or if it cannot be read.
    let record: DayRecord?
    let isFavorite: Bool
    /// The links between days; `nil` if all links of the text are to lead to the web.
    let links: DayLinks?
    let content: Content
    /// The picture, or the poster of a video; `nil` if its file is not there.
    let picture: PictureRecord?
    let rendition: String?
    let thumbnail: String?

    init(_ day: Day, _ record: DayRecord?, in input: ViewInput, links: DayLinks? = nil) {
        self.day = day
        self.record = record
        self.links = links
        isFavorite = input.favorites.contains(day)
        let files = input.snapshot[day]
        func isHere(_ file: RecordedFile) -> Bool {
            file.removed == nil && !input.store.tree.hasLost(file.path, listedIn: files)
        }
        picture = record?.picture.flatMap { isHere($0.file) ? $0 : nil }
        let videoFile = record?.video?.file.flatMap { isHere($0) ? $0 : nil }
        content = Self.content(of: record, picture, videoFile)
        let hasRendition = picture != nil && input.renditions.contains(day)
        rendition = hasRendition ? Rendition.path(of: day) : nil
        let hasThumbnail = record?.removed == nil && files?.thumbnail != nil
        thumbnail = hasThumbnail ? Layout.thumbnail(of: day) : nil
    }

    /// The picture itself; `nil` if browsers cannot show it.
    var original: String? { picture.flatMap { $0.isShownByBrowsers ? $0.path : nil } }

    /// Whether pages and feeds show the thumbnail instead of the original, which has many bytes; `false` without a picture.
    var isOriginalTooLarge: Bool {
        if let picture { Rendition.isOriginalTooLarge(picture) } else { false }
    }

    /// The thumbnail, else the original; `nil` if the day has no picture that browsers can show.
    var cover: String? { thumbnail ?? original }

    /// The text on a card without a ``cover``; empty for a video, whose card has a sign.
    var emptyTileLabel: String {
        if isVideo { return "" }
        guard let record else { return "Not available" }
        if record.removed != nil { return "Removed" }
        if picture != nil { return "Open the picture" }
        return record.mediaPath == nil ? "No picture" : "Missing"
    }

    var title: String {
        guard let record else { return day.formatted }
        return record.entry.title.isEmpty ? "Untitled" : record.entry.title
    }

    var isVideo: Bool {
        switch content {
        case .video, .externalVideo: true
        case .picture, .nothing: false
        }
    }

    /// The objects that the title, the text and the credit name by catalogue.
    var objects: Set<CatalogueObject> {
        guard let entry = record?.entry else { return [] }
        let texts = [entry.title, entry.explanation, entry.credit, entry.copyright]
        // No object is read across the end of a text.
        return SearchText(texts.compactMap(\.self).joined(separator: ". ")).objects
    }

    /// The URL of NASA's page of the day.
    var permalink: String? { record?.entry.permalink?.webAddress }

    /// The alternative text: NASA's, else the title.
    var alternative: String {
        guard let text = record?.entry.alt, text.contains(where: { !$0.isWhitespace }) else {
            return title
        }
        // Many of NASA's alternative texts only refer to the explanation.
        return text.lowercased().hasPrefix("see explanation") ? title : text
    }

    /// `picture` and `videoFile` are those of `record` whose files are there.
    private static func content(
        of record: DayRecord?, _ picture: PictureRecord?, _ videoFile: RecordedFile?
    ) -> Content {
        guard let record else {
            return .nothing(
                "The mirror does not have this day, or cannot read its record in metadata/.")
        }
        if let video = record.video {
            if let videoFile { return .video(videoFile.path) }
            if let address = video.url.encodedWebLink {
                return .externalVideo(VideoPageURL(of: address)?.url ?? address)
            }
        }
        if let picture { return .picture(picture) }
        return .nothing(reasonForNoPicture(in: record))
    }

    private static func reasonForNoPicture(in record: DayRecord) -> String {
        guard record.removed == nil else {
            return "The mirror removed the picture of this day, because it keeps the newest only."
        }
        guard record.mediaPath == nil else {
            return "The file of this day is missing in the mirror."
        }
        switch record.entry.mediaType {
        case "image", "": break
        case "video": return "NASA published a video on this day, without a still image."
        default: return "NASA published a web page on this day, and no picture."
        }
        guard let reason = record.noPicture?.reason, !reason.isEmpty else {
            return "The mirror has no picture of this day yet."
        }
        return "The mirror has no picture of this day yet: \(reason)."
    }
}
