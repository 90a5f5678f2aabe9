package import JSON
internal import Platform
internal import Transfer

/// Decodes entries that other tools saved, for the command `adopt`, which repairs the texts of records with them.
///
/// An entry is a JSON object of one of these kinds:
/// - an element of APOD Basic, NASA's feed since 2026, with `post_id` or `basic_html`;
/// - an element of v1, the feed before it, also with a `credit` that the tool added;
/// - one of the tool lemon-apod, with `explanation_html`, `credits` and `has_copyright`;
/// - the record of a day in another mirror of this program.
///
/// Or it is an HTML page of NASA's old site, such as `apod.nasa.gov/apod/ap070713.html`.
package struct ArchiveDecoder: Sendable {
    private static let oldSite = "https://apod.nasa.gov/apod/"
    /// Links in the texts are relative to the old site.
    private let decoder = EntryDecoder(upstream: WebURL(stringLiteral: oldSite))

    package init() {}

    /// Decodes an object.
    ///
    /// - Throws: ``EntryRejection`` if it is no entry.
    package func entry(_ json: JSON) throws(EntryRejection) -> Entry {
        let isBasic = ["basic_html", "basic_html_url", "post_id"].contains { json[$0] != nil }
        guard !isBasic else { return try decode(json) }
        var entry = try decode(Self.element(of: json))
        // It comes from another field in each kind, and may have links, as HTML.
        let line = HTMLText(HTMLDocument.nodes(of: Self.credit(in: json))).line
        let names = Credit(line).names
        entry.credit = names.isEmpty ? nil : names
        // Some archives say only whether there is a copyright: the credit names its holder.
        if entry.copyright == nil, json["has_copyright"]?.bool == true {
            entry.copyright = entry.credit
        }
        return entry
    }

    /// The object as an element of v1, or of APOD Basic if it has the explanation as HTML.
    private static func element(of json: JSON) -> JSON {
        let html = json["explanation_html"]?.string
        // Some write a time after the date.
        let date = json["date"]?.string.map { JSON.string(String($0.prefix(10))) }
        return [
            "date": date,
            "title": json["title"]?.string.map { .string(html == nil ? $0 : $0.htmlEscaped) },
            "explanation": html.map(JSON.string) ?? json["explanation"] ?? json["explanation_text"],
            // The field that tells an element of APOD Basic from one of v1; the fields of the former are HTML.
            "permalink": html == nil ? nil : .string(oldSite),
            "media_type": json["media_type"], "copyright": json["copyright"],
        ]
    }

    private static func credit(in json: JSON) -> String {
        let credits = json["credits"]?.elements ?? []
        return json["credit"]?.string
            ?? credits.compactMap { $0["text"]?.string }.joined(separator: "; ")
    }

    /// Decodes a page of the old site as an element of APOD Basic: its decoder finds the explanation in it.
    ///
    /// - Throws: ``EntryRejection`` if it is the page of another day, or has no explanation.
    package func entry(page: String, of day: Day) throws(EntryRejection) -> Entry {
        let nodes = HTMLDocument.nodes(of: page)
        let lines = HTMLText(nodes).lines.map { TextNormalizer.line($0.text) }
        let end = lines.firstIndex { HTMLText.removingExplanationLabel($0) != nil }
        guard let end else {
            throw EntryRejection(day: day, reason: "the page has no explanation")
        }
        // Credits stand above the explanation.
        func line(labelled word: String) -> JSON? {
            lines[..<end].first { Credit($0).label?.lowercased().contains(word) ?? false }
                .map { .string($0.htmlEscaped) }
        }
        let element = try RawEntry([
            "date": .string("\(day)"),
            "title": nodes.pageTitle(of: day).map { .string($0.htmlEscaped) },
            "explanation": .string(page), "credit": line(labelled: "credit"),
            "copyright": line(labelled: "copyright"), "basic_html": .string(page),
        ])
        guard element.pageDay == day else {
            let reason = element.pageDay.map { "it is the page of \($0)" }
            throw EntryRejection(day: day, reason: reason ?? "the page has no date")
        }
        return try decoder.entry(from: element)
    }

    private func decode(_ json: JSON) throws(EntryRejection) -> Entry {
        try decoder.entry(from: RawEntry(json))
    }
}

extension RawEntry {
    fileprivate init(_ json: JSON) throws(EntryRejection) {
        try self.init(json: RawJSON(json.document[...]))
    }
}
