internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Synchronization

/// The pictures of which a thumbnail, rendition or conversion could not be made.
///
/// A picture is tried again by the next process, and once a day; sooner if the disk failed. Another picture of the same day
/// is tried at once. The list on the disk is for `status`; the times of attempts are only in memory.
final class FailedPictures: Sendable {
    struct Failure: Hashable, Codable {
        /// The SHA-256 of the picture.
        let sha256: String
        let reason: String
        /// Whether the picture itself is the cause.
        let isRejection: Bool
    }

    /// By the path of the file that was not made.
    private struct Failures {
        var known: [String: Failure]
        /// The contents of the list on the disk.
        var saved: [String: Failure]
    }

    /// The last attempt of this process to make a file.
    private struct Attempt {
        /// The SHA-256 of the picture; `nil` if its record could not be read.
        let sha256: String?
        let at: Date
        /// How many attempts in a row failed because of the disk, not because of the picture.
        let diskErrors: Int

        func retryTime(at now: Date) -> Date {
            // The clock may have been ahead.
            guard at <= now else { return now }
            let delay =
                diskErrors > 0
                ? Backoff.thumbnails.delay(after: diskErrors) : RetryDelay.failedPicture
            return at.addingTimeInterval(delay / .seconds(1))
        }
    }

    private struct State {
        /// `nil` until the list on the disk is read.
        var failures: Failures?
        /// By the path of the file that was not made.
        var attempts: [String: Attempt] = [:]
    }

    private let store: Store
    private let state = Mutex(State())

    init(of store: Store) { self.store = store }

    /// Calls `body` with the failures, which the first call reads; a damaged list counts as empty.
    ///
    /// - Throws: The error of `body`, or the error of reading the list, which the next call tries again.
    private func withFailures<Result: Sendable>(
        _ body: (inout Failures) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        try state.withLock { state throws(SystemError) in
            var failures: Failures
            if let read = state.failures {
                failures = read
            } else {
                let saved: [String: Failure] =
                    try store.tree.state(at: Layout.failedPictures) ?? [:]
                failures = Failures(known: saved, saved: saved)
            }
            defer { state.failures = failures }
            return try body(&failures)
        }
    }

    /// The SHA-256 of each picture of which no file can be made, by the path of that file; empty if the list cannot be read.
    var rejections: [String: String] {
        let rejections = try? withFailures { failures in
            failures.known.filter(\.value.isRejection).mapValues(\.sha256)
        }
        return rejections ?? [:]
    }

    /// Whether the file at `path` may be made of the picture with this SHA-256 at `now`.
    func mayTry(_ path: String, of sha256: String, at now: Date) -> Bool {
        retryTime(of: path, sha256, at: now).map { $0 <= now } ?? true
    }

    /// When the file at `path` is tried again; `nil` if this process has not tried this picture.
    func retryTime(of path: String, _ sha256: String, at now: Date) -> Date? {
        guard let attempt = state.withLock({ $0.attempts[path] }), attempt.sha256 == sha256 else {
            return nil
        }
        return attempt.retryTime(at: now)
    }

    /// When the first file is tried again; `nil` if none is after `now`.
    func nextRetry(after now: Date) -> Date? {
        state.withLock {
            $0.attempts.values.map { $0.retryTime(at: now) }.filter { $0 > now }.min()
        }
    }

    /// Records a failure, unless the next attempt costs nothing or all pictures fail.
    func record(_ failure: ThumbnailFailure, of path: String, _ sha256: String?, at now: Date) {
        if case .noPicture = failure { return }
        guard !failure.affectsAllPictures else { return }
        state.withLock { state in
            let earlier = state.attempts[path]
            let errorsBefore = earlier?.sha256 == sha256 ? earlier?.diskErrors ?? 0 : 0
            let errors = if case .system = failure { errorsBefore + 1 } else { 0 }
            state.attempts[path] = Attempt(sha256: sha256, at: now, diskErrors: errors)
        }
        guard let sha256 else { return }
        set(
            Failure(
                sha256: sha256, reason: "\(failure)", isRejection: failure.rejectsPicture), path)
    }

    /// Forgets all failures of the file at `path`, which was made.
    func forget(_ path: String) {
        state.withLock { $0.attempts[path] = nil }
        set(nil, path)
    }

    /// Remembers a failure, or `nil` for none; if the list cannot be read, the next attempt will fail in the same way.
    private func set(_ failure: Failure?, _ path: String) {
        try? withFailures { $0.known[path] = failure }
    }

    /// Writes the list if there are changes.
    func save() throws(SystemError) {
        try withFailures { failures throws(SystemError) in
            guard failures.known != failures.saved else { return }
            try store.write(failures.known, to: Layout.failedPictures)
            failures.saved = failures.known
        }
    }
}
