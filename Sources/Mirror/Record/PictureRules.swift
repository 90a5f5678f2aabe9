internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The rules for pictures: whether to request one, which of two is better, and whether NASA announces a larger one.
///
/// ``EntryDownloader`` applies them to each day. A copy with fewer pixels never replaces a better picture.
extension DayRecord {
    /// Whether the picture of `entry` is to be requested: it is missing in `tree`, or NASA may have another one.
    ///
    /// `permitsReplacement` says that a picture in the tree may be replaced now.
    func needsPicture(
        of entry: Entry, in tree: Tree, permitsReplacement: Bool
    ) throws(SystemError) -> Bool {
        guard let picture else { return true }
        guard try tree.hasFile(picture.file) else {
            // If `--keep` removed the picture, it is requested only when its day is due again.
            return permitsReplacement || picture.removed == nil
        }
        guard permitsReplacement else { return false }
        if picture.isReduced || picture.keptInsteadOf != nil { return true }
        let isSameFeed = feed == entry.feed
        if picture.isFromElsewhere {
            // A picture from a person or a classic mirror stays, unless NASA announces a larger one or another one.
            guard let address = entry.media.pictures.first else { return false }
            let isOther = isSameFeed && EntryText(entry).url != self.entry.url
            // An imported picture of the announced size is probably NASA's, and is replaced if NASA replaces that.
            let mayBeReplaced =
                isSameFeed && picture.isImported && picture.size.isAsAnnounced(at: address)
                && isArticleModified(in: entry)
            return isOther || mayBeReplaced || picture.size.isSmallerThanAnnounced(at: address)
        }
        // By another feed, the same pictures have other addresses.
        guard isSameFeed, !entry.media.pictures.isEmpty else { return false }
        let hasSameAddress = entry.media.pictures.contains { $0.url == picture.origin }
        return !hasSameAddress || isArticleModified(in: entry)
    }

    /// Whether NASA has changed the article since the record was made, and so may have replaced a file at its address.
    func isArticleModified(in entry: Entry) -> Bool {
        modified != nil && entry.modified != nil && modified != entry.modified
    }
}

extension PictureRecord {
    /// Makes the record of a downloaded picture; the caller sets the path.
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

    /// Whether a person imported the picture, and no download has shown that NASA or a classic mirror has the same bytes.
    ///
    /// It may be the only copy, even if NASA announces its size. `--keep` never removes it.
    var isImported: Bool { origin.isEmpty }
    /// Whether the picture comes from a person or from a classic mirror, and not from NASA.
    var isFromElsewhere: Bool { isImported || mirror != nil }
    /// The size in pixels; 0 × 0 if it is not known.
    var size: PixelSize { PixelSize(width: width, height: height) }
    var pixelCount: Int { size.pixelCount }

    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }

    /// Whether the picture is a reduced copy, while `other` is none, or has at least as many pixels.
    func isWorse(than other: PictureRecord) -> Bool {
        isReduced && (!other.isReduced || pixelCount <= other.pixelCount)
    }

    /// Whether the picture looks like a small copy of `other`: it has the same proportions, and less than half of the pixels.
    ///
    /// The proportions of a copy may differ by a few percent, because its sides are rounded to whole pixels.
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
    /// The largest difference in pixels that was seen between a size that NASA announces and the size of the file.
    private static let tolerance = 3

    /// Whether this is the size that NASA announces for `address`, within a few pixels; `false` if NASA announces none.
    ///
    /// Width and height may be exchanged, because NASA may announce a turned picture as it is stored, or as it is displayed.
    func isAsAnnounced(at address: PictureAddress) -> Bool {
        guard let announced = PixelSize(announcedAt: address) else { return false }
        return abs(longSide - announced.longSide) <= Self.tolerance
            && abs(shortSide - announced.shortSide) <= Self.tolerance
    }

    /// Whether NASA announces a larger picture for `address`; `false` if NASA announces no size.
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
