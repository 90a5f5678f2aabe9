internal import APOD
internal import FoundationEssentials

/// Which days the setting `--keep` excludes from a sync, and whether the sync may delete files because of their dates.
extension SyncRoundState {
    /// Computes which days are kept; a sync of single days, without `--since`, does not change that.
    ///
    /// - Throws: The error of reading a record; then nothing has changed.
    mutating func updateRetention() throws {
        guard options.since != nil else { return }
        try retention.updateOldestKept(newest: nextState.newest)
        nextState.keptFrom = retention.oldestKept
    }

    /// Whether `day` is too old to be kept, and not wanted for another reason.
    func isExcluded(_ day: Day) -> Bool { retention.excludes(day) && !self[day].isAlwaysWanted }

    /// Whether `day` has a record, and its files were removed because it is too old.
    func isRemoved(_ day: Day) -> Bool { self[day].state == .removed && isExcluded(day) }

    /// Whether files may be deleted by date: this sync saw NASA's newest entry, and the clock agrees with its date.
    ///
    /// NASA's longest pause was six weeks. The limit of 60 days leaves a margin.
    var mayRemoveByDate: Bool {
        guard sawNewest, let newest = nextState.newest, dates.last != nil else { return false }
        let distance = synchronizer.now().timeIntervalSince1970 - Double(newest.noon)
        return abs(distance) < 60 * Date.secondsPerDay
    }
}
