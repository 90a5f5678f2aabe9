internal import APOD
package import FoundationEssentials
internal import Platform
internal import Transfer

/// How a new entry of a day updates its record; a worse value never replaces a better one.
extension DayRecord {
    /// The record of `entry`, merged with the earlier record of that day.
    init(_ entry: Entry, after earlier: DayRecord?) {
        self.entry = EntryText(entry)
        feed = entry.feed.rawValue
        modified = entry.modified ?? earlier?.modified
        fetched = earlier?.fetched ?? .distantPast
        revision = earlier?.revision ?? 1
        video = entry.media.video?.webAddress.map { VideoRecord(url: $0) }
        guard let earlier else { return }
        picture = earlier.picture
        adoptedFrom = earlier.adoptedFrom
        unknown = earlier.unknown
        // Feeds of different kinds have different fields and phrase texts differently: that is not an edit.
        if earlier.feed == feed || earlier.missing != nil {
            damagedUpstream = self.entry.takeBetter(from: earlier.entry)
        } else {
            self.entry = earlier.entry
            damagedUpstream = earlier.damagedUpstream
            feed = earlier.feed
            modified = earlier.modified
        }
        self.entry.fill(from: earlier.entry)
        if damagedUpstream[.url] != nil { video?.url = self.entry[.url] }
        let isSameVideo = video?.url == earlier.video?.url
        let isDownloaded = earlier.video?.path != nil
        let hasNoMedia = entry.media == Media()
        if isSameVideo || isDownloaded || hasNoMedia { video = earlier.video }
    }

    /// The record to publish, with its new revision; `nil` if nothing has changed.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        // An article that NASA merely saved again is no edit.
        if !isSameEntry(as: earlier) { record.fetched = now }
        if let earlier, earlier.missing == nil, isEdit(of: earlier), revision < .max {
            record.revision += 1
        }
        return record
    }

    /// The record with texts of `other` in place of empty and damaged ones; `nil` if none is better.
    ///
    /// What it had counts as what NASA serves, so that the next recheck finds no edit.
    package func repaired(
        by other: EntryText, from source: String, at now: Date
    ) -> (record: DayRecord, fields: [EntryText.Field])? {
        var record = self
        let damaged = record.entry.takeBetter(from: other, isArchive: true)
        guard !damaged.isEmpty else { return nil }
        record.damagedUpstream.merge(damaged) { upstream, _ in upstream }
        record.adoptedFrom = source.plainText.cut(to: TextLimit.line)
        record.fetched = now
        if revision < .max { record.revision += 1 }
        return (record, EntryText.Field.allCases.filter { damaged[$0] != nil })
    }

    /// Whether NASA's texts are those of `earlier`.
    func hasTexts(of earlier: DayRecord) -> Bool {
        entry == earlier.entry && damagedUpstream == earlier.damagedUpstream
    }

    /// Whether NASA changed the text or replaced a file.
    private func isEdit(of earlier: DayRecord) -> Bool {
        if !hasTexts(of: earlier) { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        return earlier.video?.sha256 != nil && earlier.video?.sha256 != video?.sha256
    }

    /// Whether the picture of `entry` should be downloaded, given the files in the tree.
    ///
    /// Only if it `isDue` is an intact picture downloaded again; one that `isSuspect` is read.
    ///
    /// - Throws: ``SystemError`` if the files cannot be examined.
    func needsPicture(
        of entry: Entry, in tree: Tree, isDue: Bool, isSuspect: Bool
    ) throws(SystemError) -> Bool {
        guard let picture else { return true }
        guard try tree.isIntact(.init(picture), isRead: isSuspect) else {
            return isDue || picture.removed == nil
        }
        guard isDue else { return false }
        if picture.isReduced { return true }
        let isSameFeed = feed == entry.feed.rawValue
        let isFromElsewhere = picture.origin.isEmpty || picture.mirror != nil
        if isFromElsewhere {
            guard let address = entry.media.pictures.first else { return false }
            let isReduction = PixelSize(width: picture.width, height: picture.height)
                .isReduction(of: address)
            return isReduction || isSameFeed && EntryText(entry).url != self.entry.url
        }
        guard isSameFeed, !entry.media.pictures.isEmpty else { return false }
        let hasSameAddress = entry.media.pictures.contains { $0.url == picture.origin }
        return !hasSameAddress || isChanged(in: entry)
    }

    /// Whether NASA changed the article since, and so may have replaced a file under its address.
    func isChanged(in entry: Entry) -> Bool {
        modified != nil && entry.modified != nil && modified != entry.modified
    }

    /// Whether the record differs from `earlier` at most in when NASA changed or served it.
    func isSameEntry(as earlier: DayRecord?) -> Bool {
        guard let earlier else { return false }
        var record = self
        (record.modified, record.fetched) = (earlier.modified, earlier.fetched)
        record.picture?.etag = earlier.picture?.etag
        record.picture?.lastModified = earlier.picture?.lastModified
        record.video?.etag = earlier.video?.etag
        record.video?.lastModified = earlier.video?.lastModified
        return record == earlier
    }
}

