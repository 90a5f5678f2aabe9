package import APOD
package import FoundationEssentials
internal import Platform

/// The result of a sync, for the log and `run --once`: the state of the mirror at its end, and what the sync changed.
package struct SyncSummary: Hashable, Sendable {
    /// The newest day that NASA has published.
    package var newest: Day?
    /// The newest day whose picture or video is here.
    package var newestWithFiles: Day?
    /// How many days the mirror is to have, by `--since` and `--keep`.
    package var expected = 0
    /// How many of these days have their picture or video: ``DayState/hasFiles``.
    package var withFiles = 0
    /// How many of these days have no picture at NASA.
    package var withoutPicture = 0
    /// How many of these days nobody knows, because their directories or records cannot be read.
    package var unknown = 0
    package var missing: Int { expected - withFiles - withoutPicture - unknown }
    /// When this sync or an earlier one last reached NASA.
    package var lastSuccess: Date?
    /// When the next sync for a missing or partial day begins; `nil` if there is no such day, or if all wait for a poll.
    package var nextRetry: Date?
    /// Whether a new day lacks its picture, so that NASA is polled as often as for a late entry.
    package var awaitsPicture = false
    /// What prevents every download; `nil` if nothing does.
    package var obstacle: Obstacle?
    /// A failure that ``missing`` does not show, and what to do, for example that NASA's edit of a day could not be written.
    package var failure: String?
    /// How many downloads go on after the sync.
    package var underWay = 0
    /// Whether the next sync follows at once, because this one has left days to it, and slots for downloads are free.
    package var isUnfinished = false
    /// Whether anything may have changed since the last sync.
    ///
    /// There was a walk over the tree, a day was published or removed, NASA has another newest day, or something failed.
    package var hasNews = false

    /// How many days got a new file, even a reduced picture; a picture that NASA replaced counts here and as ``edited``.
    package var downloaded = 0
    /// How many days NASA had edited, in their texts or files.
    package var edited = 0
    /// The bytes of the new files.
    package var bytes = 0
    /// How many days retention removed.
    package var removed = 0
    /// The bytes of the removed days.
    package var removedBytes = 0

    /// The imported pictures that were not used, and were moved to `aside/`.
    package var unusedImports: [UnusedImport] = []

    package init() {}

    package var isOutOfSpace: Bool { obstacle?.kind == .space }

    mutating func count(_ outcome: EntryOutcome) {
        unusedImports += outcome.unusedImports
        if let bytes = outcome.result.downloadedBytes {
            downloaded += 1
            self.bytes = self.bytes.addingSaturating(bytes)
        }
        if outcome.result.isEdit { edited += 1 }
        if case .removed(let bytes) = outcome.result {
            removed += 1
            removedBytes = removedBytes.addingSaturating(bytes)
        }
    }
}

extension SyncRoundState {
    /// Completes the ``SyncSummary``, which the outcomes of days have begun, at the end of the sync.
    mutating func finishSummary() {
        let daysWithFiles = daysWithFiles
        summary.newest = nextState.newest
        summary.newestWithFiles = nextState.newest(of: daysWithFiles, within: dates)
        summary.lastSuccess = nextState.lastSuccess
        summary.underWay = days.count { $0.value.work == .underWay }
        planNextSync()
        if let range { countDays(of: range, withFiles: daysWithFiles) }
    }

    private mutating func planNextSync() {
        let plan = plan(retry: .due)
        summary.awaitsPicture = plan.awaitsPicture
        if !plan.days.isEmpty, !leavesDueDays {
            // Days are still due, because the request for the list of their entries failed.
            let pause = RetryDelay.failedList / .seconds(1)
            summary.nextRetry = synchronizer.now().addingTimeInterval(pause)
        } else {
            summary.nextRetry = plan.nextRetry
        }
    }

    /// Counts the days of the mirror's `range`; reports the days that nobody knows as a failure.
    private mutating func countDays(of range: ClosedRange<Day>, withFiles days: [Day]) {
        let unknown = unknownDays(in: range)
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.withFiles = days.count { range.contains($0) && unknown[$0] == nil }
        summary.withoutPicture = self.days.count {
            range.contains($0.key) && $0.value.hasNoPicture
        }
        summary.unknown = unknown.count
        guard let (_, error) = unknown.max(by: { $0.key < $1.key }) else { return }
        let unknownOfAll = "\(unknown.count) of \(counted(summary.expected, "day"))"
        recordSummaryFailure(
            "\(unknownOfAll) cannot be read, and may be complete: \(error.textForUnreadable)")
    }

    /// The days of `range` of which nobody knows at the end of the sync whether they are complete, and why.
    private func unknownDays(in range: ClosedRange<Day>) -> [Day: SystemError] {
        guard !snapshot.unreadable.isEmpty || !recordedAtStart.unreadable.isEmpty
        else { return [:] }
        // This sync may have published some of them. After an error, they are as they were at the start of the sync.
        let current = store.snapshots.reuse() ?? snapshot
        let recorded = (try? store.recordedDays(in: current)) ?? recordedAtStart
        var unknown: [Day: SystemError] = [:]
        for day in range where !Day.neverPublished.contains(day) && !self[day].hasNoPicture {
            unknown[day] = recorded.doubt(about: day, in: current)
        }
        return unknown
    }
}
