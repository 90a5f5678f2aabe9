internal import APOD
package import FoundationEssentials
internal import Platform

/// How a new entry of a day updates its record; a worse value never replaces a better one.
///
/// ``EntryDownloader`` makes the new record here, decides what to request, and then publishes what is revised.
extension DayRecord {
    /// The record of the entry that NASA serves, merged with the earlier record of that day.
    ///
    /// The files stay as they were recorded; the caller puts downloaded ones in.
    init(_ served: Entry, after earlier: DayRecord?) {
        entry = EntryText(served)
        feed = served.feed.rawValue
        modified = served.modified ?? earlier?.modified
        fetched = earlier?.fetched ?? .distantPast
        revision = earlier?.revision ?? 1
        video = served.media.video?.webAddress.map { VideoRecord(url: $0) }
        guard let earlier else { return }
        picture = earlier.picture
        adoptedFrom = earlier.adoptedFrom
        unknown = earlier.unknown
        if earlier.feed == feed || earlier.missing != nil {
            damagedUpstream = entry.takeBetter(from: earlier.entry)
            entry.fill(from: earlier.entry)
        } else {
            // Feeds of different kinds have different fields and phrase texts differently: that is not an edit.
            entry = earlier.entry
            damagedUpstream = earlier.damagedUpstream
            feed = earlier.feed
            modified = earlier.modified
        }
        if damagedUpstream[.url] != nil { video?.url = entry[.url] }
        // The file that is here stays recorded until another one is downloaded in its place.
        let isSameVideo = video?.url == earlier.video?.url
        let isDownloaded = earlier.video?.path != nil
        let hasNoMedia = served.media == Media()
        if isSameVideo || isDownloaded || hasNoMedia { video = earlier.video }
    }

    /// The record to publish, with its new revision; `nil` if nothing has changed.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        // An article that NASA merely saved again is no edit.
        if !isSameEntry(as: earlier) { record.fetched = now }
        // The record of a day without a picture or video is not a revision of the first complete one.
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

    /// Whether to request the picture of `entry`.
    ///
    /// - Parameters:
    ///   - entry: What NASA serves now.
    ///   - tree: Where the recorded picture should be.
    ///   - permitsReplacement: Whether to request a picture that is here, if NASA may have another one.
    ///   - isSuspect: Whether to verify the contents of the picture that is here.
    /// - Returns: Whether the picture is missing, damaged, or may be replaced.
    /// - Throws: ``SystemError`` if the tree cannot be examined.
    func needsPicture(
        of entry: Entry, in tree: Tree, permitsReplacement: Bool, isSuspect: Bool
    ) throws(SystemError) -> Bool {
        guard let picture else { return true }
        guard try tree.isIntact(RecordedFile(picture), verifyingHash: isSuspect) else {
            // A picture that retention removed is requested only when its day is due again.
            return permitsReplacement || picture.removed == nil
        }
        guard permitsReplacement else { return false }
        if picture.isReduced { return true }
        let isSameFeed = feed == entry.feed.rawValue
        if picture.origin.isEmpty || picture.mirror != nil {
            // A picture from elsewhere stays, unless NASA announces a larger or another one.
            guard let address = entry.media.pictures.first else { return false }
            let isOther = isSameFeed && EntryText(entry).url != self.entry.url
            return isOther || picture.size.isSmallerThanAnnounced(at: address)
        }
        // Another feed has other addresses for the same pictures.
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
