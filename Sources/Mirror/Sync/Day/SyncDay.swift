/// What one sync knows about one day: a row of the table in ``SyncRoundState``.
struct SyncDay {
    var state = DayState.unknown

    // MARK: At the start of the sync

    var isRecorded = false
    /// Whether the day is a favorite whose picture is missing.
    var isMissingFavorite = false
    /// Whether a verification found a file of the day damaged or missing.
    var isSuspect = false
    /// Whether a picture in `adopted/` waits for NASA's entry of the day.
    var isAdopted = false

    // MARK: Changed by the sync

    /// Whether the entry came in the list of the newest entries.
    var isPolled = false
    var work = Work.none
    /// Whether the day was reported as planned and is not finished.
    var isPlanned = false

    /// What is done about the day, which has one download at a time: two would write the same temporary file.
    enum Work {
        case none
        /// This sync has chosen the day, and requests its entry or has it.
        case claimed
        /// The download runs, perhaps since an earlier sync.
        case underWay
        /// The day is finished in this sync, with any outcome, or put off.
        case ended
    }

    var isRequestedFirst: Bool { isMissingFavorite || isSuspect }

    /// Whether the day is mirrored even if it is outside of the range, or older than what `--keep` keeps.
    var isAlwaysWanted: Bool { isRequestedFirst || isAdopted }
}
