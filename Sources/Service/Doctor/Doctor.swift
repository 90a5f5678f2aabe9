package import APOD
package import FoundationEssentials

/// Finds out whether this machine, its disk and its network are fit for a mirror.
///
/// It changes nothing, works beside a running daemon and without a mirror, and what it tries out on the
/// disk is gone afterwards.
package struct Doctor: Sendable {
    private let patient: DoctorContext
    private let minimumFree: Int
    private let feed: (any Feed)?
    private let thumbnailer: String?
    private let environment: [String: String]
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - patient: The mirror, or the place for one.
    ///   - minimumFree: The bytes of the disk that are never used.
    ///   - feed: Where entries come from, `nil` where the network is not to be asked.
    ///   - thumbnailer: The path of the program that makes thumbnails, `nil` where there is none.
    ///   - environment: The variables of the process.
    ///   - now: The time.
    package init(
        _ patient: DoctorContext, minimumFree: Int, feed: (any Feed)?, thumbnailer: String?,
        environment: [String: String],
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.patient = patient
        self.minimumFree = minimumFree
        self.feed = feed
        self.thumbnailer = thumbnailer
        self.environment = environment
        self.now = now
    }

    /// Checks one thing after the other, and tells of each as soon as it is known.
    ///
    /// - Throws: `CancellationError`.
    package func examine(_ tell: (CheckResult) -> Void) async throws {
        tell(MirrorCheck(patient).finding)
        tell(WriteCheck(patient).finding)
        tell(SyncCheck(patient, environment: environment).finding)
        tell(try await EventCheck(patient).finding())
        for finding in NameCheck(patient).findings { tell(finding) }
        tell(SpaceCheck(patient, minimumFree: minimumFree).finding)
        tell(InotifyCheck(patient).finding)
        tell(FavoritesCheck(patient).finding)
        tell(ClockCheck(patient, now: now()).finding)
        tell(ThumbnailerCheck(thumbnailer).finding)
        guard let feed else { return }
        tell(try await FeedCheck(feed, now: now).finding())
    }
}
