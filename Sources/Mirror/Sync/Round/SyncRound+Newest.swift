internal import APOD
internal import Platform
internal import Transfer

/// The poll of a sync: NASA's list of the newest entries, and the days that it has.
extension SyncRound {
    /// Polls NASA's list of the newest entries, and downloads what is new in it, and the days that are due.
    func syncNewest() async {
        do throws(FeedError) {
            let (list, newest) = try await newestList()
            await download(list, newest: newest)
        } catch {
            reportObstacle(error)
        }
    }

    /// The list of NASA's newest entries, and the newest day in it that is not in the future.
    private func newestList() async throws(FeedError) -> (FeedPage, Day) {
        let poll = try await synchronizer.routes.poll(state.dates, at: synchronizer.now())
        let list = poll.list
        feeds = poll.feeds
        state.recordFailureOfAPI(poll.failures[.api])
        for (route, reason) in poll.failures.sorted(by: { $0.key < $1.key }) {
            reportProblem("\(route.name) cannot be used: \(reason)")
        }
        if let other = list.entries.first(where: { !state.isOfCurrentFeed($0) }) {
            // The list is used nevertheless: new days are better than none, and it edits no day that is here.
            let url = synchronizer.client.upstream.map { "\($0)" } ?? "NASA"
            let failure = Obstacle(
                ofRequest: .unusable(
                    "\(url) answers in the format of the feed “\(other.feed.rawValue)”"),
                to: synchronizer.routes.api.kind)
            reportFailure(failure.text)
        }
        // A day that is here was published, whatever NASA serves for it now.
        let rejected = list.rejections.compactMap(\.day).filter(state.hasFiles)
        return (
            list, state.dates.newest(of: list.entries.map(\.day) + rejected) ?? poll.newest
        )
    }

    /// Downloads the newest entry and, concurrently, what else of `list` is due or edited.
    private func download(_ list: FeedPage, newest: Day) async {
        for entry in list.entries where entry.day > newest {
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
        let entries = list.entries.filter { $0.day <= newest }
        state.recordPoll(newest: newest, entries: entries)
        // Only NASA knows which day is its newest: the clock of this machine may be wrong.
        if case .day(let day) = synchronizer.options.since, day > newest {
            reportProblem(
                "--since \(day): NASA's newest day is \(newest); nothing is mirrored until then")
        }
        // Views show what is newest by the stored state.
        attempt { try state.saveIfNewestChanged() }
        // Which days are due depends on the newest one.
        var due = claimDueDays()
        record(list.rejections.filter { $0.day.map(due.contains) ?? true })
        for rejection in list.rejections {
            // The day is not due before NASA has an entry of it.
            if let day = rejection.day, day > newest {
                reportProblem("\(day): \(rejection.reason)")
            }
        }
        let downloads = synchronizer.downloads
        var download: CancellableContinuation?
        // Without a slot, as an earlier newest day comes slowly, it is the first of the others.
        if let entry = entries.first(where: { $0.day == newest }),
            let slot = downloads.slots.freePermit() ?? downloads.slotOfNewest.freePermit()
        {
            let isClaimed = due.contains(newest) || state.claimUpdate(entry)
            due.removeAll { $0 == newest }
            download = isClaimed ? begin(entry, in: slot) : nil
            // The others may need it: with one job there is no other.
            if download == nil { slot.release() }
        }
        await downloadBacklog(
            due, alreadyLoaded: entries.filter { state[$0.day].work != .underWay })
        try? await download?.wait()
    }
}
