package import APOD
package import FoundationEssentials

/// Checks whether this machine, its disk and its network are fit for a mirror.
///
/// It works beside a running daemon and without a mirror, and removes its test files.
package struct Doctor: Sendable {
    let context: DoctorContext
    let minimumFree: Int
    /// The source of entries; `nil` to skip the network check.
    let feed: (any Feed)?
    /// The path of the thumbnailer; `nil` if it is not installed.
    let thumbnailer: String?
    let environment: [String: String]
    let now: @Sendable () -> Date

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

    typealias Outcome = CheckResult.Outcome

    /// Runs the checks in order and reports each result at once; without write permission only those that
    /// need none.
    ///
    /// - Throws: `CancellationError`.
    package func run(_ report: (CheckResult) -> Void) async throws {
        report(CheckResult("mirror", mirror))
        report(CheckResult("write", writing))
        if let scratch = try? context.scratch.get() {
            report(CheckResult("fsync", syncing(in: scratch)))
            report(CheckResult("events", try await events(in: scratch)))
            report(CheckResult("symlinks", links(in: scratch)))
        }
        report(CheckResult("space", space))
        report(CheckResult("favorites", favorites))
        report(CheckResult("clock", clock))
        report(CheckResult("thumbnailer", thumbnailerProgram))
        if let feed { report(CheckResult("nasa", try await newestEntry(of: feed))) }
    }
}
