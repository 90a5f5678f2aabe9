internal import APOD

/// Decides whether an entry in one of NASA's lists has something new for the mirror, so that its day is downloaded again.
///
/// A list has the *entries* of several days: their titles, texts and addresses. Most of them are already in the mirror as they
/// are. Only the others are worth a download, which occupies a slot, and reads the files of the day.
extension SyncRoundState {
    /// Claims the day of `entry`, which came in a list, if the entry may have something new for the mirror.
    ///
    /// If NASA has changed the entry of a partial day, which has some of its files, the retry of the day becomes due at once.
    ///
    /// - Returns: Whether the day is claimed; `false` if this sync has handled it already, or if nothing is new.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let comparison = EntryComparison(
            entry, record: try? store.record(of: entry.day), retry: self[entry.day].state.retry)
        if comparison.mayCompletePartialDay {
            // The retry waits for the files of the earlier entry.
            let now = synchronizer.now()
            self[entry.day].state.retry?.next = now
        }
        guard self[entry.day].work == .none, mayBeEdit(comparison) || mayEndAbsence(comparison)
        else { return false }
        self[entry.day].work = .claimed
        return true
    }

    /// Whether `entry` has the format of the configured feed; an entry of another format must not edit a day.
    func isOfCurrentFeed(_ entry: Entry) -> Bool { entry.feed == synchronizer.routes.api.kind }

    /// Whether the mirror has the day, or `--keep` removed it, and NASA may have edited it.
    private func mayBeEdit(_ comparison: EntryComparison) -> Bool {
        let entry = comparison.entry
        guard hasFiles(entry.day) || isRemoved(entry.day) else { return false }
        // An entry by a worse route than before must not edit the day.
        let earlierRoute = nextState.otherRoutes?[entry.day] ?? .api
        guard entry.route <= earlierRoute, isOfCurrentFeed(entry) else { return false }
        // After a walk, any file may be missing, which only a download finds out.
        let row = self[entry.day]
        if hasWalked || row.isDamaged || row.state != .complete { return true }
        return comparison.changesRecord || comparison.mayHaveOtherPicture
    }

    /// Whether the day is missing, and the entry may have what the day lacked at the last attempt.
    private func mayEndAbsence(_ comparison: EntryComparison) -> Bool {
        let day = comparison.entry.day
        guard !hasFiles(day), !isExcluded(day), let retry = self[day].state.retry
        else { return false }
        // NASA is expected to add the picture soon.
        if retry.permitsTry(atPoll: synchronizer.now()) { return true }
        if comparison.isArticleModified { return true }
        return switch retry.cause {
        case .unpublished: true
        case .lost, .noImage: comparison.namesPicture || comparison.changesEntry
        // Without a record, which a rejected entry does not make, there is nothing to compare with.
        case .unusable: comparison.record == nil || comparison.changesEntry
        case .unreachable, .localError, .noStill, .reduced, .doesNotFit, .unfinished:
            comparison.changesEntry
        }
    }
}

/// Compares an entry in a list with the record of its day, which is the JSON file in the mirror, and with the last attempt.
private struct EntryComparison {
    let entry: Entry
    /// The stored record; `nil` if there is none, or if it cannot be read, which the download of the day reports.
    let record: DayRecord?
    private let retry: RetryState?
    /// The record with the texts and addresses of the entry; `nil` without a record.
    private let newRecord: DayRecord?

    init(_ entry: Entry, record: DayRecord?, retry: RetryState?) {
        self.entry = entry
        self.record = record
        self.retry = retry
        newRecord = record.map { DayRecord(entry, after: $0) }
    }

    /// Whether the entry would change anything in the record, even a time; `true` if there is no record.
    var changesRecord: Bool { record == nil || newRecord != record }
    /// Whether the entry has other texts or addresses than the record; `false` if there is no record.
    var changesEntry: Bool { newRecord?.entry != record?.entry }
    var namesPicture: Bool { !entry.media.namesNoPicture }

    /// Whether NASA has changed the article since the last attempt, and so perhaps the contents of a file.
    var isArticleModified: Bool { entry.modified != nil && entry.modified != retry?.modified }

    /// Whether the day is partial, and NASA has changed the article, or names another picture or video than the record does.
    var mayCompletePartialDay: Bool {
        guard retry?.hasFiles == true else { return false }
        if isArticleModified { return true }
        guard let url = newRecord?.entry.url else { return false }
        return !url.isURL(ofFileAt: record?.entry.url)
    }

    /// Whether NASA may have another picture than that of the record, or a better one than the reduced copy in the mirror.
    var mayHaveOtherPicture: Bool {
        guard let record, let picture = record.picture else { return namesPicture }
        if picture.isReduced, namesPicture { return true }
        return record.hasNASAReplaced(picture, in: entry)
    }
}
