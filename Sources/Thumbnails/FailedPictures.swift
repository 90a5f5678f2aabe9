internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// The pictures of which no thumbnail can be made, and those whose thumbnail failed: a pure value.
struct FailedPictures: Hashable, Codable, Sendable {
    struct Failure: Hashable, Codable, Sendable {
        /// The SHA-256 of the picture: a replaced picture is tried again.
        let sha256: String
        let reason: String
        /// When the picture is retried; `nil` if no thumbnail can ever be made.
        let retry: Retry?

        /// `failure` as it is recorded at `now`: with each one of the same picture, the delay grows.
        init(_ failure: ThumbnailFailure, of sha256: String, after earlier: Failure?, at now: Date)
        {
            self.sha256 = sha256
            reason = "\(failure)"
            guard !failure.rejectsPicture else {
                retry = nil
                return
            }
            let last = earlier.flatMap { $0.sha256 == sha256 ? $0.retry : nil }
            let attempts = (last?.attempts ?? 0).addingSaturating(1)
            retry = Retry(attempts: min(attempts, 1000), lastAttempt: now)
        }

        var isRejection: Bool { retry == nil }

        /// Whether the picture may be tried again at `now`.
        func isDue(at now: Date) -> Bool { retry.map { $0.due(at: now) <= now } ?? false }
    }

    /// When a failure that may be temporary is retried.
    struct Retry: Hashable, Codable, Sendable {
        let attempts: Int
        let lastAttempt: Date

        /// At most the delay from `now`: the clock may have been ahead before.
        func due(at now: Date) -> Date {
            let delay = Backoff.thumbnail.delay(after: min(attempts, 1000))
            return lastAttempt > now ? now : lastAttempt.addingTimeInterval(delay / .seconds(1))
        }
    }

    /// Incremented with a change that may accept rejected pictures: failures of other versions are discarded.
    static let currentVersion = 3

    private(set) var version = Self.currentVersion
    private(set) var failures: [Day: Failure] = [:]

    mutating func record(
        _ failure: ThumbnailFailure, of day: Day, _ sha256: String, at now: Date
    ) {
        failures[day] = Failure(failure, of: sha256, after: failures[day], at: now)
    }

    mutating func forget(_ day: Day) { failures[day] = nil }
}

/// The renditions and conversions that failed: a pure value, which is not stored.
///
/// So the next process tries each again.
struct FailedJPEGs: Sendable {
    private struct Key: Hashable {
        let path: String
        /// Of the picture: a replaced picture is tried again.
        let sha256: String
    }

    private var failures: [Key: FailedPictures.Failure] = [:]

    /// Whether the file at `path` may be made at `now`, of the picture with this SHA-256.
    func mayMake(_ path: String, of sha256: String, at now: Date) -> Bool {
        failures[Key(path: path, sha256: sha256)]?.isDue(at: now) ?? true
    }

    /// When the file at `path` is retried; `nil` if it did not fail, or never can be made.
    func retryTime(of path: String, _ sha256: String, at now: Date) -> Date? {
        failures[Key(path: path, sha256: sha256)]?.retry?.due(at: now)
    }

    /// When the first retry after `start` is due, of all files but that at `path`; `nil` if there is none.
    ///
    /// What was due at `start` was tried since then, or is not needed any more.
    func firstRetry(after start: Date, except path: String, at now: Date) -> Date? {
        failures.filter { $0.key.path != path }.values
            .compactMap { $0.retry?.due(at: now) }.filter { $0 > start }.min()
    }

    /// Records when the file at `path` is retried, after each failure but a cancellation and `.noPicture`.
    ///
    /// The latter takes no time to repeat, and the repair of the picture is a change of the tree.
    mutating func record(
        _ failure: ThumbnailFailure, of path: String, _ sha256: String, at now: Date
    ) {
        switch failure {
        case .cancelled, .noPicture: return
        case .rejected, .unsupported, .crashed, .unavailable, .failed, .system: break
        }
        let key = Key(path: path, sha256: sha256)
        failures[key] = FailedPictures.Failure(
            failure, of: sha256, after: failures[key], at: now)
    }

    mutating func forget(_ path: String, _ sha256: String) {
        failures[Key(path: path, sha256: sha256)] = nil
    }
}

/// ``FailedPictures`` as stored in a file, for several tasks.
final class FailedPicturesFile: Sendable {
    private let store: Store
    private let state: SharedValue<(current: FailedPictures, saved: FailedPictures)>

    static let path = "\(Layout.own)/thumbnails.json"

    /// Reads the file of `store`; a damaged one counts as empty.
    init(of store: Store) {
        self.store = store
        let found: FailedPictures? = try? store.tree.state(at: Self.path)
        let isCurrent = found?.version == FailedPictures.currentVersion
        let stored = isCurrent ? found ?? FailedPictures() : FailedPictures()
        state = SharedValue((stored, stored))
    }

    var failures: [Day: FailedPictures.Failure] { state.withLock { $0.current.failures } }

    func update(_ change: (inout FailedPictures) -> Void) {
        state.withLock { change(&$0.current) }
    }

    /// Writes the file if there are changes.
    func save() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard state.current != state.saved else { return }
            try store.write(state.current, to: Self.path)
            state.saved = state.current
        }
    }
}
