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
    /// The URL of the root on a web server, with a slash at its end; empty for relative addresses.
    private let baseURL: String
    /// The picture and the texts, made once because both feeds have it.
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
    /// The URL of NASA's page of the day, which identifies the entry in every mirror.
    var id: String { "https://apod.nasa.gov/apod/ap\(day.compact).html" }
    var link: String { galleryDay.permalink ?? id }
    /// Midnight in New York in summer, which is never later than NASA publishes.
    var published: String { "\(day)T04:00:00Z" }
    var updated: String { fetched.timestamp }
    var copyright: String? { galleryDay.record?.entry.copyright }
    var author: String { credit ?? "NASA" }

    /// Who made the picture; `nil` if NASA names nobody.
    private var credit: String? {
        [galleryDay.record?.entry.credit, copyright].compactMap(\.self).first { !$0.isEmpty }
    }

    /// The explanation without markup.
    var text: String { galleryDay.record?.entry.explanation ?? "" }

    /// The picture or the video of the day if its file is here; a poster is not the file of a video.
    var enclosure: (url: String, type: String, bytes: Int)? {
        switch galleryDay.content {
        case .picture(let picture):
            (url(of: picture.path), picture.type?.rawValue ?? "", picture.bytes)
        case .video(let path):
            galleryDay.record?.video?.file.map { file in
                (url(of: path), MediaType(ofName: path)?.rawValue ?? "video/mp4", file.bytes)
            }
        case .externalVideo, .nothing: nil
        }
    }

    /// The file, its thumbnail and its authors, as elements of Media RSS (namespace prefix `media`).
    ///
    /// The poster of a video is only a thumbnail, because programs that set wallpapers use each image of a feed.
    var mediaRSS: HTML? {
        let isVideo = galleryDay.isVideo
        let content = enclosure.map { file -> HTML in
            """
            <media:content url="\(file.url)" type="\(file.type)" medium="\(isVideo ? "video" : "image")" \
            fileSize="\(file.bytes)"\(isVideo ? nil : galleryDay.sizeAttributes)/>

            """
        }
        let cover = isVideo ? galleryDay.cover : galleryDay.thumbnail
        guard content != nil || cover != nil else { return nil }
        let thumbnail = cover.map { path -> HTML in
            "<media:thumbnail url=\"\(url(of: path))\"/>\n"
        }
        var media: HTML = "\(content)\(thumbnail)"
        if isVideo, content != nil { media = "<media:group>\n\(media)</media:group>\n" }
        return "\(media)\(credit.map { "<media:credit>\($0)</media:credit>\n" })"
    }

    func url(of path: String) -> String { baseURL + path.percentEncodedPath }

    /// The picture, the link to the video, or the reason why there is none.
    private var media: HTML {
        let image = galleryDay.original.map { original -> HTML in
            // A feed reader would load the whole of a very large picture to show a small one.
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
