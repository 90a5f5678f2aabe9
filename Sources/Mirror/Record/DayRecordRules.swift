internal import APOD
package import FoundationEssentials
internal import Platform

/// The rules by which the record of a day, a JSON file with NASA's texts and the files of the mirror, is updated.
///
/// A sync compares each day with NASA from time to time. ``EntryDownloader`` then makes the new record in three steps:
/// ``init(_:after:)`` merges the entry that NASA serves into the stored record, the downloader adds the files that it
/// has downloaded, and ``revised(from:at:)`` decides whether there is anything to publish. Another way to a new record
/// is ``repaired(by:from:at:)``, for the command `adopt`.
///
/// NASA edits its texts, and has also damaged many of them, such as captions cut to "[…]". An edit replaces the stored
/// text. A damaged text does not: it is only noted in ``damagedUpstream``, to be recognized when NASA serves it again.
extension DayRecord {
    /// Merges the entry that NASA serves into the `earlier` record of that day, `nil` if there is none.
    ///
    /// The recorded picture, and a recorded video file, stay until the caller records the files that it downloads.
    init(_ served: Entry, after earlier: DayRecord?) {
        entry = EntryText(served)
        feed = served.feed.rawValue
        modified = served.modified ?? earlier?.modified
        video = served.media.video?.webAddress.map { VideoRecord(url: $0) }
        // These two change only if `revised` finds a difference.
        fetched = earlier?.fetched ?? .distantPast
        revision = earlier?.revision ?? 1
        guard let earlier else { return }

        picture = earlier.picture
        adoptedFrom = earlier.adoptedFrom
        unknown = earlier.unknown

        // NASA's two feeds phrase texts differently, which is no edit: a record keeps to the feed that it came from.
        // Only a day that has no file yet may change to the other feed, which may have one.
        let isSameFeed = earlier.feed == feed
        let hadNoFile = earlier.missing != nil
        if isSameFeed || hadNoFile {
            damagedUpstream = entry.takeBetter(from: earlier.entry)
            entry.fill(from: earlier.entry)
        } else {
            entry = earlier.entry
            damagedUpstream = earlier.damagedUpstream
            feed = earlier.feed
            modified = earlier.modified
        }

        // Only the URL of a video is ever found damaged: `entry` has the earlier one then.
        if damagedUpstream[.url] != nil { video?.url = entry[.url] }
        let isSameVideo = video?.url == earlier.video?.url
        let isDownloaded = earlier.video?.path != nil
        let servesNoMedia = served.media == Media()
        if isSameVideo || isDownloaded || servesNoMedia { video = earlier.video }
    }

    /// Returns the record to publish in place of `earlier`; `nil` if the two are equal.
    ///
    /// It has the next revision if NASA edited the day, and the time `now` if anything but times and versions changed.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        // NASA also saves an article again without a change.
        if !hasSameContents(as: earlier) { record.fetched = now }
        // The first picture or video file of a day that had none is not an edit.
        if let earlier, earlier.missing == nil, hasEdit(since: earlier), revision < .max {
            record.revision += 1
        }
        return record
    }

    /// Replaces empty and damaged texts by those of `other`, which a user's file at `source` has.
    ///
    /// - Returns: The new record, and the fields that were replaced; `nil` if none of the texts is better.
    package func repaired(
        by other: EntryText, from source: String, at now: Date
    ) -> (record: DayRecord, fields: [EntryText.Field])? {
        var record = self
        let damaged = record.entry.takeBetter(from: other, isFromUserFile: true)
        guard !damaged.isEmpty else { return nil }
        // NASA still serves the damaged text; where one is noted already, an earlier repair replaced it.
        record.damagedUpstream.merge(damaged) { noted, _ in noted }
        record.adoptedFrom = source.plainText.cut(to: TextLimit.line)
        record.fetched = now
        if revision < .max { record.revision += 1 }
        return (record, EntryText.Field.allCases.filter { damaged[$0] != nil })
    }

    /// Whether NASA serves the texts that it served for `earlier`, also the damaged ones.
    func hasSameTexts(as earlier: DayRecord) -> Bool {
        entry == earlier.entry && damagedUpstream == earlier.damagedUpstream
    }

    /// Whether NASA changed a text or replaced a file since `earlier`.
    ///
    /// A file that had been missing is not an edit, nor a picture in place of a reduced copy.
    private func hasEdit(since earlier: DayRecord) -> Bool {
        if !hasSameTexts(as: earlier) { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        return earlier.video?.sha256 != nil && earlier.video?.sha256 != video?.sha256
    }

    /// Whether the record is equal to `earlier`, except for times, and the versions that servers give to files.
    func hasSameContents(as earlier: DayRecord?) -> Bool {
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
