internal import APOD
internal import FoundationEssentials
internal import Platform

/// The end of a sync: completes the ``SyncSummary``, which the outcomes of days have begun.
///
/// Only now it is known how many days of the mirror are here, missing or unknown, and when the next sync is to begin.
extension SyncRoundState {
    /// Completes the summary; the range of the mirror and the retries of days must be final.
    mutating func finishSummary() {
        // Computed once, because it goes over all days.
        let daysWithFiles = daysWithFiles
        summary.newest = nextState.newest
        summary.newestWithFiles = nextState.newest(of: daysWithFiles, within: dates)
        summary.lastSuccess = nextState.lastSuccess
        summary.underWay = days.count { $0.value.work == .underWay }
        planNextSync()
        guard let range else { return }
        let unknown = unknownDays(in: range)
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.withFiles = daysWithFiles.count { range.contains($0) && unknown[$0] == nil }
        summary.withoutPicture = days.count { range.contains($0.key) && $0.value.hasNoPicture }
        summary.unknown = unknown.count
        guard let (_, error) = unknown.max(by: { $0.key < $1.key }) else { return }
        let unknownOfAll = "\(unknown.count) of \(counted(summary.expected, "day"))"
        recordSummaryFailure(
            "\(unknownOfAll) cannot be read, and may be complete: \(error.textForUnreadable)")
    }

    private mutating func planNextSync() {
        let nextPlan = plan(retry: .due)
        summary.awaitsPicture = nextPlan.awaitsPicture
        summary.nextRetry = nextPlan.nextRetry
        if !nextPlan.days.isEmpty, !leavesDueDays {
            // Days are still due, because the request for the list of their entries failed.
            let pause = RetryDelay.failedList / .seconds(1)
            summary.nextRetry = synchronizer.now().addingTimeInterval(pause)
        }
    }

    /// The days of `range` of which nobody knows at the end of the sync whether they are complete, and why.
    private func unknownDays(in range: ClosedRange<Day>) -> [Day: SystemError] {
        if snapshot.unreadable.isEmpty, recordedAtStart.unreadable.isEmpty { return [:] }
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
