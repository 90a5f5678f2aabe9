internal import APOD
internal import FoundationEssentials
internal import Platform

/// The rules by which a sync updates the record of a day: NASA's texts, and the files of the mirror.
///
/// ``EntryDownloader`` makes the new record in three steps: ``init(_:after:)`` merges the entry that NASA serves into the
/// stored record; the downloader adds the files that it has downloaded; ``revised(from:at:)`` decides whether there is
/// anything to publish.
///
/// NASA's newest text replaces the stored one. If NASA serves no text that can be read, the stored one stays.
/// ``DayPublisher`` keeps each replaced record in `previous/`.
extension DayRecord {
    /// Merges the entry that NASA serves into the `earlier` record of that day, `nil` if there is none.
    ///
    /// A recorded picture or video file stays until the caller records the files that it downloads.
    init(_ served: Entry, after earlier: DayRecord?) {
        entry = EntryText(served)
        feed = served.feed
        route = served.route
        modified = served.modified ?? earlier?.modified
        video = served.media.video?.webAddress.map { VideoRecord(url: $0) }
        // These two change only if `revised` finds a difference.
        fetched = earlier?.fetched ?? .distantPast
        revision = earlier?.revision ?? 1
        guard let earlier else { return }

        picture = earlier.picture
        unknown = earlier.unknown

        // NASA's two feeds phrase texts differently, which is no edit: a record keeps the texts of its feed. Only a day
        // that has no file yet may change to the other feed, which may have a file. A lesser route never edits the texts of
        // a better one. The texts of a better route replace all that a lesser one sent.
        let isSameSource = earlier.feed == feed && earlier.route == route
        let hadNoFile = earlier.noPicture != nil
        let isBetter = earlier.feed == feed && route < earlier.route
        if isSameSource || (hadNoFile && !isBetter) {
            entry.keepWhatIsMissing(of: earlier.entry)
        } else if !isBetter {
            entry = earlier.entry
            feed = earlier.feed
            route = earlier.route
            modified = earlier.modified
        }

        let isSameVideo = video?.url == earlier.video?.url
        let isDownloaded = earlier.video?.path != nil
        let servesNoMedia = served.media == Media()
        if isSameVideo || isDownloaded || servesNoMedia { video = earlier.video }
    }

    /// Returns the record to publish in place of `earlier`; `nil` if both are equal.
    ///
    /// It has the next revision if NASA edited the day, and the time `now` if anything but times and versions changed.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        // NASA may have saved the article again without a change.
        if !hasSameContents(as: earlier) { record.fetched = now }
        // The first picture or video file of a day that had none is not an edit.
        if let earlier, earlier.noPicture == nil, hasEdit(since: earlier), revision < .max {
            record.revision += 1
        }
        return record
    }

    /// Whether NASA changed a text or replaced a file since `earlier`.
    ///
    /// A file that had been missing is no edit, nor is a picture in place of a reduced copy.
    private func hasEdit(since earlier: DayRecord) -> Bool {
        var entry = entry
        entry.problems = earlier.entry.problems
        if entry != earlier.entry { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        guard let old = earlier.video?.file else { return false }
        return old.sha256 != video?.file?.sha256
    }

    /// Whether the record is equal to `earlier`, except for times, the route, and the versions that servers give to files.
    func hasSameContents(as earlier: DayRecord?) -> Bool {
        guard let earlier else { return false }
        var record = self
        record.modified = earlier.modified
        record.fetched = earlier.fetched
        record.route = earlier.route
        record.picture?.etag = earlier.picture?.etag
        record.picture?.lastModified = earlier.picture?.lastModified
        record.video?.etag = earlier.video?.etag
        record.video?.lastModified = earlier.video?.lastModified
        return record == earlier
    }
}