extension EntryText {
    /// Fills fields that are missing from `earlier`, besides the texts of ``takeBetter(from:isArchive:)``.
    mutating func fill(from earlier: EntryText) {
        if explanation == earlier.explanation {
            explanationHTML = explanationHTML ?? earlier.explanationHTML
        }
        // An entry without a type has this one.
        if mediaType == "other", url == earlier.url { mediaType = earlier.mediaType }
        if url == nil, earlier.url != nil {
            (url, hdurl, mediaType) = (earlier.url, earlier.hdurl, earlier.mediaType)
        } else if url == earlier.url, mediaType == earlier.mediaType {
            hdurl = hdurl ?? earlier.hdurl
        }
        // A licence is that of the credited picture.
        if credit == earlier.credit { license = license ?? earlier.license }
        permalink = permalink ?? earlier.permalink
    }
}

extension PictureRecord {
    /// The record of a downloaded picture; its path is set by the caller.
    init(_ downloaded: DownloadResult, _ header: MediaHeader, at address: PictureAddress) {
        path = ""
        bytes = downloaded.bytes
        sha256 = downloaded.sha256
        type = header.type.rawValue
        width = header.size?.width ?? 0
        height = header.size?.height ?? 0
        etag = downloaded.etag
        lastModified = downloaded.lastModified
        origin = address.url
        isReduced = header.size?.isReduction(of: address) ?? false
    }

    /// Whether the picture has the proportions of `other`, and less than half of its pixels.
    ///
    /// Where NASA announces no size, only this distinguishes a small copy from the original.
    func isSmallCopy(of other: PictureRecord) -> Bool {
        guard pixels > 0, other.pixels > 0, pixels < other.pixels / 2 else { return false }
        let ratio = Double(width) / Double(height) * Double(other.height) / Double(other.width)
        return (0.97...1.03).contains(ratio)
    }

    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }

    var pixels: Int { PixelSize(width: width, height: height).count }

    /// Whether the picture is a reduced copy, and `other` is none or at least as large.
    func isWorse(than other: PictureRecord) -> Bool {
        isReduced && (!other.isReduced || pixels <= other.pixels)
    }
}

extension VideoRecord {
    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }
}

extension PixelSize {
    /// By how many pixels sizes that NASA announces differ from those of the files.
    private static let tolerance = 3

    /// Whether NASA announces about this size at `address`.
    func isSize(of address: PictureAddress) -> Bool {
        guard let width = address.width, let height = address.height else { return false }
        return abs(self.width - width) <= Self.tolerance
            && abs(self.height - height) <= Self.tolerance
    }

    /// Whether NASA announces a larger picture at `address`.
    func isReduction(of address: PictureAddress) -> Bool {
        width < (address.width ?? 0) - Self.tolerance
            || height < (address.height ?? 0) - Self.tolerance
    }
}
