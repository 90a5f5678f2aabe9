internal import FoundationEssentials
internal import Platform
internal import Thumbnails

/// What a look for missing thumbnails came to.
package struct ThumbnailLook: Hashable, Sendable {
    /// What keeps all thumbnails from being made.
    package enum Obstacle: Hashable, Sendable {
        case noSpace
        /// The program that decodes is not installed, or does not start.
        case unavailable
        case failed(String)
    }

    /// How many are still to be made.
    package internal(set) var missing = 0
    package internal(set) var obstacle: Obstacle?
    /// Why the first that could not be made was not.
    package internal(set) var reason: String?

    mutating func take(_ thumbnail: Thumbnail) {
        if case .failure(let failure) = thumbnail.result { reason = reason ?? "\(failure)" }
        switch thumbnail.result {
        case .failure(.system(let error)) where error.isNoSpace: obstacle = .noSpace
        case .failure(.unavailable): obstacle = .unavailable
        default: break
        }
    }
}

/// When thumbnails that are missing are looked for again without any news: a pure value.
struct ThumbnailRetry {
    /// `nil` where nothing is missing that may be made without news.
    private(set) var moment: ContinuousClock.Instant?
    /// Whether the disk was full: then it is looked at first, and nothing else is done.
    private(set) var waitsForRoom = false
    /// How many looks in a row did not come through.
    private var failures = 0

    /// How often a full disk is looked at.
    private static let roomCheck = Duration.seconds(10)
    private static let longestDelay = 3600

    mutating func roomIsStillMissing(at now: ContinuousClock.Instant) {
        moment = now + Self.roomCheck
    }

    /// Takes what a look came to, after which one that failed by itself is tried again at `nextRetry`.
    mutating func take(
        _ look: ThumbnailLook, nextRetry: Date?, at now: ContinuousClock.Instant,
        date: Date = Date()
    ) {
        waitsForRoom = look.obstacle == .noSpace
        failures = look.missing > 0 || look.obstacle != nil ? failures + 1 : 0
        guard failures > 0 else {
            moment = nil
            return
        }
        let delay = Duration.seconds(min(10 << min(failures - 1, 10), Self.longestDelay))
        // What failed by itself knows when it is tried again, and need not wait longer.
        let own = nextRetry.map { Duration.seconds(max(60, $0.timeIntervalSince(date))) }
        moment = now + min(delay, look.obstacle == nil ? own ?? delay : delay)
    }
}
