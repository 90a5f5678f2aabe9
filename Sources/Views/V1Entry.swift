internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// A day in the format of NASA's API v1: the keys are sorted, as `jsonify` in nasa/apod-api does, and the texts are plain.
struct V1Entry {
    private let entry: EntryText
    private let isVideo: Bool
    /// The address of the picture in the mirror; `nil` if it is not there: the document then has NASA's address.
    private let picture: String?
    /// The address of the video in the mirror; `nil` if it is not there.
    private let video: String?
    /// The address of the ``Rendition``, a smaller copy of a large picture; `nil` if there is none.
    private let rendition: String?

    /// Without a `baseURL`, addresses are relative to the document.
    init(
        _ record: DayRecord, _ files: TreeSnapshot.DayFiles, in input: ViewInput, baseURL: String?
    ) {
        func address(of path: String) -> String { (baseURL ?? "../") + path.percentEncodedPath }
        func addressIfThere(_ path: String?) -> String? {
            guard let path, !input.store.tree.hasLost(path, listedIn: files) else { return nil }
            return address(of: path)
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
        let mediaType: JSON = if isVideo { "video" } else if isImage { "image" } else { "other" }
        let shown = rendition ?? picture
        let original = isImage ? picture ?? entry.hdurl : nil
        let json: JSON = [
            "copyright": entry.copyright.map(JSON.string),
            "date": .string("\(entry.day)"),
            "explanation": .string(entry.explanation),
            "hdurl": original.map(JSON.string),
            "media_type": mediaType,
            "service_version": "v1",
            "thumbnail_url": (isVideo ? shown : nil).map(JSON.string),
            "title": .string(entry.title),
            "url": ((isVideo ? video : shown) ?? entry.url).map(JSON.string),
        ]
        return json.document
    }
}
