package import APOD
internal import Mirror
package import Platform
package import Thumbnails
internal import Views

/// Makes missing thumbnails and reduced copies of pictures after downloads and after failures, newest days first.
///
/// The daemon runs it; a single sync calls ``makeMissing(ignoresBackoff:)`` at its end.
package struct ThumbnailService: DaemonService {
    private let thumbnails: Thumbnails
    private let log: Log
    private let changes: ChangeBroadcaster
    private let listener: ChangeListener
    /// The days without the copy of their picture for `v1/`, which answers as NASA's old API did; newest first.
    private let daysInV1: @Sendable () throws -> [Day]
    /// The failures of the last round, which are not logged again.
    private let reported = Monitor<Set<String>>([])

    /// `changes` is the source of new days, and notified of new thumbnails.
    package init(
        _ thumbnails: Thumbnails, log: Log, changes: ChangeBroadcaster,
        daysInV1: @escaping @Sendable () throws -> [Day] = { [] }
    ) {
        self.thumbnails = thumbnails
        self.log = log
        self.changes = changes
        self.daysInV1 = daysInV1
        listener = changes.makeListener(for: "the thumbnail service")
    }

    /// Days that arrive within this time make one round.
    private static let minimumPause = Duration.seconds(1)
    /// The maximum number of failures that are logged one by one.
    private static let maximumLines = 3

    var heartbeat: Heartbeat { listener.heartbeat }

    /// Whether the thumbnailer is installed.
    package var isAvailable: Bool { thumbnails.isAvailable }

    package func run() async throws {
        var earliest = ContinuousClock.now
        var retry = ThumbnailRetry()
        while true {
            let change = try await listener.next(notBefore: earliest, by: retry.moment)
            // Empty at the time of the retry.
            guard change.isEmpty || change.contains(.days) else { continue }
            if retry.waitsForSpace, !thumbnails.hasSpace {
                retry.diskIsStillFull(at: .now)
                continue
            }
            let summary = await heartbeat.signallingOpenedFiles { await makeMissing() }
            retry.record(summary, at: .now)
            earliest = .now + Self.minimumPause
        }
    }

    /// Makes all missing thumbnails; if `ignoresBackoff`, failed pictures are retried before they are due.
    @discardableResult
    package func makeMissing(ignoresBackoff: Bool = false) async -> ThumbnailSummary {
        var summary = ThumbnailSummary()
        do {
            let snapshot = try thumbnails.snapshots.current()
            let due = try thumbnails.daysToMake(in: snapshot, ignoresBackoff: ignoresBackoff)
            var made: Set<Day> = []
            for await thumbnail in thumbnails.thumbnails(of: due) {
                summary.record(thumbnail)
                guard case .success = thumbnail.result else { continue }
                made.insert(thumbnail.day)
                changes.broadcast(.thumbnails)
            }
            // Again, because pictures may have been rejected meanwhile.
            let missing = try thumbnails.daysToMake(in: snapshot, ignoresBackoff: true)
                .filter { !made.contains($0) }
            summary.missing = missing.count
            summary.nextRetry = thumbnails.nextRetry(of: missing)
            summary.failures += await render(in: snapshot)
        } catch {
            summary.obstacle = .other
            summary.reason = "\(error)"
            summary.failures.append("cannot make thumbnails: \(error)")
        }
        report(summary)
        return summary
    }

    /// Logs the result of a round: each failure once, a limited number of lines.
    private func report(_ summary: ThumbnailSummary) {
        if summary.made > 0 { log.debug("made \(counted(summary.made, "thumbnail"))") }
        let before = reported.withLock { reported in
            defer { reported = Set(summary.failures) }
            return reported
        }
        let new = summary.failures.filter { !before.contains($0) }
        for line in new.limited(to: Self.maximumLines, { counted($0, "more failed thumbnail") }) {
            log.warning(line)
        }
    }

    /// Makes the reduced copies for the gallery and `v1/`, which show the original picture of a day without one.
    ///
    /// - Returns: Why copies are missing; a failure of those for the gallery does not stop the others.
    private func render(in snapshot: TreeSnapshot) async -> [String] {
        var failures: [String] = []
        do {
            try await thumbnails.renderNewest(in: snapshot) { changes.broadcast(.thumbnails) }
        } catch {
            failures.append("cannot make a rendition: \(error)")
        }
        do {
            try await thumbnails.render(
                daysInV1(), side: V1View.side, at: V1View.picture
            ) { changes.broadcast(.thumbnails) }
        } catch {
            failures.append("cannot make a copy in v1/: \(error)")
        }
        return Task.isCancelled ? [] : failures
    }
}
