internal import APOD
internal import FoundationEssentials
internal import Platform

/// The rules by which a sync updates the record of a day, the JSON file with its texts and the paths of its files.
///
/// When NASA serves the entry of the day again, ``DayPublication`` makes the new record in three steps:
///
/// 1. ``init(_:after:)`` merges the entry into the stored record.
/// 2. The publication adds the files that were downloaded.
/// 3. ``revised(from:at:)`` decides by the ``RecordChange`` whether there is anything to publish.
extension DayRecord {
    /// Merges the entry that NASA serves into the stored record of the day, `earlier`, which is `nil` if there is none.
    ///
    /// A recorded picture or video file stays in the record until the caller replaces it. ``revised(from:at:)`` later sets the
    /// revision and the time of the last change, which stay as they were until then.
    init(_ served: Entry, after earlier: DayRecord?) {
        entry = EntryText(served)
        feed = served.feed
        route = served.route
        modified = served.modified ?? earlier?.modified
        video = served.media.video?.webAddress.map { VideoRecord(url: $0) }
        lastChanged = earlier?.lastChanged ?? .distantPast
        revision = earlier?.revision ?? 1
        guard let earlier else { return }

        picture = earlier.picture
        unknown = earlier.unknown
        updateTexts(from: earlier, by: served)
        let isSameVideo = video?.url == earlier.video?.url
        let isDownloaded = earlier.video?.path != nil
        let servesNoMedia = served.media == Media()
        if isSameVideo || isDownloaded || servesNoMedia { video = earlier.video }
    }

    /// Decides which texts the record has: the ones that NASA `served`, the stored ones of `earlier`, or some of both.
    ///
    /// NASA's two feeds, and the routes by which an entry of a feed comes, phrase the same texts differently. This is no edit.
    private mutating func updateTexts(from earlier: DayRecord, by served: Entry) {
        let isSameFeed = served.feed == earlier.feed
        // If the texts came by a better route of the same feed, they replace all stored ones.
        if isSameFeed, served.route < earlier.route { return }
        let cameAsBefore = isSameFeed && served.route == earlier.route
        // If the day has no file yet, only this entry may name one.
        if cameAsBefore || earlier.noPicture != nil {
            entry.fillGaps(from: earlier.entry)
        } else {
            entry = earlier.entry
            feed = earlier.feed
            route = earlier.route
            modified = earlier.modified
        }
    }

    /// Returns the record to publish in place of the stored one, `earlier`; `nil` if they are equal.
    ///
    /// If NASA edited the day, it has the next revision. If anything but times and versions changed, it has the time `now`.
    func revised(from earlier: DayRecord?, at now: Date) -> DayRecord? {
        let difference = change(since: earlier)
        guard difference != .none else { return nil }
        var record = self
        if difference > .bookkeeping { record.lastChanged = now }
        // The first picture or video file of a day that had none is not an edit.
        let hadFile = earlier?.noPicture == nil
        if difference == .edit, hadFile, revision < .max { record.revision += 1 }
        return record
    }
}
