internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Mirror

/// A day as an entry of `feed.xml` and `feed.rss`.
struct FeedEntry {
    /// A day with a record.
    private let galleryDay: GalleryDay
    /// ``DayRecord/fetched`` of the day.
    private let fetched: Date
    /// The URL of the mirror's root on the web, with a slash at its end; empty for relative addresses.
    private let baseURL: String
    /// The picture and the texts; made once, as it is written twice.
    private(set) var html: HTML = ""

    init(_ galleryDay: GalleryDay, fetched: Date, baseURL: String) {
        self.galleryDay = galleryDay
        self.fetched = fetched
        self.baseURL = baseURL
        html = """
            \(media)\(galleryDay.explanation())\(galleryDay.credits)\
            <p><a href="\(link)">This day at NASA</a></p>

            """
    }

    var day: Day { galleryDay.day }
    var title: String { galleryDay.title }
    /// NASA's page of the day, which identifies the entry in every mirror.
    var id: String { "https://apod.nasa.gov/apod/ap\(day.compact).html" }
    var link: String { galleryDay.permalink ?? id }
    /// Midnight in New York in summer: never later than NASA publishes.
    var published: String { "\(day)T04:00:00Z" }
    var updated: String { fetched.timestamp }
    var copyright: String? { galleryDay.record?.entry.copyright }
    var author: String { credit ?? "NASA" }

    /// Who made the picture; `nil` if NASA names nobody.
    private var credit: String? {
        [galleryDay.record?.entry.credit, copyright].compactMap(\.self).first { !$0.isEmpty }
    }

    /// The text without markup.
    var text: String { galleryDay.record?.entry.explanation ?? "" }

    /// The file that belongs to the entry: the video, else the picture, or the poster of a video that is elsewhere.
    var enclosure: (url: String, type: String, bytes: Int)? {
        if case .video(let path) = galleryDay.content, let file = galleryDay.record?.video?.file {
            return (url(of: path), MediaType(ofName: path)?.rawValue ?? "video/mp4", file.bytes)
        }
        return galleryDay.picture.map { (url(of: $0.path), $0.type, $0.bytes) }
    }

    /// The file, its thumbnail and who made it, as elements of Media RSS (namespace prefix `media`).
    ///
    /// A poster is the thumbnail of a video only: programs that set wallpapers take each image of a feed for one.
    var mediaRSS: HTML? {
        guard let enclosure else { return nil }
        let medium: HTML?
        switch galleryDay.content {
        case .picture: medium = "medium=\"image\""
        case .video: medium = "medium=\"video\""
        case .externalVideo, .nothing: medium = nil
        }
        let content = medium.map { medium -> HTML in
            let size = galleryDay.isVideo ? nil : galleryDay.sizeAttributes
            return """
                <media:content url="\(enclosure.url)" type="\(enclosure.type)" \(medium) \
                fileSize="\(enclosure.bytes)"\(size)/>

                """
        }
        let cover = galleryDay.isVideo ? galleryDay.cover : galleryDay.thumbnail
        let thumbnail = cover.map { path -> HTML in
            "<media:thumbnail url=\"\(url(of: path))\"/>\n"
        }
        return "\(content)\(thumbnail)\(credit.map { "<media:credit>\($0)</media:credit>\n" })"
    }

    func url(of path: String) -> String { baseURL + path.percentEncodedPath }

    /// The picture, the link to the video, or why there is none.
    private var media: HTML {
        let image = galleryDay.original.map { original -> HTML in
            // The whole of a very large picture would be loaded for a small one in a feed reader.
            let isLarge = galleryDay.picture.map(Rendition.isNecessary) ?? false
            let path = isLarge ? galleryDay.thumbnail ?? original : original
            return "<img src=\"\(url(of: path))\" alt=\"\(galleryDay.alternative)\">"
        }
        let address: String
        switch galleryDay.content {
        case .picture(let picture): address = url(of: picture.path)
        case .video(let path): address = url(of: path)
        case .externalVideo(let url): address = url
        case .nothing(let reason): return "<p>\(reason)</p>\n"
        }
        let label: HTML = galleryDay.isVideo ? "\(image)The video" : image ?? "The picture"
        return "<p><a href=\"\(address)\">\(label)</a></p>\n"
    }
}
