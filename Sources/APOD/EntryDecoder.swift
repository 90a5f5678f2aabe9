/// Makes entries of the elements that a feed answers, whichever shape each of them has.
struct EntryDecoder: Sendable {
    private let media: MediaRules

    init(upstream: WebAddress) {
        media = MediaRules(upstream: upstream)
    }

    /// - Throws: ``Rejection`` where the element is no entry, or one of NASA's stand-ins.
    func entry(from element: Element) throws(Rejection) -> Entry {
        guard let date = element.date, let day = Day(iso: CleanText.line(date)) else {
            let date = element.date.map { "the date \"\(CleanText.line($0).prefix(40))\"" }
            throw Rejection(day: nil, reason: "an element has \(date ?? "no date")")
        }
        let entry = element.kind == .basic ? basic(element, day) : v1(element, day)
        guard !StandIn.isEntry(title: entry.title, explanation: entry.explanation) else {
            throw Rejection(day: day, reason: StandIn.advice)
        }
        guard element.title != nil || element.explanation != nil || entry.media != Media() else {
            throw Rejection(day: day, reason: "it has no title, no text and no media")
        }
        return entry
    }

    private func basic(_ element: Element, _ day: Day) -> Entry {
        let page = element.basicHTML.map { HTMLDocument($0).nodes() } ?? []
        let credit = (element.credit ?? element.copyright).map { Credit(HTMLText($0).line) }
        let holder = (element.copyright ?? element.credit).map { Credit(HTMLText($0).line) }
        // Without the field, only a label can claim.
        let mayClaim = element.copyright != nil || holder?.label != nil
        return Entry(
            day: day,
            title: Self.title(element.title.map { HTMLText($0).line }),
            explanation: element.explanation.map { HTMLText($0).explanation } ?? "",
            explanationHTML: element.explanation,
            mediaType: element.mediaType ?? "other",
            credit: Self.unlessEmpty(credit?.names),
            copyright: mayClaim ? holder?.holder(pageLabel: Credit.label(on: page)) : nil,
            permalink: media.page(element.permalink ?? element.url),
            alt: Self.unlessEmpty(element.alt.map { HTMLText($0).line }),
            media: media.media(of: element, page: page, day: day),
            feed: .basic)
    }

    private func v1(_ element: Element, _ day: Day) -> Entry {
        let holder = element.copyright.map { Self.beforeExplanation(plain($0)) }
        let text = element.explanation ?? ""
        let isMarkedUp = Self.isMarkedUp(text)
        return Entry(
            day: day,
            title: Self.title(element.title.map { plain(Self.withoutLabel($0)) }),
            explanation: isMarkedUp
                ? HTMLText(text).explanation
                : CleanText.paragraphs(HTMLText.unlabelled(text) ?? text),
            explanationHTML: isMarkedUp ? text : nil,
            mediaType: element.mediaType ?? "other",
            copyright: holder.flatMap { Credit($0).holder(pageLabel: nil) },
            media: media.media(of: element, day: day),
            feed: .v1)
    }

    /// The text of a field that is plain by its shape, unless somebody put markup into it.
    private func plain(_ text: String) -> String {
        Self.isMarkedUp(text) ? HTMLText(text).line : CleanText.line(text)
    }

    private static func title(_ text: String?) -> String {
        unlessEmpty(text) ?? "Astronomy Picture of the Day"
    }

    private static func unlessEmpty(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether `text` has an entity, an end tag or a break; `<` and `&` alone are prose.
    private static func isMarkedUp(_ text: String) -> Bool {
        guard text.utf8.contains(where: { $0 == 0x26 || $0 == 0x3C }) else { return false }
        return text.contains("</") || text.contains(/<br\s*\/?>|&(#x?)?[0-9A-Za-z]{2,8};/)
    }

    /// The archive's titles of 1996 have the label of the credit, as in "Credit:", on a line below.
    private static func withoutLabel(_ title: String) -> String {
        let lines = CleanText.trimmed(title).split(whereSeparator: \.isNewline)
        guard lines.count > 1, lines.last?.hasSuffix(":") ?? false else { return title }
        return lines.dropLast().joined(separator: " ")
    }

    /// The archive's copyrights of 1995 go on with the whole page.
    private static func beforeExplanation(_ holder: String) -> String {
        var words = holder.split(separator: " ")[...]
        if let end = words.firstIndex(of: "Explanation:") { words = words[..<end] }
        return words.joined(separator: " ")
    }
}

extension Rejection: Error {}
