internal import FoundationEssentials
internal import Platform
internal import Thumbnails

/// The result of making missing thumbnails.
package struct ThumbnailSummary: Hashable, Sendable {
    /// Why no thumbnails can be made at all.
    package enum Obstacle: Hashable, Sendable {
        case noSpace
        /// The thumbnailer does not start, or the mirror cannot be read.
        case other
    }

    /// The number of thumbnails that are still missing.
    package internal(set) var missing = 0
    package internal(set) var obstacle: Obstacle?
    /// When the first failed picture is due.
    var nextRetry: Date?
    /// The reason of the first failure.
    package internal(set) var reason: String?
    private(set) var made = 0
    /// The failures to report.
    var failures: [String] = []

    mutating func record(_ thumbnail: Thumbnail) {
        guard case .failure(let failure) = thumbnail.result else {
            made += 1
            return
        }
        reason = reason ?? "\(failure)"
        switch failure {
        // Unsupported types are counted in the status, but are not a failure.
        case .cancelled, .unsupported: return
        case .system(let error) where error.isNoSpace: obstacle = .noSpace
        case .unavailable: obstacle = .other
        default: break
        }
        failures.append(failure.isAboutAll ? "\(failure)" : "\(thumbnail.day): \(failure)")
    }
}

/// Computes when missing thumbnails are retried: a pure value.
struct ThumbnailRetry {
    /// `nil` if no thumbnail is to be retried.
    private(set) var moment: ContinuousClock.Instant?
    /// Whether the disk was full: then free space is checked before anything else.
    private(set) var waitsForSpace = false
    /// The number of consecutive incomplete rounds.
    private var failures = 0

    /// How often the free space of a full disk is checked.
    private static let spaceCheckInterval = Duration.seconds(10)
    private static let backoff = Backoff(first: .seconds(10), factor: 2, longest: .seconds(3600))

    mutating func diskIsStillFull(at now: ContinuousClock.Instant) {
        moment = now + Self.spaceCheckInterval
    }

    /// Takes the result of a round; `nextRetry` is when the first failed picture is due.
    mutating func record(
        _ summary: ThumbnailSummary, nextRetry: Date?, at now: ContinuousClock.Instant,
        date: Date = Date()
    ) {
        waitsForSpace = summary.obstacle == .noSpace
        failures = summary.missing > 0 || summary.obstacle != nil ? failures + 1 : 0
        guard failures > 0 else {
            moment = nil
            return
        }
        let delay = Self.backoff.delay(after: failures)
        // Failed pictures have their own retry time, which may be earlier.
        let pictureRetry = nextRetry.map { Duration.seconds(max(60, $0.timeIntervalSince(date))) }
        moment = now + min(delay, summary.obstacle == nil ? pictureRetry ?? delay : delay)
    }
}
