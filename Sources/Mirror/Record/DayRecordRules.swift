internal import APOD
internal import FoundationEssentials
internal import Platform

/// The rules by which a sync updates the record of a day, the JSON file with its texts and the paths of its files.
///
/// When NASA serves the entry of the day again, ``EntryDownloader`` makes the new record in three steps:
///
/// 1. ``init(_:after:)`` merges the entry into the stored record.
/// 2. The downloader adds the files that it has downloaded.
/// 3. ``revised(from:at:)`` decides whether there is anything to publish.
extension DayRecord {
    // MARK: Merging an entry

    /// Merges the entry that NASA serves into the stored record of the day, `earlier`, which is `nil` if there is none.
    ///
    /// A recorded picture or video file stays in the record until the caller replaces it. ``revised(from:at:)`` later sets the
    /// revision and the time `fetched`, which stay as they were until then.
    init(_ served: Entry, after earlier: DayRecord?) {
        entry = EntryText(served)
        feed = served.feed
        route = served.route
        modified = served.modified ?? earlier?.modified
        video = served.media.video?.webAddress.map { VideoRecord(url: $0) }
        fetched = earlier?.fetched ?? .distantPast
        revision = earlier?.revision ?? 1
        guard let earlier else { return }

        picture = earlier.picture
        unknown = earlier.unknown
        switch TextUpdate(from: earlier, by: served) {
        case .replace: break
        case .merge: entry.fillGaps(from: earlier.entry)
        case .keep:
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

    /// What happens to the texts of a stored record when NASA serves the entry of the day again.
    ///
    /// NASA's two feeds, and the routes by which an entry of a feed comes, phrase the same texts differently. This is no edit.
    private enum TextUpdate {
        /// The served texts replace all stored ones, because they came by a better route of the same feed.
        case replace
        /// The served texts replace the stored ones, and a stored text stays if the entry has none in its place.
        ///
        /// They came in the same way as the stored ones, or the day has no file yet, which only this entry may name.
        case merge
        /// The stored texts stay, because the served ones came in another way that is not better.
        case keep

        init(from earlier: DayRecord, by served: Entry) {
            let isSameFeed = served.feed == earlier.feed
            if isSameFeed, served.route < earlier.route {
                self = .replace
            } else if isSameFeed, served.route == earlier.route {
                self = .merge
            } else {
                let hadNoFile = earlier.noPicture != nil
                self = hadNoFile ? .merge : .keep
            }
        }
    }

    // MARK: Comparing

    /// Returns the record to publish in place of `earlier`; `nil` if they are equal.
    ///
    /// If NASA edited the day, it has the next revision. If anything but times and versions changed, it has the time `now`.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        guard self != earlier else { return nil }
        var record = self
        // NASA may have saved the article again without changing it.
        if !hasSameContents(as: earlier) { record.fetched = now }
        // The first picture or video file of a day that had none is not an edit.
        if let earlier, earlier.noPicture == nil, hasEdit(since: earlier), revision < .max {
            record.revision += 1
        }
        return record
    }

    /// Whether NASA has changed a text or replaced a file since `earlier`.
    ///
    /// It is no edit if a missing file is here now, if a whole picture is in place of a reduced copy, or if NASA serves the
    /// same files from another host.
    func hasEdit(since earlier: DayRecord) -> Bool {
        var entry = entry.withAddresses(of: earlier.entry)
        entry.problems = earlier.entry.problems
        if entry != earlier.entry { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        guard let old = earlier.video?.file else { return false }
        return old.sha256 != video?.file?.sha256
    }

    /// Whether the record equals `earlier`, except for times, the route, and the hosts and versions of NASA's files.
    func hasSameContents(as earlier: DayRecord?) -> Bool {
        guard let earlier else { return false }
        var record = self
        record.entry = entry.withAddresses(of: earlier.entry)
        record.modified = earlier.modified
        record.fetched = earlier.fetched
        record.route = earlier.route
        record.picture?.etag = earlier.picture?.etag
        record.picture?.lastModified = earlier.picture?.lastModified
        record.video?.etag = earlier.video?.etag
        record.video?.lastModified = earlier.video?.lastModified
        if let url = earlier.video?.url, url.isURL(ofFileAt: record.video?.url) {
            record.video?.url = url
        }
        return record == earlier
    }
}
