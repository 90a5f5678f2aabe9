internal import APOD
internal import Platform

/// An HTML page that redirects a browser to the video of a day.
///
/// HTML, because every file manager opens it; a `.desktop` file is shown as text or needs confirmation,
/// and only Windows opens a `.url`. It contains the date, so that a copy in `favorites/` is recognized
/// under any name.
struct VideoRedirectPage {
    /// UTF-8.
    let document: [UInt8]

    /// NASA's page of that day, `article`, is used if the URL of the video is not accepted; without either,
    /// `nil`.
    init?(to video: String, or article: String? = nil, of day: Day, title: String) {
        let page = VideoPageURL(of: video) ?? article.flatMap { VideoPageURL(article: $0) }
        guard let page else { return nil }
        let (url, title) = (page.url.htmlEscaped, title.htmlEscaped)
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
            <meta http-equiv="refresh" content="0; url=\(url)">
            <meta name="color-scheme" content="light dark">
            \(Self.titleStart(of: day))\(title)</title>
            </head>
            <body>
            <p><a href="\(url)">\(title)</a></p>
            </body>
            </html>

            """
        document = Array(text.utf8)
    }

    /// The start of its title, which no other page has.
    static func titleStart(of day: Day) -> String { "<title>APOD \(day): " }
}
