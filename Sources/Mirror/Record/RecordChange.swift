internal import APOD

/// How much a new record of a day differs from the stored one, in the order of weight.
///
/// A sync publishes the new record after any change. Only an edit increases the revision of the day. A greater change may
/// include the lesser ones.
enum RecordChange: Comparable {
    case none
    /// Only times, the route, and the hosts and versions of NASA's files differ: NASA may have saved the article again.
    case bookkeeping
    /// The same picture has another address, or NASA announces another size of it.
    case sourceOfPicture
    /// Something else differs, for example because a missing file is here now, or because this is the first record.
    case contents
    /// NASA has changed a text or replaced a file.
    case edit
}

extension DayRecord {
    /// Compares this record with the stored one, `earlier`, which is `nil` if there is none.
    func change(since earlier: DayRecord?) -> RecordChange {
        guard let earlier else { return .contents }
        if self == earlier { return .none }
        if hasEdit(since: earlier) { return .edit }
        // From here on, each difference that does not count is removed.
        var record = self
        record.entry = entry.withAddresses(of: earlier.entry)
        record.modified = earlier.modified
        record.lastChanged = earlier.lastChanged
        record.route = earlier.route
        if let picture = earlier.picture { record.picture?.version = picture.version }
        if let video = earlier.video { record.video?.version = video.version }
        if let url = earlier.video?.url, url.isURL(ofFileAt: video?.url) { record.video?.url = url }
        // The record forgets a video that --keep removed, if the picture of the day is back without it.
        if let file = earlier.video?.file, file.removed != nil, video?.file == nil {
            record.video?.file = file
        }
        if record == earlier { return .bookkeeping }
        if let picture = earlier.picture {
            record.picture?.isReduced = picture.isReduced
            record.picture?.origin = picture.origin
        }
        return record == earlier ? .sourceOfPicture : .contents
    }

    /// Whether NASA has changed a text or replaced a file since `earlier`.
    ///
    /// It is no edit if a missing file is here now, if a whole picture replaces a reduced copy, or if only hosts have changed.
    private func hasEdit(since earlier: DayRecord) -> Bool {
        var entry = entry.withAddresses(of: earlier.entry)
        entry.problems = earlier.entry.problems
        if entry != earlier.entry { return true }
        if let old = earlier.picture, !old.isReduced, old.sha256 != picture?.sha256 { return true }
        guard let old = earlier.video?.file, let new = video?.file else { return false }
        return old.sha256 != new.sha256
    }
}
