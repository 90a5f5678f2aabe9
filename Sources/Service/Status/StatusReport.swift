package import APOD
internal import CommandLine
internal import Favorites
package import FoundationEssentials
package import Maintenance
package import Mirror
internal import Platform
package import Thumbnails
package import Transfer

/// The status of a mirror, read from its files, also while a daemon runs.
package struct StatusReport: Sendable {
    /// A day without a picture: one that is missing, or for which NASA published none.
    package struct Missing: Hashable, Sendable {
        package let day: Day
        /// `nil` if it was not tried yet.
        let retry: RetryState?

        package var cause: RetryState.Cause? { retry?.cause }
        package var reason: String { retry?.reason ?? "not tried yet" }
        package var attempts: Int { retry?.attempts ?? 0 }
        package var next: Date? { retry?.next }
    }

    /// The numbers for all days: wanted ones, favorites, and older ones that are here.
    package struct Total: Hashable, Sendable {
        package let complete: Int
        /// Newest first.
        package let missing: [Missing]
        /// Newest first.
        package let withoutPicture: [Missing]

        init(_ state: SyncState, complete: Set<Day>, wanted: [Day]) {
            self.complete = complete.count
            let others = Set(wanted).union(state.retries.keys).subtracting(complete)
            let days = others.sorted(by: >).map {
                Missing(day: $0, retry: state.retries[$0])
            }
            missing = days.filter { $0.retry?.hasNoPicture != true }
            withoutPicture = days.filter { $0.retry?.hasNoPicture == true }
        }
    }

    package let root: String
    /// The newest complete day.
    package let newest: Day?
    package let state: SyncState
    package let wanted: Int
    package let complete: Int
    /// Newest first.
    package let missing: [Missing]
    /// Wanted days for which NASA published no picture, newest first.
    package let withoutPicture: [Missing]
    /// Of the whole mirror.
    package let total: Total
    /// The number of favorites in each state: `kept`, `held` and `wanted`.
    package let favorites: [String: Int]
    /// The number of items in `favorites/` that refer to no day.
    package let unrecognized: Int
    package let thumbnails: ThumbnailCount
    /// Of pictures, videos and records.
    package let bytes: Int
    /// The number of days whose picture retention removed.
    package let removed: Int
    /// Of the trash.
    package let trashBytes: Int
    package let freeBytes: Int
    /// The running daemon.
    package let running: Int32?
    package let verification: VerifyState
    /// What the last daemon wrote; it may still run.
    let lastDaemon: MetricsSnapshot?
    package let now: Date

    /// `days` is the snapshot of `tree`, if there is one already; `built` is when this program was built.
    package init(
        of tree: Tree, days snapshot: TreeSnapshot? = nil, now: Date = Date(),
        built: Date = PlausibleDates.builtDate
    ) throws {
        try tree.checkStateIsReadable()
        let store = Store(reading: tree)
        var state = try store.state()
        let snapshot = try snapshot ?? TreeSnapshot(of: tree.root)
        let complete = try store.completeDays(snapshot)
        let dates = store.plausibleDates(state, complete, at: now, built: built)
        // A wrong clock or a wrong entry may have recorded a day in the future.
        if let newest = state.newest, !dates.contains(newest) {
            state.newest = state.newest(of: complete, dates)
        }
        let wanted = state.range.map(Array.init) ?? []
        let published = wanted.filter { !Day.neverPublished.contains($0) }
        root = tree.root.path
        newest = state.newest(of: complete, dates)
        self.state = state
        self.wanted = published.count
        self.complete = published.count { complete.contains($0) }
        total = Total(state, complete: complete, wanted: published)
        let wantedDays = Set(published)
        missing = total.missing.filter { wantedDays.contains($0.day) }
        withoutPicture = total.withoutPicture.filter { wantedDays.contains($0.day) }
        let list = try FavoriteCommands(tree: tree, isWriter: false).list()
        favorites = Dictionary(list.entries.map { ($0.state.rawValue, 1) }, uniquingKeysWith: +)
        unrecognized = list.unrecognizedCount
        thumbnails = try Thumbnails(store: store).count(in: snapshot, complete: complete)
        bytes = snapshot.bytes
        removed = store.removedDays(in: snapshot, complete: complete).count
        trashBytes = (try? store.trashBytes()) ?? 0
        freeBytes = try tree.root.freeBytes()
        running = tree.writer
        lastDaemon = MetricsSnapshot.read(from: tree)
        verification = VerifyState.read(from: tree)
        self.now = now
    }

    /// Seconds since the start of the newest complete day in UTC.
    package var newestAge: Int? {
        newest.map { Int(now.timeIntervalSince1970) - $0.number * 86_400 }
    }

    package enum Health: String, Hashable, Sendable {
        case ok
        /// Days are missing, or unknown because NASA was never reached.
        case missing
        /// Files are damaged and not repaired yet.
        case damaged
        /// See ``isStale``.
        case stale
    }

    package var health: Health {
        if isStale { return .stale }
        if !verification.damage.isEmpty { return .damaged }
        return missing.isEmpty && lastSuccess != nil ? .ok : .missing
    }

    /// Whether the newest day is older than two days, and NASA published newer ones or was not reached for a day.
    package var isStale: Bool {
        guard let newestFinished,
            Int(now.timeIntervalSince1970) - newestFinished.number * 86_400 > 2 * 86_400
        else {
            return false
        }
        return !isNewestAtNASA(newestFinished)
    }

    /// The newest day that is complete or a video without a still image.
    private var newestFinished: Day? {
        let videos = state.retries.filter(\.value.cause.isWithoutStill).keys
        return ([newest].compactMap(\.self) + videos).filter { $0 <= state.newest ?? .last }.max()
    }

    /// Whether NASA was reached within a day, and is not known to have published anything newer than `day`.
    private func isNewestAtNASA(_ day: Day) -> Bool {
        guard let lastSuccess else { return false }
        // A time in the future was written by a wrong clock.
        return abs(now.timeIntervalSince(lastSuccess)) < 86_400 && state.newest ?? day <= day
    }

    /// When NASA was last reached; a running daemon knows a later time than the state.
    package var lastSuccess: Date? {
        // A time in the future was written by a wrong clock.
        [state.lastSuccess, lastDaemon?.lastSuccess].compactMap(\.self).filter { $0 <= now }.max()
            ?? state.lastSuccess
    }

    // MARK: The daemon

    /// The settings of the last process that wrote the mirror, as they were typed, by option.
    package var settings: [String: String] { lastDaemon?.settings ?? [:] }

    /// What to do about a mirror that is set to NASA's old API, or to another one of that kind that fails.
    package var feedAdvice: String? {
        let upstream = settings[Settings.upstream.option.name].flatMap { try? WebURL($0) }
        let named = settings[Settings.feed.option.name].flatMap(FeedKind.init)
        let isFailing = upstream.map(\.isNASA) ?? true || state.lastError != nil
        return isFailing ? (named ?? upstream.map(FeedKind.init))?.advice : nil
    }

    /// What the running daemon wrote; `nil` if none runs.
    private var runningDaemon: MetricsSnapshot? {
        lastDaemon.flatMap { $0.process == running ? $0 : nil }
    }

    /// How it detects changes of `favorites/`.
    package var watcher: MetricsSnapshot.Watcher? { runningDaemon?.watcher }
    /// Why it polls, and how to change that.
    package var watcherReason: String? { runningDaemon?.reason }
    package var nextSync: Date? { runningDaemon?.nextSync }
    /// The limit of its downloads.
    package var bandwidth: Bandwidth? {
        runningDaemon?.settings[Settings.limitRate.option.name].flatMap(Bandwidth.bytesPerSecond)
            .flatMap(Bandwidth.init)
    }
}
