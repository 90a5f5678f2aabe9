package import APOD
internal import Favorites
package import FoundationEssentials
package import Mirror
internal import Platform
package import Thumbnails

/// What there is to know of a mirror from outside, also while a daemon keeps it.
package struct StatusReport: Sendable {
    /// A day without a picture: one that is missing, or for which NASA published none.
    package struct Missing: Hashable, Sendable {
        package let day: Day
        /// `nil` where it was not asked for yet.
        package let cause: RetryState.Cause?
        package let reason: String
        package let attempts: Int
        package let next: Date?

        init(_ day: Day, _ pending: RetryState?) {
            self.day = day
            cause = pending?.cause
            reason = pending?.reason ?? "not looked for yet"
            attempts = pending?.attempts ?? 0
            next = pending?.next
        }
    }

    /// Of all days since 1995, whether they are wanted now or were wanted once.
    package struct Total: Hashable, Sendable {
        package let complete: Int
        /// Newest first.
        package let missing: [Missing]
        /// Newest first.
        package let withoutPicture: [Missing]
    }

    package let root: String
    /// The newest day that is had.
    package let newest: Day?
    package let state: SyncState
    /// This user may not read the state: which days are wanted and missing is not known.
    package let isStateHidden: Bool
    package let wanted: Int
    package let complete: Int
    /// Newest first.
    package let missing: [Missing]
    /// Wanted days for which NASA published no picture, newest first.
    package let withoutPicture: [Missing]
    /// Of the whole mirror.
    package let total: Total
    /// How many favorites there are in each state, `kept`, `held` and `wanted`.
    package let favorites: [String: Int]
    /// Things in `favorites/` that mean no day.
    package let notUnderstood: Int
    package let thumbnails: ThumbnailCount
    /// Of pictures, videos and records.
    package let bytes: Int
    package let freeBytes: Int
    /// The process that keeps the mirror.
    package let running: Int32?
    /// What the last process to keep it said of itself.
    let vitals: MetricsSnapshot?
    package let now: Date

    /// Looks at `tree` as it is at `now`.
    package init(
        of tree: Tree, now: Date = Date(), built: Date = PlausibleDates.builtDate
    ) throws {
        var state = try Store(reading: tree).state()
        let complete = try TreeIndex(of: tree).complete
        let dates = Store(reading: tree).plausibleDates(state, complete, at: now, built: built)
        if let newest = state.newest, !dates.contains(newest) {
            state.newest = complete.filter(dates.contains).max()
        }
        let wanted = state.newest.flatMap { state.since.range(newest: $0) }.map(Array.init) ?? []
        let published = wanted.filter { !Day.neverPublished.contains($0) }
        root = tree.root.path
        newest = state.newest(of: complete, dates)
        self.state = state
        isStateHidden = tree.hidesState
        self.wanted = published.count
        self.complete = published.count { complete.contains($0) }
        total = Total(state, complete: complete, wanted: published)
        let window = Set(published)
        missing = total.missing.filter { window.contains($0.day) }
        withoutPicture = total.withoutPicture.filter { window.contains($0.day) }
        let list = try FavoriteCommands(tree: tree, isWriter: false).list()
        favorites = Dictionary(list.entries.map { ($0.state.rawValue, 1) }, uniquingKeysWith: +)
        notUnderstood = list.unrecognized.count
        thumbnails = try Thumbnails(store: Store(reading: tree)).count()
        bytes = TreeIndex.bytes(of: tree)
        freeBytes = try tree.root.freeBytes()
        running = tree.writer
        vitals = MetricsSnapshot.read(from: tree)
        self.now = now
    }

    /// Seconds since the newest day that is had began in Greenwich.
    package var newestAge: Int? {
        newest.map { Int(now.timeIntervalSince1970) - $0.number * 86_400 }
    }

    /// What it all comes to.
    package enum Health: String, Hashable, Sendable {
        case ok
        /// Days are missing, or nobody knows which, because NASA was never reached.
        case missing
        /// See ``isStale``.
        case stale
    }

    package var health: Health {
        if isStale { return .stale }
        return missing.isEmpty && lastSuccess != nil && !isStateHidden ? .ok : .missing
    }

    /// Whether the newest day is older than two days though NASA is not silent.
    package var isStale: Bool {
        guard let fresh, Int(now.timeIntervalSince1970) - fresh.number * 86_400 > 2 * 86_400 else {
            return false
        }
        return !isNASASilent(since: fresh)
    }

    /// The newest day of which there is no more to be had, be it a video without a still picture.
    private var fresh: Day? {
        let videos = state.pending.filter { $0.value.cause == .noImage }.keys
        return ([newest].compactMap(\.self) + videos).filter { $0 <= state.newest ?? .last }.max()
    }

    /// Whether NASA was heard within a day, and had nothing newer to give.
    private func isNASASilent(since day: Day) -> Bool {
        guard let lastSuccess, let published = state.newest else {
            return false
        }
        // A moment that is yet to come was written by a clock that was wrong.
        return abs(now.timeIntervalSince(lastSuccess)) < 86_400 && published <= day
    }

    /// When NASA was last reached; the daemon knows better than what is written down now and then.
    package var lastSuccess: Date? {
        // What is still to come was written by a clock that was wrong.
        [state.lastSuccess, vitals?.lastSuccess].compactMap(\.self).filter { $0 <= now }.max()
            ?? state.lastSuccess
    }

    // MARK: The daemon

    /// What the running daemon says of itself, `nil` where none runs.
    private var live: MetricsSnapshot? { vitals.flatMap { $0.process == running ? $0 : nil } }

    /// How it notices what is dropped into `favorites/`.
    package var watcher: MetricsSnapshot.Watcher? { live?.watcher }
    /// Why it polls, and what to do about it.
    package var watcherReason: String? { live?.reason }
    /// When it looks at NASA next.
    package var nextLook: Date? { live?.nextLook }
}

extension StatusReport.Total {
    init(_ state: SyncState, complete: Set<Day>, wanted: [Day]) {
        self.complete = complete.count
        let others = Set(wanted).union(state.pending.keys).subtracting(complete)
        let days = others.sorted(by: >).map { StatusReport.Missing($0, state.pending[$0]) }
        let isWithoutPicture = { (day: StatusReport.Missing) in
            state.pending[day.day]?.hasNoPicture ?? false
        }
        missing = days.filter { !isWithoutPicture($0) }
        withoutPicture = days.filter(isWithoutPicture)
    }
}
