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

        var isRejection: Bool { retry == nil }
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

    mutating func reject(_ day: Day, _ sha256: String, reason: String) {
        failures[day] = Failure(sha256: sha256, reason: reason, retry: nil)
    }

    mutating func postpone(_ day: Day, _ sha256: String, reason: String, at now: Date) {
        let earlier = failures[day].flatMap { $0.sha256 == sha256 ? $0.retry : nil }
        let attempts = (earlier?.attempts ?? 0).addingSaturating(1)
        let retry = Retry(attempts: min(attempts, 1000), lastAttempt: now)
        failures[day] = Failure(sha256: sha256, reason: reason, retry: retry)
    }

    mutating func forget(_ day: Day) { failures[day] = nil }
}

/// ``FailedPictures`` as stored in a file, for several tasks.
final class FailedPicturesFile: Sendable {
    private let store: Store
    private let state: Monitor<(current: FailedPictures, saved: FailedPictures)>

    static let path = "\(Layout.own)/thumbnails.json"

    /// Reads the file of `store`; a damaged one counts as empty.
    init(of store: Store) {
        self.store = store
        let found: FailedPictures? = try? store.tree.state(at: Self.path)
        let isCurrent = found?.version == FailedPictures.currentVersion
        let stored = isCurrent ? found ?? FailedPictures() : FailedPictures()
        state = Monitor((stored, stored))
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
