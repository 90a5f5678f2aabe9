internal import APOD
internal import JSON

/// Entries as `api.nasa.gov/planetary/apod` sent them until 2026.
struct V1Shape: Sendable {
    let origin: String
    /// Whether videos have a `thumbnail_url`.
    var withThumbnails = false

    func object(_ entry: SimulatedEntry) -> JSON {
        let (large, shown) = addresses(of: entry)
        return [
            "copyright": entry.copyright.map(JSON.string),
            "date": .string(entry.day.description),
            "explanation": .string(FeedMarkup.plainText(of: entry.explanationHTML)),
            "hdurl": large.map(JSON.string),
            "media_type": .string(mediaType(of: entry)), "service_version": "v1",
            "thumbnail_url": thumbnail(of: entry).map(JSON.string),
            "title": .string(entry.title), "url": shown.map(JSON.string),
        ]
    }

    private func thumbnail(of entry: SimulatedEntry) -> String? {
        guard withThumbnails, entry.media.isVideo, let poster = entry.media.picture else {
            return nil
        }
        return origin + entry.v1Paths(of: poster).large
    }

    private func mediaType(of entry: SimulatedEntry) -> String {
        switch entry.media {
        case .videoFile, .iframe: "video"
        case .picture, .markupOnly: "image"
        case .lost, .other: "other"
        }
    }

    private func addresses(of entry: SimulatedEntry) -> (large: String?, shown: String?) {
        switch entry.media {
        case .picture(let picture), .markupOnly(let picture):
            let paths = entry.v1Paths(of: picture)
            return (origin + paths.large, origin + paths.shown)
        case .videoFile(let video, _): return (nil, origin + entry.v1Paths(of: video).large)
        case .iframe(let source, _): return (nil, source)
        case .lost, .other: return (nil, nil)
        }
    }
}
