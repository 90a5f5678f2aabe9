package import Platform
package import Thumbnails

/// Makes missing thumbnails whenever days were downloaded, newest first.
///
/// No thumbnailer process runs in between.
package struct ThumbnailService: DaemonService {
    private let thumbnails: Thumbnails
    private let log: Log
    private let changes: ChangeBroadcaster
    let listener: ChangeListener
    private let logger = Monitor(ThumbnailLogger())

    /// `changes` is the source of new days, and notified of new thumbnails.
    package init(_ thumbnails: Thumbnails, log: Log, changes: ChangeBroadcaster) {
        self.thumbnails = thumbnails
        self.log = log
        self.changes = changes
        listener = changes.listener()
    }

    /// The pause between two rounds, to join days that arrive together.
    private static let debounce = Duration.seconds(1)

    package var isAvailable: Bool { thumbnails.isAvailable }

    package func run() async throws {
        var earliest = ContinuousClock.now
        var retry = ThumbnailRetry()
        while true {
            let change = try await listener.next(notBefore: earliest, by: retry.moment)
            guard change.isEmpty || change.contains(.days) else { continue }
            if retry.waitsForSpace, !thumbnails.hasSpace {
                retry.diskIsStillFull(at: .now)
                continue
            }
            let summary = await listener.reportingProgress { await makeMissing() }
            retry.record(summary, nextRetry: thumbnails.nextRetry(), at: .now)
            earliest = .now + Self.debounce
        }
    }

    /// Makes all missing thumbnails; if `ignoresBackoff`, failed pictures are retried before they are due.
    @discardableResult
    package func makeMissing(ignoresBackoff: Bool = false) async -> ThumbnailSummary {
        var summary = ThumbnailSummary()
        do {
            let missing = try thumbnails.missing(ignoresBackoff: ignoresBackoff)
            for await thumbnail in thumbnails.thumbnails(of: missing) {
                logger.withLock { $0.record(thumbnail) }
                summary.record(thumbnail)
                if case .success = thumbnail.result { changes.broadcast(.thumbnails) }
            }
            summary.missing = try thumbnails.missing(ignoresBackoff: true).count
            await renderNewest()
        } catch {
            summary.obstacle = .other
            summary.reason = "\(error)"
            logger.withLock { $0.record(error) }
        }
        logger.withLock { $0.finish(log) }
        return summary
    }

    /// Makes the renditions of the newest pictures; without one the gallery shows the original or, on its
    /// first page, the thumbnail of a very large one.
    private func renderNewest() async {
        do {
            try await thumbnails.renderNewest { changes.broadcast(.thumbnails) }
        } catch {
            guard !Task.isCancelled else { return }
            log.warning("cannot make a rendition for the gallery: \(error)")
        }
    }
}
