internal import APOD

/// Entries as `api.nasa.gov/planetary/apod` sent them until 2026.
struct LegacyShape: Sendable {
    let origin: String
    /// Whether videos come with a picture of theirs.
    var withThumbnails = false

    func object(_ entry: SimulatedEntry) -> JSON {
        var members: [(name: String, value: JSON)] = []
        if let copyright = entry.copyright { members.append(("copyright", .string(copyright))) }
        members += [
            ("date", .string(entry.day.description)),
            ("explanation", .string(HTML.plainText(of: entry.explanationHTML))),
        ]
        let (large, shown) = addresses(of: entry)
        if let large { members.append(("hdurl", .string(large))) }
        members += [
            ("media_type", .string(mediaType(of: entry))), ("service_version", .string("v1")),
        ]
        if withThumbnails, entry.media.isVideo, let poster = entry.media.picture {
            let path = entry.legacyPaths(of: poster).large
            members.append(("thumbnail_url", .string(origin + path)))
        }
        members.append(("title", .string(entry.title)))
        if let shown { members.append(("url", .string(shown))) }
        return .object(members)
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
            let paths = entry.legacyPaths(of: picture)
            return (origin + paths.large, origin + paths.shown)
        case .videoFile(let video, _): return (nil, origin + entry.legacyPaths(of: video).large)
        case .iframe(let source, _): return (nil, source)
        case .lost, .other: return (nil, nil)
        }
    }
}
