internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

// How a new entry of a day updates its record. A worse value never replaces a better one.

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
        unknown = earlier.unknown
        let isSame = video?.url == earlier.video?.url
        // A downloaded video stays, and so does media that NASA merely lost.
        let mustStay = earlier.video?.path != nil || entry.media == Media()
        if isSame || mustStay { video = earlier.video }
        // Feeds of different kinds phrase texts differently: that is not an edit.
        if earlier.missing == nil, earlier.feed != feed {
            self.entry = earlier.entry
            feed = earlier.feed
            modified = earlier.modified
        } else {
            self.entry.fill(from: earlier.entry)
        }
    }

    /// The record to publish, with its new revision; `nil` if nothing has changed.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        // When an edit was found; not when the article was merely saved again.
        if !isSameEntry(as: earlier) { record.fetched = now }
        if let earlier, earlier.missing == nil, isEdit(of: earlier), revision < .max {
            record.revision += 1
        }
        return record
    }

    /// Whether NASA changed the text or replaced a file.
    private func isEdit(of earlier: DayRecord) -> Bool {
        if entry != earlier.entry { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        return earlier.video?.sha256 != nil && earlier.video?.sha256 != video?.sha256
    }

    /// Whether the picture of `entry` should be downloaded, given the files in the tree.
    ///
    /// - Throws: ``SystemError`` if that is unknown.
    func needsPicture(
        of entry: Entry, in tree: Tree, isDue: Bool, isSuspect: Bool
    ) throws(SystemError) -> Bool {
        guard let picture else { return true }
        guard try tree.isIntact(.init(picture), isRead: isSuspect) else {
            return isDue || picture.removed == nil
        }
        guard isDue, !picture.isReduced else { return isDue }
        // From elsewhere: NASA's picture replaces it where it is larger, or another one now.
        guard !picture.origin.isEmpty else {
            guard let address = entry.media.pictures.first else { return false }
            return PixelSize(width: picture.width, height: picture.height).isReduction(of: address)
                || feed == entry.feed.rawValue && EntryText(entry).url != self.entry.url
        }
        guard feed == entry.feed.rawValue, !entry.media.pictures.isEmpty else { return false }
        return !entry.media.pictures.contains { $0.url == picture.origin } || isChanged(in: entry)
    }

    /// Whether NASA changed the article since: it may have replaced a file under its address.
    func isChanged(in entry: Entry) -> Bool {
        modified != nil && entry.modified != nil && modified != entry.modified
    }

    /// Whether NASA's entry is the same as that of `earlier`, though it was changed or served again since.
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
    /// Fills empty fields from `earlier`: a value is never replaced by an empty one.
    mutating func fill(from earlier: EntryText) {
        if title.isEmpty || title == Entry.untitled { title = earlier.title }
        if explanation.isEmpty {
            (explanation, explanationHTML) = (earlier.explanation, earlier.explanationHTML)
        }
        if explanation == earlier.explanation {
            explanationHTML = explanationHTML.orIfEmpty(earlier.explanationHTML)
        }
        // The type of an entry without one.
        if mediaType == "other", url == earlier.url { mediaType = earlier.mediaType }
        if url?.isEmpty ?? true, earlier.url != nil {
            (url, hdurl, mediaType) = (earlier.url, earlier.hdurl, earlier.mediaType)
        } else if url == earlier.url, mediaType == earlier.mediaType {
            hdurl = hdurl.orIfEmpty(earlier.hdurl)
        }
        copyright = copyright.orIfEmpty(earlier.copyright)
        credit = credit.orIfEmpty(earlier.credit)
        // Of other pictures, other licences.
        if credit == earlier.credit { license = license ?? earlier.license }
        permalink = permalink.orIfEmpty(earlier.permalink)
        alt = alt.orIfEmpty(earlier.alt)
    }
}

extension String? {
    fileprivate func orIfEmpty(_ other: String?) -> String? {
        self?.isEmpty ?? true ? other ?? self : self
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

    /// Whether it shows the same section as `other` with less than half of its pixels.
    ///
    /// Where NASA announces no size, only this distinguishes a small copy from the original.
    func isSmallCopy(of other: PictureRecord) -> Bool {
        let (pixels, others) = (self.pixels, other.pixels)
        guard pixels > 0, others > 0, pixels < others / 2 else { return false }
        let ratio = Double(width) / Double(height) * Double(other.height) / Double(other.width)
        return (0.97...1.03).contains(ratio)
    }

    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }

    /// Saturates.
    var pixels: Int { PixelSize(width: width, height: height).count }

    /// Whether it is a reduced copy while `other` is not, or is at least as large.
    func isWorse(than other: PictureRecord) -> Bool {
        isReduced && (!other.isReduced || pixels <= other.pixels)
    }
}

extension VideoRecord {
    /// The version that the server named; `nil` if it named none.
    var version: FileVersion? { FileVersion(etag: etag, lastModified: lastModified) }
}

extension PixelSize {
    /// Whether NASA announces this size at `address`; announced sizes may be rounded.
    func isSize(of address: PictureAddress) -> Bool {
        guard let width = address.width, let height = address.height else { return false }
        return abs(self.width - width) <= 1 && abs(self.height - height) <= 1
    }

    /// Whether NASA announces a larger picture at `address`.
    func isReduction(of address: PictureAddress) -> Bool {
        // Announced sizes may be rounded: one pixel less is not a reduction.
        width < (address.width ?? 0) - 1 || height < (address.height ?? 0) - 1
    }
}
