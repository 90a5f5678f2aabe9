internal import Transfer

/// The URLs of pictures and videos in NASA's articles.
extension WebURL {
    /// Parses the URL of a picture or video; that of a copy becomes that of the original, and a ``Placeholder`` fails.
    init?(ofMedia text: String?, relativeTo base: WebURL) {
        guard let url = text.flatMap({ WebURL(link: $0, relativeTo: base) }),
            !Placeholder.isName(url.text)
        else { return nil }
        self = url.ofStoredFile
    }

    /// Whether this is the URL of a video on a known site.
    var isOfKnownVideo: Bool {
        youTubeIdentifier != nil || isOfVimeoVideo || (isNASA && isVideoFile)
    }

    /// Whether the site only counts readers, or loads scripts.
    var isTracker: Bool {
        [
            "adobedtm.com", "demdex.net", "digitalgov.gov", "doubleclick.net",
            "google-analytics.com", "googlesyndication.com", "googletagmanager.com",
        ].contains(domain)
    }

    /// The URL of the file that NASA's site stores if this is the URL of a reduced copy, else this URL.
    ///
    /// `/content/dam/a.jpg/jcr:content/renditions/b.png` and `/content/dam/a.jpg?w=300` become `/content/dam/a.jpg`. Below
    /// `/dynamicimage/assets/`, the query stays, because it has the size of the original.
    private var ofStoredFile: WebURL {
        let isStored = path.hasPrefix("/content/dam/")
        guard isStored || path.hasPrefix("/dynamicimage/assets/") else { return self }
        // The part of a rendition's path that follows the path of the stored file.
        let marks = ["jcr:content", "jcr%3Acontent", "jcr%3acontent", "_jcr_content"]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if let mark = parts.dropLast().firstIndex(where: { marks.contains(String($0)) }) {
            return at(parts[..<mark].joined(separator: "/"))
        }
        return isStored ? at(path) : self
    }
}
