internal import Transfer

/// The web page of a day on NASA's old site or on a copy of it, in which ``ClassicFeed`` finds the fields of an entry.
///
/// This is such a page:
///
///     <center> 2026 September 16 <br> <img src="image/2609/M64.jpg"> </center>
///     <center> <b> A Title </b> <br> <b> Credit: </b> Ada Lovelace </center>
///     <b> Explanation: </b> A galaxy. <b> Tomorrow's picture: </b> open space <hr> ...
struct ClassicPage {
    private static let explanationLabel = "Explanation:"

    private let url: WebURL
    private let day: Day
    /// The HTML before the label of the explanation: the picture, the title and the credit.
    private let head: Substring
    /// The HTML after that label.
    private let afterLabel: Substring

    /// Fails if the page has no explanation.
    init?(_ html: String, at url: WebURL, of day: Day) {
        guard let label = html.firstRange(of: Self.explanationLabel) else { return nil }
        self.url = url
        self.day = day
        head = html[..<label.lowerBound]
        afterLabel = html[label.upperBound...]
    }

    /// The fields of the entry, as the feed APOD Basic has them.
    var fields: [RawEntry.Field: String] {
        // The page has one line for both. ``Credit`` decides whether it claims the copyright.
        let creditLine = creditHTML
        return [
            .title: title, .credit: creditLine, .copyright: creditLine,
            .explanation: "<b>\(Self.explanationLabel) </b>\(explanationHTML)",
            .permalink: url.text, .basicHTML: String(head),
        ]
    }

    private var title: String {
        let pageTitle = HTMLDocument.nodes(of: String(head)).pageTitle ?? ""
        return PostTitle.withoutDate(TextNormalizer.line(pageTitle), of: day)
    }

    /// What follows the first line, the title, in the last centered block of the head.
    private var creditHTML: String {
        let lastBlock = head.split(separator: "<center>").last ?? head
        guard let lineBreak = lastBlock.firstRange(of: "<br") else { return String(lastBlock) }
        let afterTag = lastBlock[lineBreak.upperBound...].drop { $0 != ">" }.dropFirst()
        return String(afterTag)
    }

    /// What follows the label, up to the foot of the page.
    private var explanationHTML: Substring {
        let foot =
            afterLabel.firstRange(of: "Tomorrow's picture") ?? afterLabel.firstRange(of: "<hr")
        return afterLabel[..<(foot?.lowerBound ?? afterLabel.endIndex)]
    }
}
