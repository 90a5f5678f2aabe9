internal import APOD
package import FoundationEssentials
package import MediaFormat
internal import Platform
internal import Transfer

// The parts of a ``DayRecord``: its picture and its video, each with the version of its file, or the reason why it has neither.

/// The picture of a day, or the still image of its video.
///
/// The properties of its ``file`` can be used directly: `picture.path`.
@dynamicMemberLookup
package struct PictureRecord: Hashable, Sendable {
    package var file: RecordedFile
    /// The type; `nil` if it is not known.
    package var type: MediaType?
    /// Width and height are in pixels; 0 if they are not known.
    package var width: Int
    package var height: Int
    /// The version of the downloaded file.
    var version = ServedVersion()
    /// The URL from which it was downloaded; empty for a picture that `adopt` imported, until NASA has sent the same bytes.
    package var origin: String
    /// Whether NASA announces a larger picture than it served, so that the download is tried again later.
    package var isReduced: Bool
    /// The web page of the classic mirror from which the picture came, because NASA has lost it; `nil` if NASA has it.
    package var mirror: String?
    /// The URL of a smaller picture that NASA serves now, and that did not replace this one; `nil` if there is none.
    package var keptInsteadOf: String?

    package subscript<Value>(dynamicMember member: WritableKeyPath<RecordedFile, Value>) -> Value {
        get { file[keyPath: member] }
        set { file[keyPath: member] = newValue }
    }
}

extension PictureRecord {
    /// Makes the record of a downloaded picture; its path is empty until the caller sets it.
    init(_ downloaded: DownloadResult, _ header: MediaHeader, at address: PictureAddress) {
        file = RecordedFile(path: "", bytes: downloaded.bytes, sha256: downloaded.sha256)
        type = header.type
        width = header.size?.width ?? 0
        height = header.size?.height ?? 0
        version = ServedVersion(downloaded)
        origin = address.url
        isReduced = header.size?.isReduced(at: address) ?? false
    }

    /// The size in pixels; 0 × 0 if it is not known.
    var size: PixelSize { PixelSize(width: width, height: height) }
    var pixelCount: Int { size.pixelCount }

    // MARK: Where the picture comes from

    /// Whether a person imported the picture, and no download has shown that NASA or a classic mirror has the same bytes.
    ///
    /// It may be the only copy, even if NASA announces its size. `--keep` never removes it.
    var isImported: Bool { origin.isEmpty }
    /// Whether the picture comes from a person or from a classic mirror, and not from NASA.
    var isFromElsewhere: Bool { isImported || mirror != nil }
    /// Whether the picture came from `address`, or from the same file on another host of NASA.
    ///
    /// A classic mirror has the paths of NASA's archive, but other files.
    func came(from address: String?) -> Bool {
        mirror == nil ? origin.isURL(ofFileAt: address) : origin == address
    }
}

/// The video of a day; most videos are not downloaded, and the record has only their address.
package struct VideoRecord: Hashable, Sendable {
    package var url: String
    /// The downloaded file; `nil` if it was never downloaded.
    package var file: RecordedFile?
    /// The version of the downloaded file.
    var version = ServedVersion()
    /// The path of the redirect page, which opens the video in a browser; `nil` if there is none.
    var page: String?

    package var path: String? { file?.path }
    package var removed: Date? { file?.removed }
}

/// Why a day has neither picture nor video file, and since when.
package struct NoPictureRecord: Hashable, Sendable {
    /// The reason, for people.
    package var reason: String
    package var since: Date
    /// The path of the redirect page, which opens NASA's article in a browser; `nil` if there is none.
    var page: String?
}

/// The version of a downloaded file, as the server named it; both headers are `nil` if there is no downloaded file.
struct ServedVersion: Hashable, Sendable {
    /// The header `ETag`; `nil` if there was none.
    var etag: String?
    /// The header `Last-Modified`; `nil` if there was none.
    var lastModified: String?

    /// The version for a request that downloads any other one; `nil` if the server named none.
    var known: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }
}

extension ServedVersion {
    init(_ downloaded: DownloadResult) {
        self.init(etag: downloaded.etag, lastModified: downloaded.lastModified)
    }
}
