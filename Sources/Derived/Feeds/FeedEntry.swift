internal import APOD
internal import FoundationEssentials
internal import Gallery
internal import Mirror
internal import Thumbnails

/// A day as an entry of a feed: the values that both formats have.
struct FeedEntry {
    let day: Day
    let title: String
    /// NASA's page of the day, which identifies the entry in every mirror.
    let id: String
    let link: String
    /// Midnight in New York in summer: never later than NASA publishes.
    let published: String
    let updated: String
    let author: String
    let copyright: String?
    let html: HTML
    let text: String
    let enclosure: Enclosure?

    struct Enclosure {
        let address: String
        let type: String
        let bytes: Int
    }

    /// `base` is the URL of the root, empty or with a slash at its end.
    init(_ record: DayRecord, baseURL base: String, hasThumbnails: Bool) {
        day = record.entry.day
        let view = GalleryDay(
            day: day, record: record, hasThumbnail: hasThumbnails, isFavorite: false)
        title = view.title
        id = "https://apod.nasa.gov/apod/ap\(day.compact).html"
        link = view.permalink ?? id
        published = "\(day)T04:00:00Z"
        updated = record.fetched.timestamp
        let (credit, holder) = (record.entry.credit, record.entry.copyright)
        author = [credit, holder].compactMap(\.self).first { !$0.isEmpty } ?? "NASA"
        copyright = holder
        text = record.entry.explanation
        enclosure = view.picture.map {
            Enclosure(
                address: base + $0.path.percentEncodedPath, type: $0.type, bytes: $0.bytes)
        }
        html = """
            \(Self.media(view, record, base, hasThumbnails))\(view.explanation)\(view.credits)\
            <p><a href="\(link)">This day at NASA</a></p>

            """
    }

    /// The picture, the link to the video, or why there is none.
    private static func media(
        _ view: GalleryDay, _ record: DayRecord, _ base: String, _ hasThumbnails: Bool
    ) -> HTML {
        let image = view.picture.flatMap { picture in
            shown(picture, of: record.entry.day, hasThumbnails).map { path -> HTML in
                "<img src=\"\(base + path.percentEncodedPath)\" alt=\"\(view.alternative)\">"
            }
        }
        switch view.content {
        case .picture(let picture):
            let address = base + picture.path.percentEncodedPath
            return "<p><a href=\"\(address)\">\(image ?? "The picture")</a></p>\n"
        case .video(let path):
            let address = base + path.percentEncodedPath
            return "<p><a href=\"\(address)\">\(image ?? "")The video</a></p>\n"
        case .externalVideo(let address):
            return "<p><a href=\"\(address)\">\(image ?? "")The video</a></p>\n"
        case .nothing(let reason): return "<p>\(reason)</p>\n"
        }
    }

    /// The path of the picture to show: the thumbnail of a very large one, `nil` for one that browsers
    /// cannot show.
    private static func shown(
        _ picture: PictureRecord, of day: Day, _ hasThumbnails: Bool
    ) -> String? {
        guard picture.isShownByBrowsers else { return nil }
        let isReduced = hasThumbnails && Rendition.isNecessary(of: picture)
        return isReduced && Thumbnails.isSupported(picture)
            ? Layout.thumbnail(of: day) : picture.path
    }
}
