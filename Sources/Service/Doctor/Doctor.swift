package import APOD
package import FoundationEssentials

/// Checks whether this machine, its disk and its network are fit for a mirror.
///
/// It works beside a running daemon and without a mirror, and removes its test files.
package struct Doctor: Sendable {
    private let context: DoctorContext
    private let minimumFree: Int
    private let feed: (any Feed)?
    private let thumbnailer: String?
    private let environment: [String: String]
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - context: The mirror, or the directory for one.
    ///   - minimumFree: Bytes of the disk to leave free.
    ///   - feed: The source of entries; `nil` to skip the network check.
    ///   - thumbnailer: The path of the thumbnailer; `nil` if it is not installed.
    ///   - environment: The variables of the process.
    ///   - now: The current time.
    package init(
        _ context: DoctorContext, minimumFree: Int, feed: (any Feed)?, thumbnailer: String?,
        environment: [String: String],
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.context = context
        self.minimumFree = minimumFree
        self.feed = feed
        self.thumbnailer = thumbnailer
        self.environment = environment
        self.now = now
    }

    /// Runs the checks in order and reports each result at once; without write permission only those that
    /// need none.
    ///
    /// - Throws: `CancellationError`.
    package func run(_ report: (CheckResult) -> Void) async throws {
        report(MirrorCheck(context).result)
        report(WriteCheck(context).result)
        if let scratch = try? context.scratch.get() {
            report(SyncCheck(context, scratch, environment: environment).result)
            report(try await EventCheck(context, scratch).result())
            report(LinkCheck(scratch).result)
        }
        report(SpaceCheck(context, minimumFree: minimumFree).result)
        report(FavoritesCheck(context).result)
        report(ClockCheck(context, now: now()).result)
        report(ThumbnailerCheck(thumbnailer).result)
        guard let feed else { return }
        report(try await FeedCheck(feed, now: now).result())
    }
}
