internal import FoundationEssentials
internal import Mirror
internal import Platform
internal import Synchronization

/// When ``Thumbnails`` tries again a picture of which a thumbnail, rendition or conversion could not be made.
///
/// A picture is tried again after a day, or with growing delays if the disk failed. Another picture that replaces it is tried
/// at once. The times are only in memory, so that each new process tries every picture. Paths are those of the files to make.
final class FailedPictures: Sendable {
    /// The pictures that cannot be decoded, which are saved for `status`.
    let rejected: RejectedPictures
    /// The last attempt of this process to make each file, which failed.
    private let attempts = Mutex<[String: FailedAttempt]>([:])

    init(of store: Store) { rejected = RejectedPictures(of: store) }

    /// Whether the file at `path` may be made at `now` from the picture with this SHA-256.
    func mayTry(_ path: String, from sha256: String, at now: Date) -> Bool {
        guard let time = retryTime(of: path, from: sha256, at: now) else { return true }
        return time <= now
    }

    /// When the file at `path` may be made from this picture again; `nil` if this process has not failed with this picture.
    func retryTime(of path: String, from sha256: String, at now: Date) -> Date? {
        guard let attempt = attempts.withLock({ $0[path] }), attempt.sha256 == sha256 else {
            return nil
        }
        return attempt.retryTime(at: now)
    }

    /// When the next file is tried again, after `now`; `nil` if there is none.
    func nextRetry(after now: Date) -> Date? {
        attempts.withLock { $0.values.map { $0.retryTime(at: now) }.filter { $0 > now }.min() }
    }

    /// Records that the file at `path` could not be made; `sha256` is that of the picture, `nil` if it is not known.
    func record(
        _ failure: ThumbnailFailure, of path: String, from sha256: String?, at now: Date
    ) {
        // Each round may check whether a missing picture is there, because that takes little time.
        if case .noPicture = failure { return }
        if failure.affectsAllPictures { return }
        attempts.withLock { attempts in
            attempts[path] = FailedAttempt(failure, from: sha256, at: now, after: attempts[path])
        }
        guard let sha256 else { return }
        rejected.replace(path, by: failure.isCausedByPicture ? sha256 : nil)
    }

    /// Forgets the failures of the file at `path`, which has been made.
    func forget(_ path: String) {
        attempts.withLock { $0[path] = nil }
        rejected.replace(path, by: nil)
    }

    /// Forgets the attempts to make a file in `folder`, except those at `paths`, which are still missing.
    ///
    /// The others are not needed any more, as after the removal of their day, or are there: an attempt may fail after the file
    /// has got its name.
    func forgetAttempts(in folder: String, except paths: Set<String>) {
        attempts.withLock { attempts in
            attempts = attempts.filter { path, _ in
                !path.hasPrefix("\(folder)/") || paths.contains(path)
            }
        }
    }

    /// Whether a file could not be made because of the disk, and waits for the next attempt.
    var hasDiskErrors: Bool {
        attempts.withLock { $0.values.contains { $0.diskErrors > 0 } }
    }

    /// Lets the next round try again what failed because of the disk.
    func forgetDiskErrors() {
        attempts.withLock { attempts in attempts = attempts.filter { $0.value.diskErrors == 0 } }
    }
}

/// A failed attempt to make a JPEG of a picture.
private struct FailedAttempt {
    /// The SHA-256 of the picture; `nil` if its record could not be read.
    let sha256: String?
    private let time: Date
    /// The number of attempts in a row that failed because of the disk, not because of the picture.
    let diskErrors: Int

    /// `earlier` is the attempt before this one to make the same file.
    init(
        _ failure: ThumbnailFailure, from sha256: String?, at time: Date,
        after earlier: FailedAttempt?
    ) {
        self.sha256 = sha256
        self.time = time
        guard case .system = failure else {
            diskErrors = 0
            return
        }
        if let earlier, earlier.sha256 == sha256 {
            diskErrors = earlier.diskErrors + 1
        } else {
            diskErrors = 1
        }
    }

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
