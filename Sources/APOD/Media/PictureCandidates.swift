internal import MediaFormat
internal import Transfer

/// Lists the URLs from which the picture of a day may be downloaded, in the order in which they are tried.
///
/// ``MediaResolver`` passes the URLs that the entry names. More URLs are derived from these, because NASA's site may have
/// a larger copy of the file, or have it in the directory of another month: see `WebURL+NASASite.swift`.
enum PictureCandidates {
    /// Returns the candidates for the `urls` of an entry, of which the first is the best.
    ///
    /// The candidates of each URL are its original, the original in the directories of other months, and the URL itself.
    /// Then come the URLs in the directories of other months. Films are last, because a poster among the pictures is better.
    static func addresses(of urls: [WebURL], on day: Day) -> [PictureAddress] {
        var candidates: [(url: WebURL, size: PixelSize?)] = []
        for url in urls {
            let size = originalSize(of: url, among: urls)
            let originals = url.original.map { [$0] + $0.inMonths(around: day) } ?? []
            candidates += (originals + [url.withoutRequestedSize]).map { ($0, size) }
        }
        candidates += urls.flatMap { $0.inMonths(around: day) }.map { ($0, nil) }
        var seen: Set<String> = []
        let unique = candidates.filter { seen.insert($0.url.text).inserted }
        let filmsLast = unique.filter { !$0.url.isFilm } + unique.filter(\.url.isFilm)
        return filmsLast.map { PictureAddress($0.url.text, announcedSize: $0.size) }
    }

    /// The size of the original of `url`, which the URL or another one of the same file may have in its query.
    private static func originalSize(of url: WebURL, among urls: [WebURL]) -> PixelSize? {
        if let size = url.originalSize { return size }
        let fileName = url.fileName
        return urls.lazy.filter { $0.fileName == fileName }.compactMap(\.originalSize).first
    }
}
