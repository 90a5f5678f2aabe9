internal import APOD
internal import Platform
internal import Transfer

/// The first step of a sync: it polls NASA for the list of its newest entries, and begins to download what the list shows.
///
/// The newest day begins at once. All older days that are due form the *backlog*, which is downloaded at the same time.
extension SyncRound {
    /// Polls NASA's list of the newest entries; downloads the new and edited days in it, and all days that are due.
    func syncNewest() async {
        do throws(FeedError) {
            let poll = try await synchronizer.routes.poll(state.dates, at: synchronizer.now())
            feeds = poll.feeds
            reportFailures(of: poll)
            await downloadEntries(of: poll.list, newest: newestDay(in: poll))
        } catch {
            reportFailedPoll(error)
        }
    }

    /// Reports the routes that cannot be used, and a list whose format is not that of the configured feed.
    private func reportFailures(of poll: FeedRoutes.Poll) {
        state.recordFailureOfAPI(poll.failures[.api])
        for (route, reason) in poll.failures.sorted(by: { $0.key < $1.key }) {
            reportProblem("\(route.name) cannot be used: \(reason)")
        }
        guard let other = poll.list.entries.first(where: { !state.isOfCurrentFeed($0) })
        else { return }
        // The list is used nevertheless, because new days are better than none. It edits no day that is here.
        let url = synchronizer.client.upstream.map { "\($0)" } ?? "NASA"
        let error = FeedError.unusable(
            "\(url) answers in the format of the feed “\(other.feed.rawValue)”")
        reportFailure(Obstacle(ofRequest: error, to: synchronizer.routes.api.kind).text)
    }

    /// The newest day in the list that is not in the future.
    private func newestDay(in poll: FeedRoutes.Poll) -> Day {
        // A day in the mirror was published, even if NASA's entry of it is invalid now.
        let rejected = poll.list.rejections.compactMap(\.day).filter(state.hasFiles)
        let days = poll.list.entries.map(\.day) + rejected
        return state.dates.newest(of: days) ?? poll.feeds.newest
    }

    /// Downloads the newest entry of `list`, and at the same time the backlog with the other entries that are due or edited.
    private func downloadEntries(of list: FeedPage, newest: Day) async {
        reportFutureDays(in: list, after: newest)
        let entries = list.entries.filter { $0.day <= newest }
        state.recordPoll(newest: newest, entries: entries)
        // Views read from `state.json` which day is the newest.
        attempt { try state.saveIfNewestChanged() }
        // Claimed after the poll, because the newest day decides which days are due.
        var due = claimDueDays()
        applyRejections(list.rejections, due: due, newest: newest)
        var newestDownload: CancellableContinuation?
        if let entry = entries.first(where: { $0.day == newest }), let slot = slotForNewest() {
            let isClaimed = due.contains(newest) || state.claimUpdate(entry)
            due.removeAll { $0 == newest }
            if isClaimed { newestDownload = beginDownload(of: entry, in: slot) }
        }
        await downloadBacklog(
            due, alreadyLoaded: entries.filter { state[$0.day].work != .underWay })
        try? await newestDownload?.wait()
    }

    /// A free slot for the newest day; `nil` if an earlier newest day still has it, so that the day begins with the backlog.
    private func slotForNewest() -> AsyncSemaphore.Permit? {
        let downloads = synchronizer.downloads
        return downloads.slots.takeFreePermit() ?? downloads.slotOfNewest.takeFreePermit()
    }

    /// Applies the rejections of `due` days, and reports those of days after the `newest` one, which are never due.
    private func applyRejections(_ rejections: [EntryRejection], due: [Day], newest: Day) {
        applyRejections(
            rejections.filter { rejection in
                // A rejection without a day is reported in any case.
                guard let day = rejection.day else { return true }
                return due.contains(day)
            })
        for rejection in rejections {
            guard let day = rejection.day, day > newest else { continue }
            reportProblem("\(day): \(rejection.reason)")
        }
    }

    /// Reports the entries that have a date in the future, and a `--since` in the future.
    ///
    /// NASA's `newest` day decides, and not the clock of this machine, which may be wrong.
    private func reportFutureDays(in list: FeedPage, after newest: Day) {
        for entry in list.entries where entry.day > newest {
            reportProblem(
                "rejected the entry “\(entry.title)”: its date \(entry.day) is in the future")
        }
        if case .day(let since) = synchronizer.options.since, since > newest {
            reportProblem(
                "--since \(since): NASA's newest day is \(newest); nothing is mirrored until then")
        }
    }
}
