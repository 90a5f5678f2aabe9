internal import APOD
internal import FoundationEssentials
internal import Mirror

/// A day as an entry of the feed.
struct FeedEntry {
    let record: DayRecord
    /// The URL of the root, empty or with a slash at its end.
    let base: String
    /// Whether it has no texts but the title, because those of the other entries are long.
    private let isBrief: Bool
    private let view: GalleryDay
    /// The picture and the texts.
    private(set) var html: HTML = ""

    init(record: DayRecord, base: String, hasThumbnail: Bool, isBrief: Bool = false) {
        (self.record, self.base, self.isBrief) = (record, base, isBrief)
        let day = GalleryDay(
            day: record.entry.day, record: record, hasThumbnail: hasThumbnail, isFavorite: false)
        view = isBrief ? day.brief : day
        html = """
            \(media)\(view.explanation())\(view.credits)\
            <p><a href="\(link)">This day at NASA</a></p>

            """
    }

    /// The entry without texts but the title.
    var brief: FeedEntry {
        FeedEntry(record: record, base: base, hasThumbnail: view.hasThumbnail, isBrief: true)
    }

    private var day: Day { record.entry.day }

    var title: String { view.title }
    /// NASA's page of the day, which identifies the entry in every mirror.
    var id: String { "https://apod.nasa.gov/apod/ap\(day.compact).html" }
    var link: String { view.permalink ?? id }
    /// Midnight in New York in summer: never later than NASA publishes.
    var published: String { "\(day)T04:00:00Z" }
    var updated: String { record.fetched.timestamp }
    var copyright: String? { isBrief ? nil : record.entry.copyright }

    var author: String { credit ?? "NASA" }

    /// Who made the picture; `nil` if NASA names nobody.
    private var credit: String? {
        let names = isBrief ? [] : [record.entry.credit, copyright].compactMap(\.self)
        return names.first { !$0.isEmpty }
    }

    /// The picture, or the poster of a video.
    var picture: PictureRecord? { view.picture }

    /// The picture, its thumbnail and its makers in the words of Media RSS, of the prefix `media`.
    var mediaRSS: HTML? {
        guard let picture else { return nil }
        let size: HTML? =
            picture.width > 0 && picture.height > 0
            ? " width=\"\(picture.width)\" height=\"\(picture.height)\"" : nil
        let thumbnail = view.thumbnail.map { path -> HTML in
            "<media:thumbnail url=\"\(url(of: path))\"/>\n"
        }
        return """
            <media:content url="\(url(of: picture.path))" type="\(picture.type)" medium="image" \
            fileSize="\(picture.bytes)"\(size)/>
            \(thumbnail)\(credit.map { "<media:credit>\($0)</media:credit>\n" })
            """
    }

    func url(of path: String) -> String { base + path.percentEncodedPath }

    /// The picture, the link to the video, or why there is none.
    private var media: HTML {
        let image = view.picture.flatMap(shown).map { path -> HTML in
            "<img src=\"\(url(of: path))\" alt=\"\(view.alternative)\">"
        }
        let address: String
        switch view.content {
        case .picture(let picture): address = url(of: picture.path)
        case .video(let path): address = url(of: path)
        case .externalVideo(let url): address = url
        case .nothing(let reason): return "<p>\(reason)</p>\n"
        }
        let label: HTML = view.isVideo ? "\(image)The video" : image ?? "The picture"
        return "<p><a href=\"\(address)\">\(label)</a></p>\n"
    }

    /// The path of the picture to show: the thumbnail of a very large one, `nil` for one that browsers
    /// cannot show.
    private func shown(_ picture: PictureRecord) -> String? {
        guard picture.isShownByBrowsers else { return nil }
        return view.hasThumbnail && Rendition.isNecessary(of: picture)
            ? Layout.thumbnail(of: day) : picture.path
    }
}
