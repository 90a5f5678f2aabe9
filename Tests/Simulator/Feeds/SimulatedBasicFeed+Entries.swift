internal import APOD
internal import JSON
internal import Platform

/// Entries as `science.nasa.gov/wp-json/wp/v2/apod-basic` sends them.
extension SimulatedBasicFeed {
    func object(_ entry: SimulatedEntry) -> JSON {
        if let answer = entry.answer {
            // Its files are looked for here.
            let text = answer.line.replacing("https://assets.science.nasa.gov", with: origin)
            return (try? JSON(parsing: Array(text.utf8))) ?? answer
        }
        return [
            "date": .string(entry.day.description),
            "post_id": .integer(1_000_000 + entry.day.number),
            "title": .string(FeedMarkup.escaped(entry.title)),
            "permalink": .string(permalink(of: entry)),
            "media_type": textOrFalse(mediaType(of: entry)),
            "explanation": .string("<strong>Explanation: </strong>" + entry.explanationHTML),
            "credit": textOrFalse(credit(of: entry)),
            "copyright": textOrFalse(credit(of: entry)),
            "alt": textOrFalse(entry.alt),
            "url": .string(permalink(of: entry)),
            "hdurl": .string(pictureAddress(of: entry)),
            "basic_html": .string(page(of: entry)),
            "basic_html_url": .string("\(origin)\(Routes.basic)/\(entry.day.compact)/html"),
        ]
    }

    /// WordPress sends `false` instead of an empty text.
    private func textOrFalse(_ text: String?) -> JSON { text.map(JSON.string) ?? false }

    /// The address of the article, which is not simulated.
    func permalink(of entry: SimulatedEntry) -> String {
        let words = entry.title.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let (day, month) = (entry.day, Day.months[entry.day.month - 1])
        let slug = "apod-\(day.year)-\(month)-\(day.day)-" + words.prefix(12).joined(separator: "-")
        return "https://science.nasa.gov/image-article/\(slug)/"
    }

    private func mediaType(of entry: SimulatedEntry) -> String? {
        switch entry.media {
        case .other: "other"
        case .videoFile: "video"
        // NASA uses both for players.
        case .iframe: entry.day.number.isMultiple(of: 2) ? "iframe" : "video"
        case .picture, .markupOnly, .lost: "image"
        case .markup: nil
        }
    }

    /// The text of both fields; its label, or the lack of one, decides whether there is a copyright.
    private func credit(of entry: SimulatedEntry) -> String? {
        let text = entry.credit ?? entry.copyright.map(FeedMarkup.escaped)
        guard let text else { return nil }
        guard entry.copyright != nil else { return "<b> Image Credit: </b> \(text)" }
        guard entry.day.number.isMultiple(of: 2) else { return text }
        return "<b> Image Credit &amp; <a href=\"\(Self.about)\">Copyright</a>: </b> \(text)"
    }

    private static let about = "https://science.nasa.gov/apod/about-apod/"

    private func pictureAddress(of entry: SimulatedEntry) -> String {
        guard let picture = entry.media.picture,
            entry.media != .markupOnly(picture)
        else {
            return SimulatedPlaceholder.address(at: origin)
        }
        let size = (picture.announcesSize ? picture.source.size : nil) ?? (0, 0)
        return address(entry.dynamicPath(of: picture))
            + "?w=\(size.width)&h=\(size.height)&fit=clip&crop=faces%2Cfocalpoint"
    }

    func address(_ path: String) -> String {
        origin + path.percentEncoded(keeping: "-._~/@")
    }

    /// The page of the day in the style of 1995.
    func page(of entry: SimulatedEntry) -> String {
        let day = entry.day
        let title = FeedMarkup.escaped(entry.title)
        let date = "\(day.year) \(Day.months[day.month - 1].capitalizedASCII) \(day.day)"
        return """
            <!doctype html>
            <html>
            <head>
            <meta charset="UTF-8">
            <title> APOD: \(date) - \(title)</title>
            <link rel="canonical" href="\(permalink(of: entry))">
            <meta property="article:modified_time" content="\(entry.modified ?? "\(day)T00:05:00-05:00")">
            </head>
            <body BGCOLOR="#F4F4FF" text="#000000" link="#0000FF" vlink="#7F0F9F"
            alink="#FF0000">

            <center>
            <h1> Astronomy Picture of the Day </h1>
            <p>

            <a href="https://science.nasa.gov/apod/archive/">Discover the cosmos!</a>
            Each day a different image or photograph of our fascinating universe is
            featured, along with a brief explanation written by a professional astronomer.
            <p>

            \(date)<br>

            \(markup(of: entry))
            </center>

            <center>
            <b> \(title) </b> <br>

            \(credit(of: entry) ?? "")
            </center>

            <p>

            <b> Explanation: </b>

            \(entry.explanationHTML)
            </body>
            </html>
            """
    }

    /// The markup of the picture or video.
    private func markup(of entry: SimulatedEntry) -> String {
        switch entry.media {
        case .picture(let picture):
            // Half of the real pages do not contain the picture.
            guard entry.day.number.isMultiple(of: 2) else { return "" }
            return """
                <a href="\(address(entry.originalPath(of: picture)))"><IMG \
                SRC="\(address(entry.dynamicPath(of: picture)))" alt="\
                \(FeedMarkup.escaped(entry.alt ?? ""))"></a>
                """
        case .markupOnly(let picture):
            return "<IMG SRC=\"\(address(entry.originalPath(of: picture)))\">"
        case .videoFile(let video, _):
            return """
                <video controls title="">
                <source src="\(address(entry.originalPath(of: video)))" type="video/mp4">
                </video>
                """
        case .iframe(let source, _):
            return """
                <iframe width="960" height="540" src="\(FeedMarkup.escaped(source))" \
                allowfullscreen></iframe>
                """
        case .markup(let markup, _): return markup
        case .lost, .other: return ""
        }
    }
}

extension String {
    var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
