internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// How a sync saves `state.json`, and ends.
extension SyncRoundState {
    /// Writes `state.json` if it has changed.
    mutating func save() throws {
        stored.retries = days.compactMapValues(\.retry)
        guard stored.isWorthSaving(over: saved) else { return }
        try store.save(stored)
        saved = stored
    }

    /// Saves at once if NASA has a new day: other parts of the program read from the file which day is the newest.
    mutating func saveIfNewestChanged() throws {
        if stored.newest != saved.newest { try save() }
    }

    /// Ends the sync: drops what is no longer of interest, finishes the summary, and saves the state.
    mutating func close() throws {
        stored.hosts = synchronizer.client.hosts.notBefore.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        dropUnwantedRetries()
        // Only a sync without any problem shows that the last one is over.
        if sawNewest, !hasProblem { stored.lastError = nil }
        // Only the first sync sets it: by another identity a copied mirror is noticed, until it is recovered.
        if stored.tree == nil { stored.tree = try store.tree.directoryIdentity() }
        finishSummary()
        try save()
    }

    /// Forgets the retries of days that are no longer to be mirrored, as after a shorter `--since`.
    private mutating func dropUnwantedRetries() {
        for (day, state) in days {
            guard case .missing = state, !isWanted(day) else { continue }
            days[day] = recorded.contains(day) ? .removed : .unknown
        }
    }

    private func isWanted(_ day: Day) -> Bool {
        if extraDays.contains(day) || unrecorded.contains(day) { return true }
        // The stored range, also in a sync of single days.
        if let range = stored.range { return range.contains(day) && !isExcluded(day) }
        return day <= stored.newest ?? .last && !isExcluded(day)
    }

    private mutating func finishSummary() {
        summary.newest = stored.newest
        summary.lastSuccess = stored.lastSuccess
        let present = present
        summary.newestComplete = stored.newest(of: present, dates)
        // Days that are due even now are those of a list that failed.
        let rest = plan(retry: .due)
        summary.nextRetry =
            rest.days.isEmpty
            ? rest.nextRetry
            : synchronizer.now().addingTimeInterval(RetryDelay.failedList / .seconds(1))
        guard let range else { return }
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.complete = present.count { range.contains($0) }
        summary.withoutPicture = days.count { day, state in
            range.contains(day) && !state.hasFiles && state.retry?.hasNoPicture == true
        }
    }
}
