package import APOD
package import FoundationEssentials
internal import Platform

/// The result of a sync.
package struct SyncSummary: Hashable, Sendable {
    /// Why a sync is incomplete.
    package struct Obstacle: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// NASA could not be reached.
            case unreachable
            /// NASA's response is not a list of entries.
            case unusable
            case noSpace
            /// The file system is read-only.
            case readOnly
            /// Another error of this machine.
            case localError
            /// What is new of a day that is here could not be written; the sync goes on.
            case oneDay
        }

        package let kind: Kind
        package let text: String

        package init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The newest day that NASA has published.
    package var newest: Day?
    package var newestComplete: Day?
    /// How many days are to be mirrored, how many of them are complete, and for how many NASA published no
    /// picture.
    package var expected = 0
    package var complete = 0
    package var withoutPicture = 0
    /// The days with a new file, and the days that NASA edited; a replaced picture counts as both.
    package var downloaded = 0
    package var edited = 0
    package var bytes = 0
    /// The days that retention removed, and their bytes.
    package var removed = 0
    package var removedBytes = 0
    /// The days that were returned from the trash.
    package var returned = 0
    package var obstacle: Obstacle?
    /// Whether days of the backlog were left to the next sync, for lack of time.
    package var isUnfinished = false
    /// When NASA was last reached, in this sync or an earlier one.
    package var lastSuccess: Date?
    /// When the first missing day is due.
    package var nextRetry: Date?

    package var missing: Int { expected - complete - withoutPicture }

    package var isOutOfSpace: Bool { obstacle?.kind == .noSpace }

    /// Whether the sync could not do its work; the error of one day's files is none.
    package var isObstructed: Bool { obstacle != nil && obstacle?.kind != .oneDay }

    mutating func count(_ outcome: EntryOutcome) {
        switch outcome.result {
        case .downloaded(_, let bytes, let isEdit):
            downloaded += 1
            edited += isEdit ? 1 : 0
            self.bytes = self.bytes.addingSaturating(bytes)
        case .returned: returned += 1
        case .removed(let bytes):
            removed += 1
            removedBytes = removedBytes.addingSaturating(bytes)
        case .edited: edited += 1
        case .cancelled, .incomplete, .noSpace, .unchanged: break
        }
    }

    func adding(_ earlier: SyncSummary) -> SyncSummary {
        var sum = self
        sum.downloaded += earlier.downloaded
        sum.edited += earlier.edited
        sum.bytes = sum.bytes.addingSaturating(earlier.bytes)
        sum.removed += earlier.removed
        sum.removedBytes = sum.removedBytes.addingSaturating(earlier.removedBytes)
        sum.returned += earlier.returned
        return sum
    }

    package init() {}
}
