internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Synchronization

/// The pictures of which a thumbnail, rendition or conversion could not be made.
///
/// A picture is tried again once a day, or sooner if the disk failed or on request, and by each new process. If another
/// picture replaces it, that is tried at once. The list of failures is on the disk, for `status`; the times of attempts are
/// only in memory.
final class FailedPictures: Sendable {
    private struct SavedFailure: Hashable, Codable {
        /// The SHA-256 of the picture.
        let sha256: String
        let reason: String
        /// Whether the picture itself is the cause.
        let isRejection: Bool
    }

    /// The failures by the path of the file that was not made, such as that of a thumbnail.
    private struct FailureList {
        var current: [String: SavedFailure]
        /// The contents of the list on the disk.
        var saved: [String: SavedFailure]
    }

    /// The last attempt of this process to make a file, which failed.
    private struct Attempt {
        /// The SHA-256 of the picture; `nil` if its record could not be read.
        let sha256: String?
        let time: Date
        /// The number of attempts in a row that failed because of the disk, not because of the picture.
        let diskErrors: Int

        /// When the next attempt is due, as seen from `now`, which shows whether the clock has been set back.
        func retryTime(at now: Date) -> Date {
            // The attempt seems to be in the future: the clock has been set back, and no delay can be computed.
            guard time <= now else { return now }
            let delay =
                diskErrors > 0
                ? Backoff.thumbnails.delay(after: diskErrors) : RetryDelay.failedPicture
            return time.addingTimeInterval(delay / .seconds(1))
        }
    }

    private struct State {
        /// `nil` until the list on the disk is read.
        var failures: FailureList?
        /// The attempts by the path of the file that was not made.
        var attempts: [String: Attempt] = [:]
    }

    private let store: Store
    private let state = Mutex(State())

    init(of store: Store) { self.store = store }

    /// Calls `body` with the failures; the first call reads the list, and a damaged list counts as empty.
    ///
    /// - Throws: The error of `body`, or of reading the list; the next call then reads it again.
    private func withFailures<Result: Sendable>(
        _ body: (inout FailureList) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        try state.withLock { state throws(SystemError) in
            var failures: FailureList
            if let read = state.failures {
                failures = read
            } else {
                let saved: [String: SavedFailure] =
                    try store.tree.state(at: Layout.failedPictures) ?? [:]
                failures = FailureList(current: saved, saved: saved)
            }
            defer { state.failures = failures }
            return try body(&failures)
        }
    }

    /// The SHA-256 of each rejected picture, by the path of the file that was not made; empty if the list is unreadable.
    var rejections: [String: String] {
        let rejections = try? withFailures { failures in
            failures.current.filter(\.value.isRejection).mapValues(\.sha256)
        }
        return rejections ?? [:]
    }

    /// Whether the file at `path` may be made at `now` from the picture with this SHA-256.
    func mayTry(_ path: String, from sha256: String, at now: Date) -> Bool {
        retryTime(of: path, from: sha256, at: now).map { $0 <= now } ?? true
    }

    /// When the file at `path` may be made from this picture again; `nil` if this process has not failed with this picture.
    func retryTime(of path: String, from sha256: String, at now: Date) -> Date? {
        guard let attempt = state.withLock({ $0.attempts[path] }), attempt.sha256 == sha256 else {
            return nil
        }
        return attempt.retryTime(at: now)
    }

    /// When the next file is tried again, after `now`; `nil` if there is none.
    func nextRetry(after now: Date) -> Date? {
        state.withLock {
            $0.attempts.values.map { $0.retryTime(at: now) }.filter { $0 > now }.min()
        }
    }

    /// Records that the file at `path` could not be made; `sha256` is that of the picture, `nil` if it is not known.
    ///
    /// Two failures are not recorded: one that affects all pictures, and a missing picture, because to look for it again costs
    /// no time.
    func record(
        _ failure: ThumbnailFailure, of path: String, from sha256: String?, at now: Date
    ) {
        if case .noPicture = failure { return }
        if failure.affectsAllPictures { return }
        state.withLock { state in
            var diskErrors = 0
            if case .system = failure {
                let earlier = state.attempts[path]
                let isSamePicture = earlier?.sha256 == sha256
                diskErrors = 1 + (isSamePicture ? earlier?.diskErrors ?? 0 : 0)
            }
            state.attempts[path] = Attempt(sha256: sha256, time: now, diskErrors: diskErrors)
        }
        guard let sha256 else { return }
        let entry = SavedFailure(
            sha256: sha256, reason: "\(failure)", isRejection: failure.isCausedByPicture)
        // If the list cannot be read, the failure is recorded after the next attempt, which will fail in the same way.
        try? withFailures { $0.current[path] = entry }
    }

    /// Whether a file could not be made because of the disk, and waits for the next attempt.
    var hasDiskErrors: Bool {
        state.withLock { $0.attempts.values.contains { $0.diskErrors > 0 } }
    }

    /// Lets the next round try again what failed because of the disk.
    func forgetDiskErrors() {
        state.withLock { state in
            state.attempts = state.attempts.filter { $0.value.diskErrors == 0 }
        }
    }

    /// Forgets the attempts to make a file in `folder`, except those at `paths`, which are still missing.
    ///
    /// The others are not needed any more, as after the removal of their day, or are there: an attempt may fail after the file
    /// has got its name.
    func forgetAttempts(in folder: String, except paths: Set<String>) {
        state.withLock { state in
            state.attempts = state.attempts.filter { path, _ in
                !path.hasPrefix("\(folder)/") || paths.contains(path)
            }
        }
    }

    /// Forgets the failures of the file at `path`, which has been made.
    func forget(_ path: String) {
        state.withLock { $0.attempts[path] = nil }
        // If the list cannot be read, it keeps the failure, which does not matter once the file is there.
        try? withFailures { $0.current[path] = nil }
    }

    /// Writes the list if it has changed.
    func save() throws(SystemError) {
        try withFailures { failures throws(SystemError) in
            guard failures.current != failures.saved else { return }
            try store.write(failures.current, to: Layout.failedPictures)
            failures.saved = failures.current
        }
    }
}
