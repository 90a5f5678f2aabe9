internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// A day as NASA's API v1 answered it: as `jsonify` in nasa/apod-api did, with sorted keys and in plain text.
struct V1Entry {
    private let entry: EntryText
    private let isVideo: Bool
    /// The addresses of the files in the mirror; what it has not leads to NASA.
    private let picture: String?
    private let video: String?
    /// The address of the ``Rendition`` of the picture, which the gallery shows.
    private let rendition: String?

    /// Without the `baseURL` of the root, addresses are relative to the file.
    init(
        _ record: DayRecord, _ files: TreeSnapshot.DayFiles, in input: ViewInput, baseURL: String?
    ) {
        func address(of path: String) -> String { (baseURL ?? "../") + path.percentEncodedPath }
        func addressIfThere(_ path: String?) -> String? {
            files.media.contains { $0.path == path } ? path.map(address) : nil
        }
        entry = record.entry
        isVideo = record.video != nil
        picture = addressIfThere(record.picture?.path)
        video = addressIfThere(record.video?.path)
        rendition =
            picture != nil && input.renditions.contains(files.day)
            ? address(of: Rendition.path(of: files.day)) : nil
    }

    var hasPicture: Bool { picture != nil }

    var document: [UInt8] {
        let isImage = !isVideo && (hasPicture || entry.mediaType == "image")
        let shown = rendition ?? picture
        let json: JSON = [
            "copyright": entry.copyright.map(JSON.string),
            "date": .string("\(entry.day)"),
            "explanation": .string(entry.explanation),
            "hdurl": (isImage ? picture ?? entry.hdurl : nil).map(JSON.string),
            "media_type": isVideo ? "video" : isImage ? "image" : "other",
            "service_version": "v1",
            "thumbnail_url": (isVideo ? shown : nil).map(JSON.string),
            "title": .string(entry.title),
            "url": ((isVideo ? video : shown) ?? entry.url).map(JSON.string),
        ]
        return json.document
    }
}
