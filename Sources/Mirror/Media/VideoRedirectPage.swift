internal import APOD

/// A page of a few lines that leads on to the video of a day: double-clicked, it opens in a browser.
///
/// A page, because every file manager on every system opens one; a `.desktop` file is shown as text or
/// asked about, and only Windows opens a `.url`. It says which day it is of, so that a copy of it in
/// `favorites/` is understood under any name.
struct VideoRedirectPage {
    /// UTF-8.
    let document: [UInt8]

    /// - Parameters:
    ///   - video: The address of the video.
    ///   - article: NASA's page of that day, in place of a video that no browser should be led to;
    ///     without either there is no shortcut.
    ///   - day: The day it is of.
    ///   - title: The title of that day.
    init?(to video: String, or article: String? = nil, of day: Day, title: String) {
        let page = VideoPageURL(of: video) ?? article.flatMap { VideoPageURL(article: $0) }
        guard let page else { return nil }
        let (url, title) = (Self.escaped(page.url), Self.escaped(title))
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
            <meta http-equiv="refresh" content="0; url=\(url)">
            <meta name="color-scheme" content="light dark">
            <title>APOD \(day): \(title)</title>
            </head>
            <body>
            <p><a href="\(url)">\(title)</a></p>
            </body>
            </html>

            """
        document = Array(text.utf8)
    }

    /// `text` as it stands in HTML, between tags and in an attribute.
    ///
    /// By scalars: a mark that combines with what stands before it does not hide a `<`.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
