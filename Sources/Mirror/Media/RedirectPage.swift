internal import APOD
internal import Platform

/// The redirect page of a day: a small HTML file by which a file manager opens a video that is not downloaded, or NASA's
/// article.
///
/// It plays a video that NASA hosts, and redirects to any other video; to NASA's article if there is no video or its URL is
/// not accepted. HTML, because every file manager opens it; a `.desktop` file is shown as text or needs confirmation, and
/// only Windows opens a `.url`.
extension DayRecord {
    /// The redirect page that is to be in the tree; `nil` if there is none, or beside a downloaded video, where it may be that
    /// of another program.
    package var pageFile: (path: String, contents: [UInt8])? {
        guard removed == nil, video?.path == nil, let page, let redirectPage else { return nil }
        return (page, redirectPage)
    }

    /// The contents of the HTML page of the day; `nil` if there is no accepted address.
    ///
    /// It contains the date, so that a copy in `favorites/` is recognized under any name.
    package var redirectPage: [UInt8]? {
        let article =
            entry.permalink ?? "https://apod.nasa.gov/apod/ap\(entry.day.compact).html"
        guard
            let page = video.flatMap({ VideoPageURL(of: $0.url) }) ?? VideoPageURL(article: article)
        else { return nil }
        let url = page.url.htmlEscaped
        return Array(html(leadingTo: url, page.isFile ? .player(url) : .redirect(url)).utf8)
    }

    /// What distinguishes the two kinds of pages.
    private struct PageParts {
        /// Elements of the head: what the page may load, and its behavior.
        let head: String
        /// What follows the heading.
        let body: String

        /// Opens the page at `url`.
        static func redirect(_ url: String) -> PageParts {
            PageParts(
                head: """
                    <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
                    <meta http-equiv="refresh" content="0; url=\(url)">
                    """, body: "")
        }

        /// Plays the video file at `url`.
        static func player(_ url: String) -> PageParts {
            PageParts(
                head: """
                    <meta http-equiv="Content-Security-Policy" \
                    content="default-src 'none'; media-src https:; style-src 'unsafe-inline'">
                    <meta name="viewport" content="width=device-width">
                    <style>video { max-width: 100%; max-height: 80vh }</style>
                    """,
                body: """
                    <video src="\(url)" controls></video>
                    <p>This video is at NASA. With <code>--videos</code>, apod-mirror downloads it into this folder.</p>

                    """)
        }
    }

    private func html(leadingTo url: String, _ parts: PageParts) -> String {
        let title = entry.title.htmlEscaped
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            \(parts.head)
            <meta name="color-scheme" content="light dark">
            <title>APOD \(entry.day): \(title)</title>
            </head>
            <body>
            <main>
            <h1><a href="\(url)">\(title)</a></h1>
            \(parts.body)</main>
            </body>
            </html>

            """
    }
}
