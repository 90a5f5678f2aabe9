internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Mirror

/// A day as an entry of `feed.xml` and `feed.rss`.
struct FeedEntry {
    /// The day, which has a record.
    let galleryDay: GalleryDay
    /// When the record changed last, see ``DayRecord/lastChanged``.
    let fetched: Date
    /// The URL of the root on a web server, with a slash at its end; empty for relative addresses.
    let baseURL: String

    var day: Day { galleryDay.day }
    var title: String { galleryDay.title }
    /// The URL of NASA's page of the day, which identifies the entry in every mirror.
    var id: String { "https://apod.nasa.gov/apod/ap\(day.compact).html" }
    var link: String { galleryDay.permalink ?? id }
    /// A time that is never after NASA publishes: midnight in New York, in summer.
    var published: String { "\(day)T04:00:00Z" }
    var updated: String { fetched.timestamp }
    var copyright: String? { galleryDay.record?.entry.copyright }
    var author: String { credit ?? "NASA" }

    /// Who made the picture; `nil` if NASA names nobody.
    private var credit: String? {
        [galleryDay.record?.entry.credit, copyright].compactMap(\.self).first { !$0.isEmpty }
    }

    /// The whole entry as a feed reader shows it: the picture, the explanation, the credits and a link to NASA.
    var html: HTML {
        """
        \(linkedPicture)\(galleryDay.explanation())\(galleryDay.credits)\
        <p><a href="\(link)">This day at NASA</a></p>

        """
    }

    /// The explanation without markup.
    var text: String { galleryDay.record?.entry.explanation ?? "" }

    /// A file that feed readers can download.
    struct Enclosure {
        let url: String
        /// The media type, such as `image/jpeg`; empty if it is unknown.
        let type: String
        let bytes: Int
    }

    /// The picture or the video of the day if its file is here; a poster is not the file of a video.
    var enclosure: Enclosure? {
        switch galleryDay.content {
        case .picture(let picture):
            return Enclosure(
                url: url(of: picture.path), type: picture.type?.rawValue ?? "",
                bytes: picture.bytes)
        case .video(let path):
            guard let file = galleryDay.record?.video?.file else { return nil }
            let type = MediaType(ofName: path)?.rawValue ?? "video/mp4"
            return Enclosure(url: url(of: path), type: type, bytes: file.bytes)
        case .externalVideo, .nothing: return nil
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
        var elements: HTML = "\(content)\(thumbnail)"
        if isVideo, content != nil { elements = "<media:group>\n\(elements)</media:group>\n" }
        return "\(elements)\(credit.map { "<media:credit>\($0)</media:credit>\n" })"
    }

    func url(of path: String) -> String { baseURL + path.percentEncodedPath }

    /// The picture, or the poster of a video, as a link to the file or the video; if there is neither, the reason why.
    private var linkedPicture: HTML {
        let image = galleryDay.original.map { original -> HTML in
            // A feed reader would load the whole of a very large picture to show a small one.
            let thumbnail = galleryDay.isOriginalTooLarge ? galleryDay.thumbnail : nil
            let path = thumbnail ?? original
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
