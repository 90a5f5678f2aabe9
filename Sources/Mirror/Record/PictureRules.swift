internal import APOD
internal import MediaFormat
internal import Platform
internal import Transfer

/// The rules for pictures: whether to request the picture of a day, and which of two pictures is better.
///
/// The *record* of a day is the JSON file that names the picture in the mirror. NASA's *entry* of the day names the addresses
/// from which a picture can be downloaded. A sync compares the two. A reduced or much smaller copy does not replace a better
/// picture.
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
        let mayExistLarger = picture.isReduced || picture.keptInsteadOf != nil
        return mayExistLarger || hasNASAReplaced(picture, in: entry)
    }

    /// Whether NASA announces a larger or another picture than that of the record, or may have one at the same address.
    func hasNASAReplaced(_ picture: PictureRecord, in entry: Entry) -> Bool {
        picture.isFromElsewhere
            ? hasNASAReplaced(pictureFromElsewhere: picture, in: entry)
            : hasNASAReplaced(itsOwnPicture: picture, in: entry)
    }

    /// The rule for a `picture` from a person or from a classic mirror: whether NASA's picture is to replace it.
    private func hasNASAReplaced(
        pictureFromElsewhere picture: PictureRecord, in entry: Entry
    ) -> Bool {
        guard let address = entry.media.pictures.first else { return false }
        if picture.size.isSmallerThanAnnounced(at: address) { return true }
        // By another feed, the same picture has another address.
        guard feed == entry.feed else { return false }
        let isAtSameAddress = EntryText(entry).url?.isURL(ofFileAt: self.entry.url) == true
        guard isAtSameAddress else { return true }
        // An imported picture of the announced size is probably NASA's, and is replaced if NASA replaces that.
        let isProbablyNASAs = picture.isImported && picture.size.isAsAnnounced(at: address)
        return isProbablyNASAs && isArticleModified(in: entry)
    }

    /// The rule for a `picture` from NASA: whether NASA announces another file, or a larger one, or may have replaced the file.
    private func hasNASAReplaced(itsOwnPicture picture: PictureRecord, in entry: Entry) -> Bool {
        let addresses = entry.media.pictures
        // By another feed, the same pictures have other addresses.
        guard feed == entry.feed, !addresses.isEmpty else { return false }
        guard let address = addresses.first(where: { picture.came(from: $0.url) }) else {
            return true
        }
        return picture.size.isSmallerThanAnnounced(at: address) || isArticleModified(in: entry)
    }

    /// Whether NASA has changed the article since the record was made, and so may have replaced a file at its address.
    ///
    /// An article without a time, as each one of NASA's old API, has changed if its texts have.
    func isArticleModified(in entry: Entry) -> Bool {
        guard let modified, let newTime = entry.modified else {
            return DayRecord(entry, after: self).change(since: self) == .edit
        }
        return modified != newTime
    }
}

extension PictureRecord {
    /// Makes the record of a downloaded picture; its path is empty until the caller sets it.
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
    /// Whether the picture came from `address`, or from the same file on another host of NASA.
    ///
    /// A classic mirror has the paths of NASA's archive, but other files.
    func came(from address: String?) -> Bool {
        mirror == nil ? origin.isURL(ofFileAt: address) : origin == address
    }

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
