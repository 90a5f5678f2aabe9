package import APOD
package import FoundationEssentials
internal import Platform

/// The result of a sync for the log and `run --once`: the state of the mirror at its end, and what the sync changed.
package struct SyncSummary: Hashable, Sendable {
    /// The newest day that NASA has published.
    package var newest: Day?
    /// The newest day whose picture or video is here.
    package var newestWithFiles: Day?
    /// How many days are to be mirrored.
    package var expected = 0
    /// How many of these days have their picture or video: ``DayState/hasFiles``.
    package var withFiles = 0
    /// How many of these days have no picture at NASA.
    package var withoutPicture = 0
    package var missing: Int { expected - withFiles - withoutPicture }
    /// When this sync or an earlier one last reached NASA.
    package var lastSuccess: Date?
    /// When the next sync for a missing or partial day begins; `nil` if none is, or all wait for a poll.
    package var nextRetry: Date?
    /// Whether a new day lacks its picture, so that NASA is polled as for an entry that is late.
    package var awaitsPicture = false
    /// What keeps all days away; `nil` if nothing does.
    package var obstacle: Obstacle?
    /// A failure that ``missing`` does not show, and what to do, as when a day that is here could not be edited.
    package var failure: String?
    /// How many days are still downloaded after the sync.
    package var underWay = 0
    /// Whether days were left to the next sync, which follows at once, because there are slots for them.
    package var isUnfinished = false
    /// Whether anything may have changed since the last sync: there was a walk over the tree, a day was finished, NASA
    /// has another newest day, or something failed.
    package var hasNews = false

    /// How many days got a new file; a picture that NASA replaced counts here and as ``edited``.
    package var downloaded = 0
    /// How many days NASA had edited, in their texts or files.
    package var edited = 0
    /// The bytes of the new files.
    package var bytes = 0
    /// How many days retention removed.
    package var removed = 0
    /// The bytes of the removed days.
    package var removedBytes = 0

    package init() {}

    package var isOutOfSpace: Bool { obstacle?.kind == .space }

    mutating func count(_ outcome: EntryOutcome) {
        switch outcome.result {
        case .downloaded(_, let bytes, let isEdit):
            downloaded += 1
            edited += isEdit ? 1 : 0
            self.bytes = self.bytes.addingSaturating(bytes)
        case .removed(let bytes):
            removed += 1
            removedBytes = removedBytes.addingSaturating(bytes)
        case .edited: edited += 1
        case .cancelled, .incomplete, .missing, .noSpace, .partial, .unchanged: break
        }
    }
}
