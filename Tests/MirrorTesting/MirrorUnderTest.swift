package import APOD
package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
package import Simulator
internal import TestSupport
internal import Transfer

/// A mirror in its own directory, of a simulator on loopback, with a manual clock.
package final class MirrorUnderTest: Sendable {
    package let simulator: Simulator
    package let tree: Tree
    package let store: Store
    private let time = Monitor(Date(timeIntervalSince1970: Double(newest.noon)))

    /// The newest day that the simulator published.
    package static let newest = Day(iso: "2026-11-20") ?? .first

    package init(_ simulator: Simulator, root: String, minimumFree: Int = 0) throws {
        self.simulator = simulator
        tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        store = try Store(tree: tree, minimumFree: minimumFree)
    }

    package var now: Date { time.withLock(\.self) }

    package func advance(to now: Date) {
        time.withLock { $0 = now }
    }

    package func advance(days: Int) {
        time.withLock { $0 += Double(days * 86_400) }
    }

    package func advance(hours: Int) {
        time.withLock { $0 += Double(hours * 3600) }
    }

    package func synchronizer(
        since: Since = .days(10), jobs: Int = 4, downloadsVideos: Bool = false,
        rechecks: Bool = true, keep: Keep = .all, favorites: Set<Day> = [],
        damagedDays: Set<Day> = [], mirrors: [ClassicMirror] = [],
        feed kind: FeedKind = .basic, through wrap: (any Feed) -> any Feed = { $0 },
        otherRoutes: Bool = false, now: (@Sendable () -> Date)? = nil
    ) -> Synchronizer {
        synchronizer(
            .init(
                since: since, jobs: jobs, downloadsVideos: downloadsVideos, rechecks: rechecks,
                keep: keep, mirrors: mirrors),
            wantedFavorites: { favorites }, favorites: { favorites }, damagedDays: { damagedDays },
            feed: kind, through: wrap, otherRoutes: otherRoutes, now: now)
    }

    package func synchronizer(
        _ options: Synchronizer.Options,
        wantedFavorites: @escaping @Sendable () -> Set<Day>,
        favorites: @escaping @Sendable () throws -> Set<Day>,
        damagedDays: @escaping @Sendable () -> Set<Day>,
        downloadDidEnd: @escaping @Sendable () -> Void = {},
        feed kind: FeedKind = .basic, through wrap: (any Feed) -> any Feed = { $0 },
        otherRoutes: Bool = false, now: (@Sendable () -> Date)? = nil,
        built: Date = Date(timeIntervalSince1970: Double(newest.advanced(by: -300).noon))
    ) -> Synchronizer {
        let address =
            switch kind {
            case .basic: simulator.basicAddress
            case .v1: simulator.v1Address
            }
        // On a busy machine, a request that the simulator lets hang must not count as slow before the test goes on.
        var limits = RequestLimits.standard
        limits.maximumSlowTime = .seconds(600)
        limits.listTimeout = .seconds(600)
        let client = Client(
            agent: "apod-mirror/test",
            policy: AddressPolicy(upstream: WebURL(stringLiteral: address)),
            retry: RequestAttempts(
                maximum: 3,
                backoff: Backoff(first: .milliseconds(1), factor: 2, longest: .seconds(1))),
            limits: limits, pace: .zero, width: Synchronizer.transfers(jobs: options.jobs),
            hosts: HostPauses(now: { [time] in time.withLock(\.timeIntervalSince1970) }))
        return Synchronizer(
            routes: FeedRoutes(
                wrap(client.feed(kind, at: WebURL(stringLiteral: address))),
                otherRoutes
                    ? client.otherRoutes(
                        besideAPIAt: WebURL(stringLiteral: address), mirrors: options.mirrors,
                        today: { [time] in Day(utcDateOf: time.withLock(\.self)) }) : []),
            client: client,
            store: store,
            options: options, wantedFavorites: wantedFavorites,
            scannedFavorites: { (try? favorites()) ?? [] }, favorites: favorites,
            damagedDays: damagedDays, downloadDidEnd: downloadDidEnd,
            now: now ?? { [time] in time.withLock { $0 } }, built: built)
    }

    /// Runs one sync.
    @discardableResult
    package func sync(
        since: Since = .days(10), jobs: Int = 4, downloadsVideos: Bool = false,
        feed: FeedKind = .basic, damagedDays: Set<Day> = [], mirrors: [ClassicMirror] = [],
        retry: SyncPlan.Retry = .due
    ) async -> SyncSummary {
        let events = synchronizer(
            since: since, jobs: jobs, downloadsVideos: downloadsVideos, damagedDays: damagedDays,
            mirrors: mirrors, feed: feed
        )
        .sync(retry: retry)
        return await events.summary()
    }

    /// The visible contents: files with their bytes, links with their targets, without state.json.
    package func contents() throws -> [String: [UInt8]] {
        try Self.contents(of: tree.root, below: "")
            .filter { !$0.key.hasPrefix(Layout.own) || $0.key.hasPrefix(Layout.previous) }
    }

    package static func contents(of folder: Directory, below: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in try folder.textNames() {
            switch try folder.status(name)?.kind {
            case .directory:
                guard let inner = try folder.folder(name) else { continue }
                found.merge(try contents(of: inner, below: "\(below)\(name)/")) { first, _ in first
                }
            case .symbolicLink: found[below + name] = Array((folder.target(of: name) ?? "").utf8)
            case .file: found[below + name] = try folder.read(name) ?? []
            case .other, nil: continue
            }
        }
        return found
    }

    /// Every file with its inode, size and times, which reveal a change.
    package func traces() throws -> [String: [Int]] {
        var traces: [String: [Int]] = [:]
        for path in try contents().keys {
            var status = stat()
            _ = unsafe lstat("\(tree.root.path)/\(path)", &status)
            traces[path] = [
                Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }
        return traces
    }
}

/// Runs `body` with a mirror of a generated archive of small pictures.
package nonisolated(nonsending) func withMirror<Result>(
    days: Int = 12, extras: Archive.Extras = [], settings: Simulator.Settings = .init(),
    minimumFree: Int = 0,
    _ body: nonisolated(nonsending) (MirrorUnderTest) async throws -> Result
) async throws -> Result {
    try await withTemporaryFolder { root in
        let simulator = try Simulator(
            .generated(
                newest: MirrorUnderTest.newest, days: days, size: (48, 32), extras: extras),
            settings: settings)
        defer { simulator.stop() }
        return try await body(MirrorUnderTest(simulator, root: root, minimumFree: minimumFree))
    }
}

/// Runs `body` with a mirror that was synced once: ten days, or the `days` of the archive.
package nonisolated(nonsending) func withSyncedMirror(
    days: Int? = nil, _ body: nonisolated(nonsending) (MirrorUnderTest) async throws -> Void
) async throws {
    try await withMirror(days: days ?? 12) { mirror in
        await mirror.sync(since: .days(days ?? 10))
        try await body(mirror)
    }
}
