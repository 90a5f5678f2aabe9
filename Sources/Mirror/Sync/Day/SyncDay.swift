/// What one sync knows about one day: a row of the table in ``SyncRoundState``.
struct SyncDay {
    /// Which files of the day the mirror has, and why some are missing.
    var state = DayState.unknown

    // MARK: Set once, at the start of the sync

    /// Whether the mirror has a record of the day, even if its files were removed.
    var isRecorded = false
    /// Whether the day is a favorite that lacks a file, such as its picture or its video.
    var isWantedFavorite = false
    /// Whether a verification found a file of the day damaged or missing.
    var isDamaged = false
    /// Whether a picture in `adopted/` waits for NASA's entry of the day.
    var hasAdoptedPicture = false

    // MARK: Changed by the sync

    /// Whether the entry came in NASA's list of the newest entries.
    var isInNewestList = false
    /// What this sync has done for the day.
    var work = Work.none
    /// Whether the sync has counted the day as work to do, and has no outcome for it yet.
    var isPlanned = false

    /// A day has at most one download at a time, because two would stage files of the same names.
    enum Work {
        case none
        /// This sync has chosen the day, and requests its entry or has it.
        case claimed
        /// The download runs, perhaps since an earlier sync.
        case underWay
        /// The day is finished in this sync, with any outcome, or put off until a later sync.
        case ended
    }

    // MARK: What follows from these

    /// Whether the day is downloaded before the others, because a person may wait for it.
    var isUrgent: Bool { isWantedFavorite || isDamaged }

    /// Whether the mirror is to have the day even outside of the range of `--since` and `--keep`.
    var isAlwaysWanted: Bool { isUrgent || hasAdoptedPicture }

    /// Whether the mirror has no picture of the day because NASA has none.
    var hasNoPicture: Bool { !state.hasFiles && state.retry?.hasNoPicture == true }
}
