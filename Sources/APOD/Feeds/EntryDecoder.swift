internal import Platform
internal import Transfer

/// Makes an ``Entry`` of a ``RawEntry``: of APOD Basic, NASA's feed since 2026, or of v1, the feed before it.
struct EntryDecoder: Sendable {
    private let media: MediaResolver
    private let route: Route

    init(upstream: WebURL, route: Route = .api) {
        // The addresses on the page of a mirror are relative to it.
        media = MediaResolver(upstream: upstream, base: route == .classic ? upstream : nil)
        self.route = route
    }

    /// - Throws: ``EntryRejection`` if the element is not a valid entry or is a placeholder.
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
            case .basic: basic(element, day)
            case .v1: v1(element, day)
            }
        // Since 2026, v1 has NASA's logo for each day. In APOD Basic, only the picture is left out.
        let isLogo = element.kind == .v1 && Placeholder.isName(element[.url] ?? "")
        let isNotice = Placeholder.isEntry(title: entry.title, explanation: entry.explanation)
        // mutation test: placeholder
        guard !(isLogo || isNotice) else {
            throw EntryRejection(day: day, reason: Placeholder.reason)
        }
        let hasText = entry.title != Entry.untitled || !entry.explanation.isEmpty
        guard hasText || entry.media != Media() else {
            throw EntryRejection(day: day, reason: "the entry has no title, no text and no media")
        }
        // Only the API says with its media type that a day has none.
        guard route == .api || entry.media != Media() else {
            throw EntryRejection(
                day: day, reason: "\(route.name) has no picture and no video of it")
        }
        return entry
    }

    // MARK: APOD Basic

    /// Decodes an element whose fields are HTML.
    private func basic(_ element: RawEntry, _ day: Day) -> Entry {
        let page = (element[.basicHTML] ?? "").withoutInlineFiles
        var problems = element.problems
        if page.utf8.count > HTMLDocument.largestText {
            problems.append("basic_html is longer than \(HTMLDocument.largestText) bytes")
        }
        let article = HTMLDocument.nodes(of: page)
        let links = LinkResolver(article)
        let creditNodes = Self.nodes(element[.credit] ?? element[.copyright])
        let holder = Credit(Self.line(element[.copyright] ?? element[.credit]))
        // Without the field `copyright`, only a label can claim it, as in the credit "Copyright: Ada Lovelace".
        let mayClaim = element[.copyright] != nil || holder.label != nil
        let explanation = HTMLText(Self.nodes(element[.explanation]))
        let media = media.basicMedia(of: element, article: article, day: day)
        return Entry(
            day: day,
            title: Self.title(Self.line(element[.title]), of: day),
            explanation: explanation.explanation,
            explanationHTML: Self.markup(of: explanation, links),
            mediaType: element.mediaType ?? (media.video == nil ? "image" : "video"),
            credit: Credit(HTMLText(creditNodes).line).names.nonEmpty,
            copyright: mayClaim
                ? holder.holder(articleLabel: HTMLText(article).creditLabel) : nil,
            license: License(in: creditNodes, resolve: links.webPage),
            permalink: LinkResolver.ofSite.webPage(element[.permalink] ?? element[.url]),
            alt: Self.description(Self.line(element[.alt])),
            media: media,
            feed: .basic,
            route: route,
            modified: Self.modified(in: article),
            problems: problems)
    }

    /// The time in `<meta property="article:modified_time" content="2026-09-11T17:18:17-04:00">`, if any.
    private static func modified(in article: [HTMLNode]) -> String? {
        for case .opening("meta", let attributes) in article
        where attributes["property"] == "article:modified_time" {
            let time = TextNormalizer.line(attributes["content"] ?? "")
            return 1...40 ~= time.utf8.count ? time : nil
        }
        return nil
    }

    /// An alternative text, unless it is like "See Explanation. Clicking on the picture will download the largest version."
    private static func description(_ text: String) -> String? {
        text.lowercased().hasPrefix("see explanation") ? nil : text.nonEmpty
    }

    // MARK: v1

    /// Decodes an element whose fields are plain text, mostly.
    private func v1(_ element: RawEntry, _ day: Day) -> Entry {
        let holder = element[.copyright].map { Self.beforeExplanation(Self.plain($0)) }
        let text = Self.beforeFoot(of: element[.explanation] ?? "")
        let html = text.isMarkedUp ? HTMLText(Self.nodes(text)) : nil
        let plain = TextNormalizer.paragraphs(HTMLText.removingExplanationLabel(text) ?? text)
        let title = element[.title].map { Self.plain(Self.withoutLabel($0)) }
        return Entry(
            day: day,
            title: Self.title(title, of: day),
            explanation: html?.explanation ?? plain,
            explanationHTML: html.flatMap { Self.markup(of: $0, LinkResolver([])) },
            mediaType: element.mediaType ?? "other",
            copyright: holder.flatMap { Credit($0).holder(articleLabel: nil) },
            media: media.v1Media(of: element, day: day),
            feed: .v1, problems: element.problems)
    }

    /// Removes the label of the credit, which titles of 1996 have on a second line.
    ///
    /// "The Horsehead \r\nCredit and Copyright:" becomes "The Horsehead".
    private static func withoutLabel(_ title: String) -> String {
        let lines = TextNormalizer.trimmed(title).split(whereSeparator: \.isNewline)
        guard lines.count > 1, lines.last?.hasSuffix(":") ?? false else { return title }
        return lines.dropLast().joined(separator: " ")
    }

    /// Removes the foot of a page of the old site, from "Tomorrow's picture:" on.
    ///
    /// A hundred entries have nothing but a foot. Most entries from February 2008 to March 2010 have the script of a button before it, which is removed, too.
    private static func beforeFoot(of explanation: String) -> String {
        var text = explanation
        if let start = text.firstRange(of: "digg_url")?.lowerBound,
            let end = text[start...].firstRange(of: "'compact';")?.upperBound
        {
            text.removeSubrange(start..<end)
        }
        guard let foot = text.firstRange(of: "Tomorrow's picture:") else { return text }
        return String(text[..<foot.lowerBound])
    }

    /// Removes the explanation that follows the copyright holder in entries of 1995.
    ///
    /// "Ada Lovelace Explanation: A star." becomes "Ada Lovelace".
    private static func beforeExplanation(_ holder: String) -> String {
        var words = holder.split(separator: " ")[...]
        if let end = words.firstIndex(of: "Explanation:") { words = words[..<end] }
        return words.joined(separator: " ")
    }

    // MARK: Both

    private static func title(_ text: String?, of day: Day) -> String {
        text?.withoutPostPrefix(of: day).nonEmpty ?? Entry.untitled
    }

    /// The explanation as HTML; `nil` if it is empty.
    private static func markup(of text: HTMLText, _ links: LinkResolver) -> String? {
        ExplanationMarkup.html(of: text, resolve: links.webPage).nonEmpty
    }

    private static func line(_ html: String?) -> String { HTMLText(nodes(html)).line }

    private static func nodes(_ html: String?) -> [HTMLNode] {
        HTMLDocument.nodes(of: (html ?? "").withoutCaptions)
    }

    /// The text of a plain-text field in one line; some contain markup nevertheless.
    private static func plain(_ text: String) -> String {
        text.isMarkedUp ? line(text) : TextNormalizer.line(text)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }

    /// Whether the text has an entity, an end tag or `<br>`; `<`, `&` and words such as `<here>` are plain text.
    fileprivate var isMarkedUp: Bool {
        utf8.indices.contains { index in
            let rest = utf8[index...].dropFirst()
            return switch utf8[index] {
            case UInt8(ascii: "<"): rest.beginsTag
            case UInt8(ascii: "&"): rest.beginsEntity
            default: false
            }
        }
    }
}

extension Substring.UTF8View {
    /// Whether an end tag or `br` begins here, after `<`.
    fileprivate var beginsTag: Bool {
        let word = String(prefix(3)) ?? ""
        return word.hasPrefix("/") || ["br>", "br/", "br "].contains(word.lowercased())
    }

    /// Whether the name or the number of an entity begins here, after `&`.
    fileprivate var beginsEntity: Bool {
        let start = prefix(32)
        guard let end = start.firstIndex(of: UInt8(ascii: ";")) else { return false }
        let isNumber = start.first == UInt8(ascii: "#")
        let name = start[..<end].dropFirst(isNumber ? 1 : 0)
        return name.allSatisfy(\.isASCIIWord) && name.count >= (isNumber ? 1 : 2)
    }
}
