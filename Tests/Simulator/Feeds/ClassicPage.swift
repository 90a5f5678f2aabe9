internal import APOD
internal import Platform

/// A page of NASA's old site, `apYYMMDD.html`, as its mirrors still have it.
package enum ClassicPage {
    package static func html(of entry: SimulatedEntry) -> String {
        let (day, title) = (entry.day, FeedMarkup.escaped(entry.title))
        let month = Day.months[day.month - 1].capitalizedASCII
        let date =
            day.year < 1997 ? "\(month) \(day.day), \(day.year)" : "\(day.year) \(month) \(day.day)"
        return """
            <!doctype html>
            <html><head><title> APOD: \(date) - \(title)
            </title>
            <meta name="keywords" content="\(title)">
            </head>
            <body BGCOLOR="#F4F4FF" text="#000000" link="#0000FF" vlink="#7F0F9F">
            <center>
            <h1> Astronomy Picture of the Day </h1>
            <p>
            <a href="archivepix.html">Discover the cosmos!</a>
            Each day a different image or photograph of our fascinating universe is featured.
            <p>
            \(date)
            <br>
            \(picture(of: entry))
            </center>
            <center>
            <b> \(title) </b> <br>
            <b> Credit: </b> \(entry.credit ?? "")
            </center> <p>
            <b> Explanation: </b>
            \(entry.explanationHTML)
            <p> <center>
            <b> Tomorrow's picture: </b> <a href="ap\(day.advanced(by: 1).compact).html">another</a>
            <hr>
            <a href="ap\(day.advanced(by: -1).compact).html">&lt;</a>
            | <a href="archivepix.html">Archive</a>
            | <a href="ap\(day.advanced(by: 1).compact).html">&gt;</a>
            <hr> <img src="lib/logo.gif">
            </center>
            </body>
            </html>
            """
    }

    private static func picture(of entry: SimulatedEntry) -> String {
        if case .iframe(let source, _) = entry.media {
            return "<iframe src=\"\(FeedMarkup.escaped(source))\" allowfullscreen></iframe>"
        }
        guard let picture = entry.media.picture, !entry.media.isVideo else { return "" }
        let paths = entry.v1Paths(of: picture)
        guard let large = link(paths.large), let shown = link(paths.shown) else { return "" }
        return """
            <a href="\(large)">
            <IMG SRC="\(shown)" alt="See Explanation." style="max-width:100%"></a>
            """
    }

    /// A path of the old site relative to its pages; `nil` for a picture on another host.
    private static func link(_ path: String) -> String? {
        guard path.hasPrefix("/apod/") else { return nil }
        return path.dropFirst("/apod/".count).trimmingTrailingBlanks
            .percentEncoded(keeping: "-._~/@")
    }
}

extension Router {
    /// A page or a picture of the mirror.
    func classic(_ request: SimulatedRequest) -> SimulatedResponse {
        let name = request.path.dropFirst(Routes.classic.count)
        if name.hasPrefix("image/") {
            return media(request, at: "/apod/\(name)", in: classicMirror)
        }
        guard name.hasPrefix("ap"), name.hasSuffix(".html"),
            let entry = Day(compact: name.dropFirst(2).dropLast(5)).flatMap(classicMirror.entry)
        else { return .page(404, "Not Found") }
        return .text(ClassicPage.html(of: entry), type: "text/html")
    }
}
