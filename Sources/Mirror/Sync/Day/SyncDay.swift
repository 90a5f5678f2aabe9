/// What one sync knows about one day: a row of the table in ``SyncRoundState``.
struct SyncDay {
    var state = DayState.unknown

    // MARK: At the start of the sync

    var isRecorded = false
    /// Whether the day is a favorite whose picture is missing.
    var isWantedFavorite = false
    /// Whether a verification found a file of the day damaged or missing.
    var isDamaged = false
    /// Whether a picture in `adopted/` waits for NASA's entry of the day.
    var isAdopted = false

    // MARK: Changed by the sync

    /// Whether the entry came in the list of the newest entries.
    var isPolled = false
    var work = Work.none
    /// Whether the day was announced as planned, and has no outcome yet.
    var isPlanned = false

    /// What this sync has done for the day, which has one download at a time: two would stage files of the same names.
    enum Work {
        case none
        /// This sync has chosen the day, and requests its entry or has it.
        case claimed
        /// The download runs, perhaps since an earlier sync.
        case underWay
        /// The day is finished in this sync, with any outcome, or put off.
        case ended
    }

    /// Whether the day is downloaded before the others, because a person may wait for it.
    var isRequestedFirst: Bool { isWantedFavorite || isDamaged }

    /// Whether NASA has no picture of the day.
    var hasNoPicture: Bool { !state.hasFiles && state.retry?.hasNoPicture == true }

    /// Whether the mirror is to have the day even outside of the range of `--since` and `--keep`.
    var isAlwaysWanted: Bool { isRequestedFirst || isAdopted }
}
