internal import APOD
internal import Platform
internal import Transfer

/// The older days of a sync that are due: it searches their entries, and begins a download whenever a slot is free.
extension SyncRound {
    /// Downloads `days`, several at a time; each is reported as soon as it is finished.
    ///
    /// Returns when all have ended, or when the sync is to end. Favorites and damaged days come first; while they wait for
    /// a slot, the others go on.
    ///
    /// - Parameters:
    ///   - days: Claimed days, requested in this order.
    ///   - entries: Entries at hand; those of days that are here may be edits.
    func downloadBacklog(_ days: [Day], alreadyLoaded entries: [Entry] = []) async {
        let slots = synchronizer.downloads.slots
        let first = days.filter { state[$0].isRequestedFirst }
        let firstEntries = entries.filter { state[$0.day].isRequestedFirst }
        guard !first.isEmpty || !firstEntries.isEmpty else {
            return await download(days, entries, in: slots)
        }
        let isWaiting = CancellableContinuation()
        async let favorites: Void = download(
            first, firstEntries, in: synchronizer.downloads.slotsOfFavorites, waiting: isWaiting)
        try? await isWaiting.wait()
        await download(
            days.filter { !state[$0].isRequestedFirst },
            entries.filter { !state[$0.day].isRequestedFirst }, in: slots)
        await favorites
    }

    /// Downloads `days` in their own `slots`; `waiting` is resumed when a day has to wait for one, or at the end.
    ///
    /// The wait for a slot is an answer, too, and so is the end of the search: the sync may end from then on.
    private func download(
        _ days: [Day], _ entries: [Entry], in slots: AsyncSemaphore,
        waiting: CancellableContinuation? = nil
    ) async {
        defer {
            answerAboutBacklog.resume()
            waiting?.resume()
        }
        await withDiscardingTaskGroup { group in
            let due = Set(days)
            /// Whether the download of a due day has begun; entries of days that are here, which each sync compares, do not
            /// count.
            var hasBegun = false
            /// Returns `false` if the sync ends before there is a slot.
            func begin(_ entry: Entry) async -> Bool {
                var slot = slots.freePermit()
                if slot == nil {
                    waiting?.resume()
                    answerAboutBacklog.resume()
                    // Waits here, so that days are downloaded in their order.
                    slot = try? await slots.permit()
                }
                guard let slot else { return false }
                // After a full disk, no other day is tried.
                if !state.summary.isOutOfSpace, let download = self.begin(entry, in: slot) {
                    hasBegun = hasBegun || due.contains(entry.day)
                    group.addTask { try? await download.wait() }
                }
                return true
            }

            var remaining = due
            for entry in entries
            where remaining.remove(entry.day) != nil || state.claimUpdate(entry) {
                guard await begin(entry) else { return leaveRest(waitingFor: slots) }
            }
            var search = EntrySearch(feeds, for: days.filter(remaining.contains))
            var next: EntrySearch.Answer?
            (next, search) = await search.advanced()
            answerAboutBacklog.resume()
            while !state.summary.isOutOfSpace, let found = next {
                // At least one day is begun, whatever the time: each sync makes progress.
                if hasBegun, mustEnd { break }
                // Requested while the entries of this answer are downloaded.
                let searchAfterAnswer = search
                async let following = searchAfterAnswer.advanced()
                guard let entries = entriesToDownload(of: found) else { return }
                for entry in entries {
                    if hasBegun, mustEnd { return leaveRest(waitingFor: slots) }
                    guard await begin(entry) else { return leaveRest(waitingFor: slots) }
                }
                (next, search) = await following
            }
            if mustEnd, next != nil || search.hasRest { leaveRest(waitingFor: slots) }
        }
    }

    private var mustEnd: Bool { isEnding || Task.isCancelled }

    /// Leaves days to the next sync, which follows at once, or when one of their `slots` is free.
    private func leaveRest(waitingFor slots: AsyncSemaphore) {
        if isEnding { slotsOfRest.append(slots) }
    }

    /// Applies what `answer` says of days without a usable entry.
    ///
    /// - Returns: The entries to download; `nil` to end the search, because `--keep` excludes these days and
    ///   so all older ones.
    private func entriesToDownload(of answer: EntrySearch.Answer) -> [Entry]? {
        switch answer {
        case .failure(let error, let day):
            recordFailedRequest(error)
            if let day { apply(EntryOutcome(day, error.outcome(by: feeds[day].route))) }
            return []
        case .list(let entries, let rejections, let unpublished):
            record(rejections)
            for day in unpublished {
                let route = feeds[day].route
                apply(
                    day, .unpublished.proved(by: route),
                    "\(route == .api ? "NASA" : route.name) has no entry for that day yet")
            }
            // Days are requested newest first.
            if !entries.isEmpty, entries.allSatisfy({ state.isExcluded($0.day) }) { return nil }
            return entries.filter { entry in
                if state.dates.contains(entry.day) { return true }
                apply(entry.day, .unusable, "its entry has a date in the future")
                return false
            }
        }
    }

    /// Begins the download of the claimed day of `entry`; returns what is resumed at its end, or `nil`.
    func begin(_ entry: Entry, in slot: AsyncSemaphore.Permit) -> CancellableContinuation? {
        let isExcluded = state.isExcluded(entry.day) && !state.hasFiles(entry.day)
        guard !isExcluded || state.isRemoved(entry.day) else { return nil }
        let now = synchronizer.now()
        let day = state[entry.day]
        let scope: EntryDownloader.Scope =
            isExcluded
            ? .textOnly
            : day.state.permitsDownload(at: now, retry: state.retryPolicy) ? .all : .lost
        let skipsMirrors = day.state.retry?.skipsMirrors(at: now) ?? false
        let downloader = EntryDownloader(
            synchronizer: synchronizer, entry: entry, scope: scope,
            isSuspect: day.isSuspect,
            classicMirrors: skipsMirrors ? [] : synchronizer.options.mirrors,
            slot: slot, hosts: hostFailures)
        let download = synchronizer.downloads.begin(entry.day, in: slot) {
            await downloader.update()
        }
        if download != nil { state[entry.day].work = .underWay }
        return download
    }
}
