/// Growing delays between attempts.
package struct Backoff: Hashable, Sendable {
    private let first: Duration
    private let factor: Int
    private let longest: Duration

    /// Each delay is the one before times `factor`, up to `longest`.
    package init(first: Duration, factor: Int, longest: Duration) {
        self.first = first
        self.factor = factor
        self.longest = longest
    }

    /// The delay after so many failures in a row, at least one.
    package func delay(after failures: Int) -> Duration {
        var delay = first
        for _ in 1..<max(failures, 1) where delay < longest { delay *= factor }
        return min(delay, longest)
    }

    /// The delay that follows `earlier`.
    package func delay(following earlier: Duration) -> Duration { limited(earlier * factor) }

    /// `delay` within the first and the longest one.
    package func limited(_ delay: Duration) -> Duration { max(first, min(delay, longest)) }
}

// All delays until something that failed is tried again.
extension Backoff {
    /// The three repetitions of a request, each after half of this or more at random.
    package static let request = Backoff(
        first: .milliseconds(500), factor: 2, longest: .seconds(2))

    /// The longest `Retry-After` that a request waits for; after a longer one the host is left alone.
    package static let longestRetryAfterToWait = Duration.seconds(30)

    /// The longest time for which a `Retry-After` is obeyed.
    package static let longestRetryAfter = Duration.minutes(6 * 60)

    /// A sync after one whose requests failed, other than those of single days.
    package static let sync = Backoff(first: .seconds(30), factor: 2, longest: .minutes(15))

    /// A sync for a day that is due; a round of thumbnails for a picture that is due.
    package static let soonest = Duration.minutes(1)

    /// A day after a failure of the network, of NASA's servers or of this machine.
    package static let transientDay = Backoff(first: .minutes(10), factor: 2, longest: .days(1))

    /// A day that NASA has not published.
    package static let unpublishedDay = Backoff(first: .minutes(10), factor: 3, longest: .days(30))

    /// A day whose entry, picture or still image cannot be used, or that NASA lost.
    package static let unusableDay = Backoff(first: .minutes(10), factor: 3, longest: .days(60))

    /// A day of which a file is missing or lesser.
    package static let partialDay = Backoff(first: .minutes(60), factor: 3, longest: .days(60))

    /// A day whose entry has no still image, such as a video.
    package static let dayWithoutImage = Backoff(
        first: .minutes(6 * 60), factor: 3, longest: .days(60))

    /// Classic mirrors, for a picture that they did not have.
    package static let mirrors = Duration.days(30)

    /// The thumbnail of one picture.
    package static let thumbnail = Backoff(first: .minutes(1), factor: 4, longest: .days(1))

    /// A round that left thumbnails missing.
    package static let thumbnailRound = Backoff(
        first: .seconds(10), factor: 2, longest: .minutes(60))

    /// The days of a list that failed.
    package static let list = Duration.minutes(10)

    /// A sync after one that a full disk ended.
    package static let fullDisk = Duration.minutes(1)

    /// The space for thumbnails on a full disk.
    package static let thumbnailSpace = Duration.seconds(10)

    /// A view that could not be brought up to date.
    package static let view = Duration.minutes(1)

    /// A scan of favorites that failed, or what it could not do for an item.
    package static let favorites = Duration.minutes(1)
}

extension Duration {
    fileprivate static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }

    fileprivate static func days(_ count: Int) -> Duration { .minutes(24 * 60 * count) }
}
