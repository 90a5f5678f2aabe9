internal import APOD
internal import Platform

/// How a sync downloads its *backlog*: the days that are due, and those that NASA has edited, apart from its newest day.
///
/// The backlog has two parts, which are downloaded at the same time: the urgent days, which are favorites and damaged days, and
/// all others. Each part has *slots* of its own, which limit how many of its downloads run at once.
extension SyncRound {
    /// Downloads `days`, several at a time, until all have ended or the sync is to end.
    ///
    /// Urgent days come first, because a person may wait for them. The others begin when these wait for a slot.
    ///
    /// - Parameters:
    ///   - days: The claimed days, in the order of their requests.
    ///   - entries: Entries that came in a list. They save requests for due days, and may be edits of days in the mirror.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        let downloads = synchronizer.downloads
        let failures = FailedAttempts(at: days + entries.map(\.day)) {
            state[$0].state.retry?.attempts
        }
        let urgent = BacklogPart(
            days.filter { state[$0].isUrgent },
            alreadyLoaded: entries.filter { state[$0.day].isUrgent }, failures,
            slots: downloads.slotsOfFavorites)
        let others = BacklogPart(
            days.filter { !state[$0].isUrgent },
            alreadyLoaded: entries.filter { !state[$0.day].isUrgent }, failures,
            slots: downloads.slots)
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
            let end = await part.beginDownloads(by: self, waitingIn: &group)
            // The next sync follows as soon as one of the slots is free.
            if end == .early, isEnding { slotsOfLeftDays.append(part.slots) }
        }
    }

    fileprivate var mustEnd: Bool { isEnding || Task.isCancelled }

    /// Applies the failures of the days for which `answer` has no usable entry; returns the entries of the other days.
    fileprivate func takeEntries(from answer: EntrySearch.Answer) -> [Entry] {
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
}

/// The part of a backlog that shares a group of slots.
private struct BacklogPart {
    /// Whether nothing is left for this sync, or whether it has to end before.
    enum End { case complete, early }

    let slots: AsyncSemaphore
    /// Resumed when an entry has to wait for a slot, and at the end of the part.
    let firstWait = CancellableContinuation()
    private let days: [Day]
    private let loadedEntries: [Entry]
    private let failures: FailedAttempts
    /// The due days whose entries have neither come nor been requested.
    private var remaining: Set<Day>
    /// Whether the download of a due day has begun; an edit of a day in the mirror does not count.
    private var hasBegun = false

    init(
        _ days: [Day], alreadyLoaded entries: [Entry], _ failures: FailedAttempts,
        slots: AsyncSemaphore
    ) {
        self.days = days
        self.failures = failures
        loadedEntries = failures.sorted(entries, by: \.day)
        self.slots = slots
        remaining = Set(days)
    }

    var isEmpty: Bool { days.isEmpty && loadedEntries.isEmpty }

    /// Begins the downloads of the loaded entries, then those of the other days; `group` waits for their ends.
    mutating func beginDownloads(
        by round: isolated SyncRound, waitingIn group: inout DiscardingTaskGroup
    ) async -> End {
        for entry in loadedEntries {
            let isDue = remaining.remove(entry.day) != nil
            guard isDue || round.state.claimUpdate(entry) else { continue }
            guard let slot = await nextSlot(of: round) else { return .early }
            if begin(entry, in: slot, by: round, waitingIn: &group), isDue { hasBegun = true }
        }
        return await requestDays(by: round, waitingIn: &group)
    }

    /// Requests the entries of the remaining days, newest first, and begins their downloads.
    private mutating func requestDays(
        by round: isolated SyncRound, waitingIn group: inout DiscardingTaskGroup
    ) async -> End {
        let firstSearch = EntrySearch(
            round.feeds, for: days.filter(remaining.contains), after: failures,
            hasAnswer: round.state.sawNewest)
        var (next, search) = await firstSearch.advanced()
        while !round.state.summary.isOutOfSpace, let answer = next {
            // A list that failed is no progress: a sync that ended now would leave the next one to request the same list.
            if case .failure(_, of: nil) = answer {} else { round.answerAboutBacklog.resume() }
            // The sync does not end before a day has begun, so that each sync makes progress.
            if hasBegun, round.mustEnd { return .early }
            // The next request is sent while the entries of this answer are downloaded. Each `return` cancels it. A constant,
            // because `async let` must not use a variable.
            let searchAfterAnswer = search
            async let following = searchAfterAnswer.advanced()
            let entries = round.takeEntries(from: answer)
            // `--keep` excludes these days, and all remaining ones, which are older.
            if !entries.isEmpty, entries.allSatisfy({ round.state.isExcluded($0.day) }) {
                return .complete
            }
            for entry in failures.sorted(entries, by: \.day) {
                if hasBegun, round.mustEnd { return .early }
                guard let slot = await nextSlot(of: round) else { return .early }
                if begin(entry, in: slot, by: round, waitingIn: &group) { hasBegun = true }
            }
            (next, search) = await following
        }
        return round.mustEnd && (next != nil || search.hasRest) ? .early : .complete
    }

    /// Takes a slot as soon as one is free; `nil` if the sync ends before.
    private func nextSlot(of round: isolated SyncRound) async -> AsyncSemaphore.Permit? {
        if let slot = slots.freePermit() { return slot }
        firstWait.resume()
        // The sync makes progress, and may end early.
        round.answerAboutBacklog.resume()
        // This wait delays the following entries, too, so that days are downloaded in their order.
        return try? await slots.permit()
    }

    /// Begins the download of `entry`, unless the disk is full; returns whether it has begun.
    private func begin(
        _ entry: Entry, in slot: AsyncSemaphore.Permit, by round: isolated SyncRound,
        waitingIn group: inout DiscardingTaskGroup
    ) -> Bool {
        guard !round.state.summary.isOutOfSpace,
            let download = round.beginDownload(of: entry, in: slot)
        else { return false }
        group.addTask { try? await download.wait() }
        return true
    }
}
