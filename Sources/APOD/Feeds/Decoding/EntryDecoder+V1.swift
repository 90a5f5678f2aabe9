internal import Platform

/// Decodes entries of v1, NASA's API before 2026, which have the texts of the old site.
extension EntryDecoder {
    /// Decodes an element whose fields are plain text; those of some entries are HTML.
    func v1Entry(from element: RawEntry, on day: Day) -> Entry {
        let text = Self.withoutScriptAndFoot(element[.explanation] ?? "")
        let html = text.isMarkedUp ? HTMLText(Self.nodes(text)) : nil
        let plainText = TextNormalizer.paragraphs(HTMLText.removingExplanationLabel(text) ?? text)
        let title = element[.title].map { Self.line(of: Self.withoutCreditLabel($0)) }
        let credit = element[.copyright].map { Credit(Self.beforeExplanation(Self.line(of: $0))) }
        return Entry(
            day: day,
            title: Self.title(title, of: day),
            explanation: html?.explanation ?? plainText,
            explanationHTML: html.flatMap { Self.markup(of: $0, links: LinkResolver([])) },
            mediaType: element.mediaType ?? "other",
            copyright: credit?.holder(articleLabel: nil),
            media: mediaResolver.v1Media(of: element, day: day),
            feed: .v1, problems: element.problems, mediaProblem: element.mediaProblem)
    }

    /// Removes the label of the credit, which titles of 1996 have on a second line.
    ///
    /// "The Horsehead \r\nCredit and Copyright:" becomes "The Horsehead".
    private static func withoutCreditLabel(_ title: String) -> String {
        let lines = TextNormalizer.trimmed(title).split(whereSeparator: \.isNewline)
        guard lines.count > 1, lines.last?.hasSuffix(":") == true else { return title }
        return lines.dropLast().joined(separator: " ")
    }

    /// Removes what a page of the old site has after the explanation: the foot, from "Tomorrow's picture:" on.
    ///
    /// A hundred entries have nothing but a foot. Most entries from February 2008 to March 2010 have the script of a button
    /// before the foot; the script is removed, too.
    private static func withoutScriptAndFoot(_ explanation: String) -> String {
        var text = explanation
        // The variable that the script sets first, and the end of its last statement.
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

    /// Returns `text`, which may be HTML or plain text, as plain text in one line.
    private static func line(of text: String) -> String {
        text.isMarkedUp ? line(ofHTML: text) : TextNormalizer.line(text)
    }
}

extension String {
    /// Whether the text has an entity, an end tag or `<br>`; `<`, `&` and words such as `<here>` are plain text.
    fileprivate var isMarkedUp: Bool {
        let text = lowercased()
        if ["</", "<br>", "<br/", "<br "].contains(where: text.contains(bytes:)) { return true }
        let parts = utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return parts.dropFirst().contains(where: \.beginsWithEntity)
    }
}

extension Substring.UTF8View {
    /// Whether the text, which follows an `&`, begins with the name or the number of an entity, as in `eacute;` and `#233;`.
    fileprivate var beginsWithEntity: Bool {
        // The longest reference, with its semicolon, is that of CounterClockwiseContourIntegral.
        guard let end = prefix(32).firstIndex(of: UInt8(ascii: ";")) else { return false }
        let isNumber = first == UInt8(ascii: "#")
        let name = self[..<end].dropFirst(isNumber ? 1 : 0)
        return name.allSatisfy(\.isASCIIWord) && name.count >= (isNumber ? 1 : 2)
    }
}
