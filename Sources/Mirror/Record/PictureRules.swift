internal import APOD
internal import MediaFormat
internal import Platform

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
            ? isReplacedByNASAsPicture(picture, in: entry)
            : isReplacedByOtherPicture(picture, in: entry)
    }

    /// The rule for a `picture` from a person or from a classic mirror: whether NASA's picture is to replace it.
    private func isReplacedByNASAsPicture(_ picture: PictureRecord, in entry: Entry) -> Bool {
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
    private func isReplacedByOtherPicture(_ picture: PictureRecord, in entry: Entry) -> Bool {
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
