internal import APOD
internal import Platform

/// How a sync downloads its *backlog*: the days that are due, and those that NASA has edited, apart from its newest day.
///
/// The backlog has two parts, which are downloaded at the same time: the urgent days, which are favorites and damaged days, and
/// all others. Each part has *slots* of its own, which limit how many of its downloads run at once.
///
/// A sync may have to end early, so that the next poll is not late. Then it leaves the remaining days to the next sync. But it
/// does not end before it has begun a due day, because otherwise, a row of syncs would make no progress.
extension SyncRound {
    /// Downloads `days`, several at a time, until all have ended or the sync is to end.
    ///
    /// Urgent days come first, because a person may wait for them. The others begin when these wait for a slot.
    ///
    /// - Parameters:
    ///   - days: The claimed days, in the order of their requests.
    ///   - entries: Entries that came in a list. They save requests for due days, and may be edits of days in the mirror.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        var failures = FailedAttempts()
        for day in days + entries.map(\.day) {
            failures.counts[day] = state[day].state.retry?.attempts
        }
        func part(ofUrgentDays isUrgent: Bool, in slots: AsyncSemaphore) -> BacklogPart {
            let entries = entries.filter { state[$0.day].isUrgent == isUrgent }
            return BacklogPart(
                remaining: days.filter { state[$0].isUrgent == isUrgent },
                loadedEntries: failures.sorted(entries, by: \.day), failures: failures,
                slots: slots)
        }
        let urgent = part(ofUrgentDays: true, in: synchronizer.downloads.slotsOfFavorites)
        let others = part(ofUrgentDays: false, in: synchronizer.downloads.slots)
        guard !urgent.isEmpty else { return await download(others) }
        async let urgentDownloads: Void = download(urgent)
        try? await urgent.firstWait.wait()
        await download(others)
        await urgentDownloads
    }

    /// Downloads the days of `part`; days that it leaves, because the sync is to end, cause the next sync.
    private func download(_ part: BacklogPart) async {
        defer {
            answerAboutBacklog.resume()
            part.firstWait.resume()
        }
        await withDiscardingTaskGroup { group in
            var part = part
            var end = await beginLoadedEntries(of: &part, waitingIn: &group)
            if end == .complete { end = await requestDays(of: &part, waitingIn: &group) }
            // The next sync follows as soon as one of the slots is free.
            if end == .early, isEnding { slotsOfLeftDays.append(part.slots) }
        }
    }

    private var mustEnd: Bool { isEnding || Task.isCancelled }

    /// Begins the downloads of the entries that have come already; `group` waits for their ends.
    private func beginLoadedEntries(
        of part: inout BacklogPart, waitingIn group: inout DiscardingTaskGroup
    ) async -> BacklogPart.End {
        for entry in part.loadedEntries {
            let isDue = part.removeRemaining(entry.day)
            guard isDue || state.claimUpdate(entry) else { continue }
            guard let slot = await nextSlot(of: part) else { return .early }
            if begin(entry, in: slot, waitingIn: &group), isDue { part.hasBegun = true }
        }
        return .complete
    }

    /// Requests the entries of the remaining days, newest first, and begins their downloads; `group` waits for their ends.
    private func requestDays(
        of part: inout BacklogPart, waitingIn group: inout DiscardingTaskGroup
    ) async -> BacklogPart.End {
        let firstSearch = EntrySearch(
            feeds, for: part.remaining, after: part.failures, hasAnswer: state.sawNewest)
        var (next, search) = await firstSearch.advanced()
        while !state.summary.isOutOfSpace, let answer = next {
            // A list that failed is no progress: a sync that ended now would leave the next one to request the same list.
            if !answer.isFailedList { answerAboutBacklog.resume() }
            if part.hasBegun, mustEnd { return .early }
            // The next request is sent while the entries of this answer are downloaded. Each `return` cancels it. A constant,
            // because `async let` must not use a variable.
            let searchAfterAnswer = search
            async let following = searchAfterAnswer.advanced()
            let entries = takeEntries(from: answer)
            // `--keep` excludes these days, and all remaining ones, which are older.
            if !entries.isEmpty, entries.allSatisfy({ state.isExcluded($0.day) }) {
                return .complete
            }
            for entry in part.failures.sorted(entries, by: \.day) {
                if part.hasBegun, mustEnd { return .early }
                guard let slot = await nextSlot(of: part) else { return .early }
                if begin(entry, in: slot, waitingIn: &group) { part.hasBegun = true }
            }
            (next, search) = await following
        }
        return mustEnd && (next != nil || search.hasRest) ? .early : .complete
    }

    /// Applies the failures of the days for which `answer` has no usable entry; returns the entries of the other days.
    private func takeEntries(from answer: EntrySearch.Answer) -> [Entry] {
        switch answer {
        case .failure(let error, let day):
            noteFailedRequest(error)
            if let day { apply(EntryOutcome(day, error.outcome(by: feeds[day].route))) }
            return []
        case .list(let entries, let rejections, let unpublished):
            applyRejections(rejections)
            for day in unpublished {
                let route = feeds[day].route
                applyFailure(
                    of: day, .unpublished.proved(by: route),
                    "\(route == .api ? "NASA" : route.name) has no entry for that day yet")
            }
            for entry in entries where !state.dates.contains(entry.day) {
                applyFailure(of: entry.day, .unusable, "its entry has a date in the future")
            }
            return entries.filter { state.dates.contains($0.day) }
        }
    }

    /// Takes a slot as soon as one is free; `nil` if the sync ends before.
    private func nextSlot(of part: BacklogPart) async -> AsyncSemaphore.Permit? {
        if let slot = part.slots.takeFreePermit() { return slot }
        part.firstWait.resume()
        // The sync makes progress, and may end early.
        answerAboutBacklog.resume()
        // This wait delays the following entries, too, so that days are downloaded in their order.
        return try? await part.slots.waitForPermit()
    }

    /// Begins the download of `entry`, unless the disk is full; returns whether it has begun.
    private func begin(
        _ entry: Entry, in slot: AsyncSemaphore.Permit, waitingIn group: inout DiscardingTaskGroup
    ) -> Bool {
        guard !state.summary.isOutOfSpace, let download = beginDownload(of: entry, in: slot)
        else { return false }
        group.addTask { try? await download.wait() }
        return true
    }
}

/// The part of a backlog that shares a group of slots.
private struct BacklogPart {
    /// Whether nothing is left for this sync, or whether it has to end before.
    enum End { case complete, early }

    /// The due days whose entries have neither come nor been requested, in the order of their requests.
    var remaining: [Day]
    /// The entries that came in a list, in the order of their downloads.
    let loadedEntries: [Entry]
    let failures: FailedAttempts
    let slots: AsyncSemaphore
    /// Resumed when an entry has to wait for a slot, and at the end of the part.
    let firstWait = CancellableContinuation()
    /// Whether the download of a due day has begun; an edit of a day in the mirror does not count.
    var hasBegun = false

    var isEmpty: Bool { remaining.isEmpty && loadedEntries.isEmpty }

    /// Removes `day` from the remaining days; returns whether it was one of them.
    mutating func removeRemaining(_ day: Day) -> Bool {
        guard let index = remaining.firstIndex(of: day) else { return false }
        remaining.remove(at: index)
        return true
    }
}
