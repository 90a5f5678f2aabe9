internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The rules for pictures: whether to request one, which of two is better, and whether NASA announces a larger one.
///
/// ``EntryDownloader`` applies them to each day that it updates. A reduced copy never replaces a better picture.
extension DayRecord {
    /// Whether to request the picture of `entry`: it is missing, or NASA may have another one.
    ///
    /// A picture in `tree` is replaced only with `permitsReplacement`.
    func needsPicture(
        of entry: Entry, in tree: Tree, permitsReplacement: Bool
    ) throws(SystemError) -> Bool {
        guard let picture else { return true }
        guard try tree.hasFile(picture.file) else {
            // A picture that retention removed is requested only when its day is due again.
            return permitsReplacement || picture.removed == nil
        }
        guard permitsReplacement else { return false }
        if picture.isReduced || picture.keptInsteadOf != nil { return true }
        let isSameFeed = feed == entry.feed
        if picture.isFromElsewhere {
            // A picture of a user or a mirror stays, unless NASA announces a larger or another one.
            guard let address = entry.media.pictures.first else { return false }
            let isOther = isSameFeed && EntryText(entry).url != self.entry.url
            return isOther || picture.size.isSmallerThanAnnounced(at: address)
        }
        // Another feed has other addresses for the same pictures.
        guard isSameFeed, !entry.media.pictures.isEmpty else { return false }
        let hasSameAddress = entry.media.pictures.contains { $0.url == picture.origin }
        return !hasSameAddress || isArticleModified(in: entry)
    }

    /// Whether NASA changed the article since, so that it may have replaced a file under its address.
    func isArticleModified(in entry: Entry) -> Bool {
        modified != nil && entry.modified != nil && modified != entry.modified
    }
}

extension PictureRecord {
    /// The record of a downloaded picture; its path is set before it is published.
    init(_ downloaded: DownloadResult, _ header: MediaHeader, at address: PictureAddress) {
        file = RecordedFile(path: "", bytes: downloaded.bytes, sha256: downloaded.sha256)
        type = header.type
        width = header.size?.width ?? 0
        height = header.size?.height ?? 0
        etag = downloaded.etag
        lastModified = downloaded.lastModified
        origin = address.url
        isReduced = header.size?.isReduced(at: address) ?? false
    }

    /// Whether the picture comes from a user or a classic mirror, and not from NASA.
    var isFromElsewhere: Bool { origin.isEmpty || mirror != nil }
    /// In pixels; 0 by 0 if it is not known.
    var size: PixelSize { PixelSize(width: width, height: height) }
    var pixelCount: Int { size.pixelCount }

    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }

    /// Whether the picture is a reduced copy, and `other` is not, or is at least as large.
    func isWorse(than other: PictureRecord) -> Bool {
        isReduced && (!other.isReduced || pixelCount <= other.pixelCount)
    }

    /// Whether the picture has the proportions of `other`, and less than half of its pixels.
    ///
    /// Where NASA does not announce this size, only this distinguishes a small copy from the original. The proportions
    /// of a copy differ by its rounding to whole pixels.
    func isSmallCopy(of other: PictureRecord) -> Bool {
        guard pixelCount > 0, other.pixelCount > 0, pixelCount < other.pixelCount / 2 else {
            return false
        }
        let ratio = Double(width) / Double(height) * Double(other.height) / Double(other.width)
        return (0.97...1.03).contains(ratio)
    }
}

extension VideoRecord {
    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }
}

extension PixelSize {
    /// The difference in pixels that was seen between sizes that NASA announces and the sizes of the files.
    private static let tolerance = 3

    /// Whether this is about the size that NASA announces at `address`; `false` if NASA announces none.
    ///
    /// NASA may announce the sides of a turned picture as they are stored, or as they are displayed.
    func isAsAnnounced(at address: PictureAddress) -> Bool {
        guard let announced = PixelSize(announcedAt: address) else { return false }
        return abs(longSide - announced.longSide) <= Self.tolerance
            && abs(shortSide - announced.shortSide) <= Self.tolerance
    }

    /// Whether NASA announces a larger picture at `address`; `false` if NASA announces no size.
    func isSmallerThanAnnounced(at address: PictureAddress) -> Bool {
        guard let announced = PixelSize(announcedAt: address) else { return false }
        return longSide < announced.longSide - Self.tolerance
            || shortSide < announced.shortSide - Self.tolerance
    }

    /// Whether a file of this size at `address` is a reduced copy.
    func isReduced(at address: PictureAddress) -> Bool {
        address.isRendition || isSmallerThanAnnounced(at: address)
    }

    private init?(announcedAt address: PictureAddress) {
        guard let width = address.width, let height = address.height else { return nil }
        self.init(width: width, height: height)
    }
}
