internal import Transfer

/// The URL of the web page on which a person watches the video of a day, or reads NASA's article if there is no video.
///
/// `https://www.youtube.com/embed/ID` becomes `https://www.youtube.com/watch?v=ID`, because a player that is opened as a web
/// page refuses to play (YouTube's “error 153”). A feed can contain any URL; only URLs of known sites are accepted.
package struct VideoPageURL: Hashable, Sendable {
    /// An absolute `https` URL, percent-encoded.
    package let url: String
    /// Whether it is the URL of a video file at NASA, which `--videos` downloads.
    package let isFile: Bool

    /// Returns the page for the URL of a video, a player or a web page; fails for an unknown site.
    package init?(of video: String) {
        guard let url = WebURL(link: video) else { return nil }
        // YouTube and Vimeo also have pages whose URLs name no video; these are opened as they are.
        let page = url.youTubePage ?? url.vimeoPage ?? url.secured
        guard let page, page.isOfKnownSite else { return nil }
        self.url = page.text
        isFile = page.isNASA && page.isVideoFile
    }

    /// Returns the page for the URL of an article; fails if it is not on NASA's site.
    package init?(article: String) {
        guard let page = WebURL(link: article)?.secured, page.isNASA else { return nil }
        url = page.text
        isFile = false
    }
}

extension WebURL {
    private static let sitesWithVideos = [
        "youtube.com", "vimeo.com", "ustream.tv", "esa.int", "eso.org", "stsci.edu",
        "esahubble.org", "esawebb.org", "noirlab.edu", "jaxa.jp",
    ]

    /// Whether the host belongs to NASA, or to another site that has videos of the archive.
    var isOfKnownSite: Bool {
        isNASA || Self.sitesWithVideos.contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    /// This URL with the scheme `https`; `nil` if it names a port or a user, which no known site needs.
    fileprivate var secured: WebURL? {
        guard !hasCredentials, port == (scheme == "https" ? 443 : 80) else { return nil }
        return scheme == "https" ? self : try? WebURL("https" + text.dropFirst(scheme.count))
    }
}
