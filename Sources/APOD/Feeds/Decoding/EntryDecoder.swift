internal import Platform
internal import Transfer

/// Decodes the fields that a server sent for a day, a ``RawEntry``, into an ``Entry``.
///
/// The fields are those of APOD Basic, NASA's API since 2026, or those of v1, NASA's API before.
struct EntryDecoder: Sendable {
    let mediaResolver: MediaResolver
    private let route: Route

    init(upstream: WebURL, route: Route = .api) {
        // The addresses on a web page of a classic mirror are relative to that web page.
        mediaResolver = MediaResolver(upstream: upstream, base: route == .classic ? upstream : nil)
        self.route = route
    }

    /// Decodes an element of a response.
    ///
    /// - Throws: ``EntryRejection`` if the element is not a valid entry, or is a placeholder of NASA.
    func entry(from element: RawEntry) throws(EntryRejection) -> Entry {
        guard let date = element[.date].map(TextNormalizer.line) else {
            throw EntryRejection(day: nil, reason: "an element has no date")
        }
        guard let day = Day(iso: date) else {
            throw EntryRejection(
                day: nil, reason: "an element has the date \"\(date.prefix(40))\"")
        }
        let entry =
            switch element.kind {
            case .basic: basicEntry(from: element, on: day)
            case .v1: v1Entry(from: element, on: day)
            }
        if let reason = reasonToReject(entry, from: element) {
            throw EntryRejection(day: day, reason: reason)
        }
        return entry
    }

    /// Why `entry`, which was decoded from `element`, is not valid; `nil` if it is.
    private func reasonToReject(_ entry: Entry, from element: RawEntry) -> String? {
        // Since 2026, v1 sends NASA's logo for each day. In APOD Basic, a logo means only that the entry has no picture.
        let isLogo = element.kind == .v1 && Placeholder.isName(element[.url] ?? "")
        let isNotice = Placeholder.isEntry(title: entry.title, explanation: entry.explanation)
        // mutation test: placeholder (see Tests/Mutants)
        guard !(isLogo || isNotice) else { return Placeholder.reason }
        guard entry.media == Media() else { return nil }
        let hasText = entry.title != Entry.untitled || !entry.explanation.isEmpty
        if !hasText { return "the entry has no title, no text and no media" }
        // Only an entry from the API has a media type that says that NASA has no picture of the day.
        guard route != .api else { return nil }
        return entry.mediaProblem ?? "\(route.name) has no picture and no video of it"
    }

    /// Decodes an element of APOD Basic, whose texts are HTML, and whose field `basicHTML` is the article of the day.
    private func basicEntry(from element: RawEntry, on day: Day) -> Entry {
        var element = element
        let article = Self.article(of: &element)
        let links = LinkResolver(article)
        let text = HTMLText(Self.nodes(element[.explanation]))
        let media = mediaResolver.basicMedia(of: element, article: article, day: day)
        // A server that lacks the field `credit` may name the authors in `copyright`.
        let creditNodes = Self.nodes(element[.credit] ?? element[.copyright])
        let permalink = element[.permalink] ?? element[.url]

        var entry = Entry(
            day: day, title: Self.title(Self.line(ofHTML: element[.title]), of: day),
            explanation: text.explanation,
            mediaType: element.mediaType ?? (media.video == nil ? "image" : "video"),
            media: media, feed: .basic, route: route,
            problems: element.problems, mediaProblem: element.mediaProblem)
        entry.explanationHTML = Self.markup(of: text, links: links)
        entry.credit = Credit(HTMLText(creditNodes).wholeText).names.nonEmpty
        entry.copyright = Self.copyrightHolder(of: element, article: article)
        entry.license = License(in: creditNodes, resolve: links.webPage)
        entry.permalink = permalink.flatMap(LinkResolver.ofNewSite.webPage)
        entry.alt = Self.pictureDescription(Self.line(ofHTML: element[.alt]))
        entry.modified = Self.modified(in: article)
        return entry
    }

    /// Returns the nodes of the article, without the files in it; leaves out the field of an article that is too long.
    private static func article(of element: inout RawEntry) -> [HTMLNode] {
        let html = (element[.basicHTML] ?? "").withoutInlineFiles
        if html.utf8.count > HTMLDocument.largestText {
            element.leaveOut(.basicHTML, because: "longer than \(HTMLDocument.largestText) bytes")
        }
        return HTMLDocument.nodes(of: html)
    }

    /// The holder of the copyright, whom the field `copyright` names or, in an entry without that field, perhaps `credit`.
    private static func copyrightHolder(of element: RawEntry, article: [HTMLNode]) -> String? {
        let credit = Credit(line(ofHTML: element[.copyright] ?? element[.credit]))
        // The field `credit` claims the copyright only with a label, as in "Copyright: Ada Lovelace".
        guard element[.copyright] != nil || credit.label != nil else { return nil }
        return credit.holder(articleLabel: HTMLText(article).creditLabel)
    }

    /// The time in the first `<meta property="article:modified_time" content="2026-09-11T17:18:17-04:00">`.
    ///
    /// It is `nil` if there is no such tag, or if its text cannot be a time, because it is empty or too long.
    private static func modified(in article: [HTMLNode]) -> String? {
        for case .opening("meta", let attributes) in article
        where attributes["property"] == "article:modified_time" {
            let time = TextNormalizer.line(attributes["content"] ?? "")
            return 1...maximumTimeLength ~= time.utf8.count ? time : nil
        }
        return nil
    }

    /// The maximum length of a time, in bytes; NASA writes 25.
    private static let maximumTimeLength = 40

    /// Returns `text` if it describes the picture; `nil` for “See Explanation”, with which many entries refer to their text.
    private static func pictureDescription(_ text: String) -> String? {
        text.lowercased().hasPrefix("see explanation") ? nil : text.nonEmpty
    }

    /// The title without the date of `day`, which NASA writes before some titles; ``Entry/untitled`` if nothing is left.
    static func title(_ text: String?, of day: Day) -> String {
        text.flatMap { PostTitle.withoutDate($0, of: day).nonEmpty } ?? Entry.untitled
    }

    /// The HTML of the explanation in `text`; `nil` if there is no explanation.
    static func markup(of text: HTMLText, links: LinkResolver) -> String? {
        ExplanationMarkup.html(of: text, resolve: links.webPage).nonEmpty
    }

    static func line(ofHTML html: String?) -> String { HTMLText(nodes(html)).wholeText }

    static func nodes(_ html: String?) -> [HTMLNode] { HTMLDocument.nodes(of: html ?? "") }
}
