package import FoundationEssentials
internal import Mirror
internal import Platform
internal import Transfer

/// How far a sync is, for ``ProgressDisplay``, ``StatusLine`` and ``LastRun``.
package struct Progress: Hashable, Codable, Sendable {
    package let start: Date
    /// The number of days that are requested.
    package private(set) var planned = 0
    /// The planned days that ended with a picture or a video, though another of their files may be missing.
    private(set) var done = 0
    /// The planned days that ended without a picture, for any reason.
    private(set) var failed = 0

    /// The planned days that ended, with any outcome.
    package var ended: Int { done + failed }

    /// The planned days that have not ended.
    var left: Int { max(planned - ended, 0) }

    /// The mean number of days that ended in a second; `nil` during the first second, and before the first day.
    package func rate(at now: Date) -> Double? {
        let seconds = now.timeIntervalSince(start)
        return ended > 0 && seconds > 1 ? Double(ended) / seconds : nil
    }

    mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned(let days): planned += days
        case .problem, .notice: break
        case .day(let outcome):
            switch outcome.result {
            case .downloaded, .edited, .partial, .unchanged: done += 1
            case .cancelled, .incomplete, .missing, .noSpace: failed += 1
            // Days that --keep removes are not among the planned ones.
            case .removed: break
            }
        }
    }

    /// The line of progress, see ``ProgressLine``; `bytes` were received in the time `elapsed`.
    func line(
        bytes: Int, elapsed: Duration, limit: Bandwidth? = nil, width: Int?
    ) -> String {
        ProgressLine(finished: ended, planned: planned).text(
            amount: "\(done) of \(counted(planned, "day"))", bytes: bytes, elapsed: elapsed,
            limit: limit, problems: failed > 0 ? "\(failed) without a picture" : nil, width: width)
    }
}

extension Progress? {
    /// Records an event of the running sync; if there is no progress yet, it starts now.
    mutating func record(_ event: SyncEvent) {
        var progress = self ?? Progress(start: Date())
        progress.record(event)
        self = progress
    }

    /// Records the end of a sync; if it left downloads that go on, the progress of these begins.
    mutating func record(_ summary: SyncSummary) {
        self = nil
        if summary.underWay > 0 { record(.planned(days: summary.underWay)) }
    }
}
