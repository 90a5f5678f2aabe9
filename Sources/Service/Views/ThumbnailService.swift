package import APOD
internal import FoundationEssentials
internal import Mirror
package import Platform
package import Thumbnails
internal import Views

/// Makes missing thumbnails and renditions of pictures after downloads and after failures, newest days first.
///
/// The daemon runs it; a single sync calls ``makeMissing(ignoresBackoff:)`` at its end.
package struct ThumbnailService: DaemonService {
    private let thumbnails: Thumbnails
    private let log: Log
    private let changes: ChangeBroadcaster
    private let listener: ChangeListener
    /// The days without the rendition of their picture for `v1/`, which answers as NASA's old API did; newest first.
    private let daysInV1: @Sendable () throws -> [Day]
    /// The texts of the failures that were logged, by ``ThumbnailSummary/Failure/path``, until that was made.
    private let reported = SharedValue<[String: String]>([:])

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
    private static let folderInV1 = Layout.split(V1View.picture(of: .first)).folder
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

    /// Makes all missing thumbnails, then renditions.
    ///
    /// If `ignoresBackoff`, thumbnails that failed are retried before they are due.
    @discardableResult
    package func makeMissing(ignoresBackoff: Bool = false) async -> ThumbnailSummary {
        var summary = ThumbnailSummary()
        do {
            let start = Date()
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
            let nextRetry = thumbnails.nextRetry(of: missing)
            summary.recordEnd()
            await render(in: snapshot, &summary)
            summary.nextRetry = [nextRetry, thumbnails.firstRenditionRetry(after: start)]
                .compactMap(\.self).min()
        } catch {
            summary.recordEnd(error)
        }
        report(summary)
        return summary
    }

    /// Logs the result of a round: each failure once until what failed is made, a limited number of lines.
    private func report(_ summary: ThumbnailSummary) {
        if summary.made > 0 { log.debug("made \(counted(summary.made, "thumbnail"))") }
        let new = reported.withLock { reported in
            for path in summary.successes { reported[path] = nil }
            // Those that are not due were not tried.
            return summary.failures.filter {
                reported.updateValue($0.text, forKey: $0.path) != $0.text
            }
        }
        let lines = new.map(\.text)
        for line in lines.limited(to: Self.maximumLines, { counted($0, "more failure") }) {
            log.warning(line)
        }
    }

    /// Makes the renditions for the gallery and `v1/`, which show the original picture of a day without one.
    ///
    /// A failure of those for the gallery does not stop the others. What prevents all thumbnails prevents renditions,
    /// too, but not the removal of old ones, which frees space; `V1View` removes those in `v1/`.
    private func render(in snapshot: TreeSnapshot, _ summary: inout ThumbnailSummary) async {
        let canMake = summary.obstacle == nil
        do {
            let days = try thumbnails.daysThatNeedRendition(in: snapshot)
            if try thumbnails.removeRenditions(except: Set(days)) {
                changes.broadcast(.thumbnails)
            }
            if canMake {
                try await thumbnails.render(days, side: Rendition.side, at: Rendition.path) {
                    rendition in
                    record(rendition, at: Rendition.path(of: rendition.day), in: &summary)
                }
                summary.recordEnd(ofRenditionsIn: Rendition.folder)
            }
        } catch {
            if !Task.isCancelled { summary.recordEnd(ofRenditionsIn: Rendition.folder, error) }
        }
        guard canMake else { return }
        do {
            try await thumbnails.render(
                daysInV1(), side: V1View.side, at: V1View.picture
            ) { rendition in
                record(rendition, at: V1View.picture(of: rendition.day), in: &summary)
            }
            summary.recordEnd(ofRenditionsIn: Self.folderInV1)
        } catch {
            if !Task.isCancelled { summary.recordEnd(ofRenditionsIn: Self.folderInV1, error) }
        }
    }

    private func record(
        _ rendition: ThumbnailOutcome, at path: String, in summary: inout ThumbnailSummary
    ) {
        summary.record(rendition, at: path)
        if case .success = rendition.result { changes.broadcast(.thumbnails) }
    }
}
