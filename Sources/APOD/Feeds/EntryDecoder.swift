internal import Platform
internal import Transfer

/// Decodes the fields that a server sent for a day, a ``RawEntry``, into an ``Entry``.
///
/// The fields are those of APOD Basic, NASA's API since 2026, or those of v1, NASA's API before.
struct EntryDecoder: Sendable {
    private let mediaResolver: MediaResolver
    private let route: Route

    /// Creates a decoder for the entries that come from `upstream` by `route`.
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
            case .basic: basic(element, day)
            case .v1: v1(element, day)
            }
        // Since 2026, v1 sends NASA's logo for each day. In APOD Basic, a logo means only that the entry has no picture.
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
        // Only an entry from the API has a media type that says that NASA has no picture of the day.
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
        // A credit claims the copyright only with a label, as in "Copyright: Ada Lovelace".
        let mayClaimCopyright = element[.copyright] != nil || holder.label != nil
        let explanation = HTMLText(Self.nodes(element[.explanation]))
        let media = mediaResolver.basicMedia(of: element, article: article, day: day)
        return Entry(
            day: day,
            title: Self.title(Self.line(element[.title]), of: day),
            explanation: explanation.explanation,
            explanationHTML: Self.markup(of: explanation, links),
            mediaType: element.mediaType ?? (media.video == nil ? "image" : "video"),
            credit: Credit(HTMLText(creditNodes).wholeText).names.nonEmpty,
            copyright: mayClaimCopyright
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

    /// Returns `text` if it describes the picture; `nil` for “See Explanation”, with which many entries refer to their text.
    private static func description(_ text: String) -> String? {
        text.lowercased().hasPrefix("see explanation") ? nil : text.nonEmpty
    }

    // MARK: v1

    /// Decodes an element whose fields are plain text; those of some entries are HTML.
    private func v1(_ element: RawEntry, _ day: Day) -> Entry {
        let holder = element[.copyright].map { Self.beforeExplanation(Self.plain($0)) }
        let text = Self.withoutScriptAndFoot(element[.explanation] ?? "")
        let html = text.isMarkedUp ? HTMLText(Self.nodes(text)) : nil
        let plainText = TextNormalizer.paragraphs(HTMLText.removingExplanationLabel(text) ?? text)
        let title = element[.title].map { Self.plain(Self.withoutCreditLabel($0)) }
        return Entry(
            day: day,
            title: Self.title(title, of: day),
            explanation: html?.explanation ?? plainText,
            explanationHTML: html.flatMap { Self.markup(of: $0, LinkResolver([])) },
            mediaType: element.mediaType ?? "other",
            copyright: holder.flatMap { Credit($0).holder(articleLabel: nil) },
            media: mediaResolver.v1Media(of: element, day: day),
            feed: .v1, problems: element.problems)
    }

    /// Removes the label of the credit, which titles of 1996 have on a second line.
    ///
    /// "The Horsehead \r\nCredit and Copyright:" becomes "The Horsehead".
    private static func withoutCreditLabel(_ title: String) -> String {
        let lines = TextNormalizer.trimmed(title).split(whereSeparator: \.isNewline)
        guard lines.count > 1, lines.last?.hasSuffix(":") ?? false else { return title }
        return lines.dropLast().joined(separator: " ")
    }

    /// Removes what a page of the old site has after the explanation: the foot, from "Tomorrow's picture:" on.
    ///
    /// A hundred entries have nothing but a foot. Most entries from February 2008 to March 2010 have the script of a button
    /// before the foot; the script is removed, too.
    private static func withoutScriptAndFoot(_ explanation: String) -> String {
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

    private static func line(_ html: String?) -> String { HTMLText(nodes(html)).wholeText }

    private static func nodes(_ html: String?) -> [HTMLNode] {
        HTMLDocument.nodes(of: (html ?? "").withoutCaptions)
    }

    /// Returns the text of a field of v1 in one line, whether it is plain text or HTML.
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
