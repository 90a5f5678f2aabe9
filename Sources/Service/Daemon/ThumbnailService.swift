package import Platform
package import Thumbnails

/// Keeps the thumbnails: whenever days came it makes those that are missing, newest first.
///
/// Between two looks nothing of it runs, and no process of it is there.
package struct ThumbnailService: DaemonService {
    private let thumbnails: Thumbnails
    private let log: Log
    private let changes: ChangeBroadcaster
    private let news: ChangeListener
    private let reporter: Monitor<ThumbnailReporter>

    /// - Parameters:
    ///   - thumbnails: What makes them.
    ///   - log: Where it tells what happens.
    ///   - changes: What tells that days came, and is told when thumbnails did.
    package init(_ thumbnails: Thumbnails, log: Log, changes: ChangeBroadcaster) {
        self.thumbnails = thumbnails
        self.log = log
        self.changes = changes
        news = changes.listener()
        reporter = Monitor(ThumbnailReporter())
    }

    /// The time in which what comes together is made together.
    private static let settling = Duration.seconds(1)

    /// Whether the program that makes thumbnails is installed.
    package var isAvailable: Bool { thumbnails.isAvailable }

    /// Returns once the loop has gone round, or a look under way got on; see ``Watchdog``.
    package func answer() async throws { try await news.answer() }

    package func run() async throws {
        var earliest = ContinuousClock.now
        var retry = ThumbnailRetry()
        while true {
            let change = try await news.next(notBefore: earliest, by: retry.moment)
            guard change.isEmpty || change.contains(.days) else { continue }
            if retry.waitsForRoom, !thumbnails.hasRoom {
                retry.roomIsStillMissing(at: .now)
                continue
            }
            let outcome = await news.whileWorking { await look() }
            retry.take(outcome, nextRetry: thumbnails.nextRetry(), at: .now)
            earliest = .now + Self.settling
        }
    }

    /// Makes all that are missing.
    ///
    /// - Parameter ignoresBackoff: Whether those that failed a moment ago are among them.
    /// - Returns: What stood in the way.
    @discardableResult
    package func look(ignoresBackoff: Bool = false) async -> ThumbnailLook {
        var look = ThumbnailLook()
        do {
            let missing = try thumbnails.missing(ignoresBackoff: ignoresBackoff)
            for await thumbnail in thumbnails.thumbnails(of: missing) {
                reporter.withLock { $0.take(thumbnail) }
                look.take(thumbnail)
                if case .success = thumbnail.result { changes.tell(.thumbnails) }
            }
            look.missing = try thumbnails.count().missing
            await render()
        } catch {
            look.obstacle = .failed("\(error)")
            look.reason = "\(error)"
            reporter.withLock { $0.take(error) }
        }
        for (line, isTrouble) in reporter.withLock({ $0.finish() }) {
            if isTrouble { log.warning(line) } else { log.debug(line) }
        }
        return look
    }

    /// Makes the picture of the first page of the gallery, which is shown small where that fails.
    private func render() async {
        do {
            if try await thumbnails.renderNewest() { changes.tell(.thumbnails) }
        } catch {
            guard !Task.isCancelled else { return }
            log.warning("cannot make the picture of the first page of the gallery: \(error)")
        }
    }
}
