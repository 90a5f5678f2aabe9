internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Synchronization

/// The pictures of which a thumbnail, rendition or conversion could not be made.
///
/// One rule: a picture is tried again by the next process, and once a day; another picture in its place at once. The file is
/// for `status`; what this process tried is known to it alone.
final class FailedPictures: Sendable {
    struct Failure: Hashable, Codable {
        /// Of the picture.
        let sha256: String
        let reason: String
        /// Whether the picture itself is the cause.
        let isRejection: Bool
    }

    private struct State {
        /// By the path of the file that was not made: at most three a day of the archive.
        var failures: [String: Failure]
        var saved: [String: Failure]
        /// When this process tried to make it.
        var attempts: [String: Date] = [:]
    }

    private let store: Store
    private let state: Mutex<State>

    /// Reads the file of `store`; a damaged one counts as empty.
    init(of store: Store) {
        self.store = store
        let failures = (try? store.tree.state(at: Layout.failedPictures)) ?? [String: Failure]()
        state = Mutex(State(failures: failures, saved: failures))
    }

    /// Why the file at `path` could not be made, of the picture of now or of an earlier one; `nil` if it was not tried.
    func failure(of path: String) -> Failure? { state.withLock { $0.failures[path] } }

    /// The SHA-256 of the pictures of which no file can be made, by the path of that file.
    var rejections: [String: String] {
        state.withLock { $0.failures.filter(\.value.isRejection).mapValues(\.sha256) }
    }

    /// Whether the file at `path` may be made of the picture with this SHA-256 at `now`.
    func mayTry(_ path: String, of sha256: String, at now: Date) -> Bool {
        retryTime(of: path, sha256, at: now).map { $0 <= now } ?? true
    }

    /// When the file at `path` is tried again; `nil` if this process has not tried it.
    func retryTime(of path: String, _ sha256: String, at now: Date) -> Date? {
        guard failure(of: path)?.sha256 == sha256,
            let attempt = state.withLock({ $0.attempts[path] })
        else { return nil }
        // The clock may have been ahead.
        guard attempt <= now else { return now }
        return attempt.addingTimeInterval(RetryDelay.failedPicture / .seconds(1))
    }

    /// Records a failure, unless the next attempt costs nothing or every picture has it.
    func record(_ failure: ThumbnailFailure, of path: String, _ sha256: String, at now: Date) {
        if case .noPicture = failure { return }
        guard !failure.affectsAllPictures else { return }
        state.withLock {
            $0.failures[path] = Failure(
                sha256: sha256, reason: "\(failure)", isRejection: failure.rejectsPicture)
            $0.attempts[path] = now
        }
    }

    func forget(_ path: String) {
        state.withLock {
            $0.failures[path] = nil
            $0.attempts[path] = nil
        }
    }

    /// Writes the file if there are changes.
    func save() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard state.failures != state.saved else { return }
            try store.write(state.failures, to: Layout.failedPictures)
            state.saved = state.failures
        }
    }
}
