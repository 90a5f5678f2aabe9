internal import APOD
internal import Platform

/// The redirect page of a day: a small HTML file beside the pictures, for a day whose video or article is not downloaded.
///
/// In a browser, it plays a video that NASA hosts, or leads to a video elsewhere, such as on YouTube, or to NASA's article.
/// It is HTML because file managers open that in a browser. A `.desktop` file needs a confirmation, and a `.url` file needs Windows.
/// This file makes the page from the record of its day, and Store+RedirectPage writes it.
extension DayRecord {
    /// The path and contents of the redirect page that should be in the tree; `nil` if there should be none.
    package var pageFile: (path: String, contents: [UInt8])? {
        guard removed == nil, needsRedirectPage, let page, let redirectPage else { return nil }
        return (page, redirectPage)
    }

    /// Whether the video of the day is not downloaded, or the day has neither a video nor a picture.
    ///
    /// A day with a downloaded video needs no page: a page beside the video may belong to another program.
    var needsRedirectPage: Bool {
        if let video { video.path == nil } else { picture == nil }
    }

    /// The contents of the page; `nil` if the addresses of video and article are not accepted.
    ///
    /// The page contains the date, so that a copy of it in `favorites/` is recognized even under another name.
    package var redirectPage: [UInt8]? {
        guard let address = addressOfPage else { return nil }
        let url = address.url.htmlEscaped
        return address.isFile
            ? html(leadingTo: url, head: Self.playerHead, body: Self.playerBody(url))
            : html(leadingTo: url, head: Self.redirectHead(url), body: "")
    }

    /// Where the page leads: to the video, else to NASA's article.
    private var addressOfPage: VideoPageURL? {
        if let video, let address = VideoPageURL(of: video.url) { return address }
        return VideoPageURL(
            article: entry.permalink ?? "https://apod.nasa.gov/apod/ap\(entry.day.compact).html")
    }

    private static func redirectHead(_ url: String) -> String {
        """
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'">
        <meta http-equiv="refresh" content="0; url=\(url)">
        """
    }

    private static let playerHead = """
        <meta http-equiv="Content-Security-Policy" \
        content="default-src 'none'; media-src https:; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width">
        <style>video { max-width: 100%; max-height: 80vh }</style>
        """

    private static func playerBody(_ url: String) -> String {
        """
        <video src="\(url)" controls></video>
        <p>This video is at NASA. With <code>--videos</code>, apod-mirror downloads it into this folder.</p>

        """
    }

    private func html(leadingTo url: String, head: String, body: String) -> [UInt8] {
        let title = entry.title.htmlEscaped
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            \(head)
            <meta name="color-scheme" content="light dark">
            <title>APOD \(entry.day): \(title)</title>
            </head>
            <body>
            <main>
            <h1><a href="\(url)">\(title)</a></h1>
            \(body)</main>
            </body>
            </html>

            """
        return Array(text.utf8)
    }
}
