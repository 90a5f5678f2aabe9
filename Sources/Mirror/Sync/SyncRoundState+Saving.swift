internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// The results of a sync: state.json and the summary.
extension SyncRoundState {
    /// Writes state.json if it has changed.
    mutating func save() throws {
        known.retries = days.compactMapValues(\.retry)
        guard known.isWorthSaving(over: saved) else { return }
        try store.save(known)
        saved = known
    }

    /// Saves NASA's newest day as soon as it is known.
    mutating func saveNewest() throws {
        if known.newest != saved.newest { try save() }
    }

    /// Ends the sync: finishes the summary, and saves the state.
    mutating func close() throws {
        known.hosts = synchronizer.client.hosts.notBefore.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        for (day, state) in days {
            guard case .missing = state else { continue }
            let isInRange = known.range?.contains(day) ?? (day <= known.newest ?? .last)
            let isWanted =
                isInRange && !isExcluded(day) || favorites.contains(day) || unrecorded.contains(day)
            // A shorter --since wants fewer days.
            if !isWanted { days[day] = recorded.contains(day) ? .removed : .unknown }
        }
        if sawNewest, !hasProblem { known.lastError = nil }
        // A copy that was not recovered keeps the identity of its original.
        if known.tree == nil { known.tree = try store.tree.directoryIdentity() }
        finishSummary()
        try save()
    }

    private mutating func finishSummary() {
        summary.newest = known.newest
        summary.lastSuccess = known.lastSuccess
        let present = present
        summary.newestComplete = known.newest(of: present, dates)
        let rest = plan(retry: .due)
        // Days are still due if a list with their entries failed.
        summary.nextRetry =
            rest.days.isEmpty
            ? rest.nextRetry
            : synchronizer.now().addingTimeInterval(RetryDelay.failedList / .seconds(1))
        guard let range else { return }
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.complete = present.count { range.contains($0) }
        summary.withoutPicture = days.count { day, state in
            if case .missing(let retry) = state {
                retry.hasNoPicture && range.contains(day)
            } else {
                false
            }
        }
    }
}
