package import APOD
package import FoundationEssentials
internal import Platform

/// The result of a sync (a round of downloads from NASA): the state of the mirror at its end, and what the sync changed.
///
/// ``SyncRound`` returns it. The log prints it, the exit code of `run --once` depends on it, and the daemon decides by it when
/// the next sync begins and whether other services have something to do.
package struct SyncSummary: Hashable, Sendable {
    // MARK: The mirror at the end of the sync

    /// The newest day that NASA has published.
    package var newest: Day?
    /// The newest day whose picture or video is here.
    package var newestWithFiles: Day?
    /// How many days the mirror is to have, by `--since` and `--keep`.
    package var expected = 0
    /// How many of these days have their picture or video: ``DayState/hasFiles``.
    package var withFiles = 0
    /// How many of these days have no picture at NASA.
    package internal(set) var withoutPicture = 0
    /// How many of these days may be complete or not, because their directories or records cannot be read.
    package internal(set) var unknown = 0
    /// How many of these days lack a picture or video that NASA has, or may have.
    package var missing: Int { expected - withFiles - withoutPicture - unknown }

    /// What prevented every download; `nil` if nothing did.
    package var obstacle: Obstacle?
    /// A failure that ``missing`` does not show, and what to do, for example that NASA's edit of a day could not be written.
    package var failure: String?
    package var isOutOfSpace: Bool { obstacle?.kind == .space }

    /// When this sync or an earlier one last reached NASA.
    package var lastSuccess: Date?
    /// When the next sync for a missing or partial day begins; `nil` if there is no such day, or if all wait for a poll.
    package var nextRetry: Date?
    /// Whether a new day lacks its picture, so that NASA is polled as often as for a late entry.
    package var awaitsPicture = false
    /// How many downloads go on after the sync.
    package var underWay = 0
    /// How many due days wait for a slot in the next sync, because this one had to end before; 0 if it met an obstacle.
    package var leftToNextSync = 0
    /// Whether the next sync follows at once, because this one has left days to it, and slots for downloads are free.
    package var isUnfinished = false

    // MARK: What the sync changed

    // `downloaded`, `edited` and `removed` are numbers of days.

    /// Whether anything may have changed since the last sync.
    ///
    /// There was a walk over the tree, a day was published or removed, NASA has another newest day, or something failed.
    package internal(set) var hasNews = false
    /// How many days got a new file, even a reduced picture; a picture that NASA replaced counts here and as ``edited``.
    package private(set) var downloaded = 0
    /// The bytes of the new files of these days.
    package private(set) var downloadedBytes = 0
    /// How many days NASA had edited, in their texts or files.
    package private(set) var edited = 0
    /// How many days `--keep` removed.
    package var removed = 0
    /// The bytes of the removed days.
    package var removedBytes = 0

    package init() {}

    /// Adds what the sync has changed in one day.
    mutating func add(_ outcome: EntryOutcome) {
        if let bytes = outcome.result.downloadedBytes {
            downloaded += 1
            downloadedBytes = downloadedBytes.addingSaturating(bytes)
        }
        switch outcome.result {
        case .downloaded(_, _, isEdit: true), .partial(_, _, isEdit: true), .edited: edited += 1
        case .removed(let bytes):
            removed += 1
            removedBytes = removedBytes.addingSaturating(bytes)
        case .cancelled, .downloaded, .incomplete, .missing, .noSpace, .partial, .unchanged: break
        }
    }
}
