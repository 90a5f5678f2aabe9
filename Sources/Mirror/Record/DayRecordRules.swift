internal import APOD
package import FoundationEssentials
internal import Platform

/// How a new entry of a day updates its record; a text that is a damaged copy never replaces the original.
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
        // NASA damages only URLs of videos: the earlier one is better.
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
        if !differsAtMostInTimes(from: earlier) { record.fetched = now }
        // The first record with a picture or video keeps the revision of those before it, which had none.
        if let earlier, earlier.missing == nil, hasEdit(since: earlier), revision < .max {
            record.revision += 1
        }
        return record
    }

    /// The record with texts of `other` in place of empty and damaged ones; `nil` if none is better.
    ///
    /// The replaced texts are kept in ``damagedUpstream``: a recheck that finds them at NASA sees no edit.
    package func repaired(
        by other: EntryText, from source: String, at now: Date
    ) -> (record: DayRecord, fields: [EntryText.Field])? {
        var record = self
        let damaged = record.entry.takeBetter(from: other, isFromUserFile: true)
        guard !damaged.isEmpty else { return nil }
        record.damagedUpstream.merge(damaged) { upstream, _ in upstream }
        record.adoptedFrom = source.plainText.cut(to: TextLimit.line)
        record.fetched = now
        if revision < .max { record.revision += 1 }
        return (record, EntryText.Field.allCases.filter { damaged[$0] != nil })
    }

    /// Whether the texts are those of `earlier`, also the damaged ones at NASA.
    func hasSameTexts(as earlier: DayRecord) -> Bool {
        entry == earlier.entry && damagedUpstream == earlier.damagedUpstream
    }

    /// Whether NASA changed a text or replaced a file; a better picture in place of a reduced one is no edit.
    private func hasEdit(since earlier: DayRecord) -> Bool {
        if !hasSameTexts(as: earlier) { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        return earlier.video?.sha256 != nil && earlier.video?.sha256 != video?.sha256
    }

    /// Whether the record differs from `earlier` at most in when NASA changed or served the article and files.
    func differsAtMostInTimes(from earlier: DayRecord?) -> Bool {
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
