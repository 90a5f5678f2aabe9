/// The growing delays of this program, in which a day is one entry of APOD.
extension Backoff {
    /// Between the attempts at one request.
    package static let request = Backoff(
        first: .milliseconds(500), factor: 2, longest: .seconds(2))
    /// Between syncs (rounds with NASA), after a sync that got no list of entries; a failed day alone does not count.
    package static let sync = Backoff(first: .seconds(30), factor: 2, longest: .minutes(15))
    /// For a day that failed because of the network, a server or this machine; that may end at any time.
    package static let transientDay = Backoff(first: .minutes(10), factor: 2, longest: .days(1))
    /// For a day that NASA has not published; it may be late by minutes, or by weeks.
    package static let unpublishedDay = Backoff(first: .minutes(10), factor: 3, longest: .days(30))
    /// For a day whose entry or picture cannot be used; NASA may correct it soon, or never.
    package static let unusableDay = Backoff(first: .minutes(10), factor: 3, longest: .days(60))
    /// For a day that has only a reduced copy or lacks its video, and for a file that does not fit on the disk.
    package static let partialDay = Backoff(first: .hours(1), factor: 3, longest: .days(60))
    /// For a day that was being downloaded when the program crashed, because the download may have been the cause.
    package static let unfinishedDay = Backoff(first: .days(1), factor: 1, longest: .days(1))
    /// For a day whose entry has no still image, such as a video.
    package static let dayWithoutImage = Backoff(first: .hours(6), factor: 3, longest: .days(60))
    /// Between updates of the views (gallery, feeds and others), after one that failed or could not read something.
    package static let views = Backoff(first: .minutes(1), factor: 2, longest: .hours(1))
    /// Between rounds of thumbnails, after one in which all failed, as without memory; also for a picture that cannot be read.
    package static let thumbnails = Backoff(first: .minutes(1), factor: 2, longest: .days(1))
    /// Between scans of favorites, after one in which something could not be read or written.
    package static let favorites = Backoff(first: .minutes(1), factor: 2, longest: .minutes(15))
}

/// The delays between attempts that do not grow.
package enum RetryDelay {
    /// From a sync to the next one, at least, if that is for a day that is due.
    package static let minimum = Duration.minutes(1)
    /// From a sync that a full disk ended to the next.
    package static let fullDisk = Duration.minutes(1)
    /// Until classic mirrors are requested again for a picture that they did not have.
    package static let classicMirrors = Duration.days(30)
    /// Until days that could not be downloaded, because their list of entries failed, are tried again.
    package static let failedList = Duration.minutes(10)
    /// Until a failed thumbnail, rendition or conversion is tried again; after a restart, it is tried at once.
    package static let failedPicture = Duration.days(1)
    /// Until a full disk is checked again for space for thumbnails.
    package static let thumbnailSpace = Duration.seconds(10)
    /// From a scan of `favorites/` to the next, at most, whether it failed or not.
    package static let nextFavoriteScan = Duration.hours(1)
    /// Between two scans of a directory that the kernel does not watch.
    package static let unwatchedDirectory = Duration.seconds(10)
    /// Until a file that grew while it was read is read again.
    package static let growingFile = Duration.seconds(3)
    /// Between two attempts at the lock of a mirror.
    package static let betweenLockAttempts = Duration.milliseconds(100)
}

/// How long this program waits for something that another process or a server delays.
package enum WaitLimit {
    /// For the lock of a mirror.
    package static let mirrorLock = Duration.seconds(30)
    /// For a `Retry-After` in the same attempt; after a longer one, the request fails, and so do others to that host.
    package static let retryAfterOfAttempt = Duration.seconds(30)
    /// For any `Retry-After`.
    package static let retryAfter = Duration.hours(6)
}

extension Duration {
    fileprivate static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
    fileprivate static func hours(_ count: Int) -> Duration { .minutes(60 * count) }
    fileprivate static func days(_ count: Int) -> Duration { .hours(24 * count) }
}
