import APOD
import FoundationEssentials
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// What keeps all days away, and how long it counts.
@Suite(.timeLimit(.minutes(10))) struct SyncObstacleTests {
    /// The time of the newest day, or an earlier one.
    private static func noon(daysBefore days: Int) -> Date {
        Date(
            timeIntervalSince1970: Double(MirrorUnderTest.newest.advanced(by: -days).noon))
    }

    /// All entries are later than tomorrow; or the clock is before the program was built, and no certificate is valid.
    @Test(arguments: [(30, Fault?.none), (400, .refuse)])
    func aWrongClockIsNamed(daysBehind: Int, fault: Fault?) async throws {
        try await withMirror { mirror in
            if let fault { mirror.simulator.inject(fault, on: .any, times: nil) }

            let now = Self.noon(daysBefore: daysBehind)
            let summary = await mirror.synchronizer(now: { now }).sync().summary()

            let state = try mirror.store.state()
            #expect(summary.obstacle?.kind == .clock, "\(summary)")
            #expect(state.obstacle?.kind == .clock)
        }
    }

    @Test func anObstacleCountsSinceTheFirstOfItsSyncs() async throws {
        try await withSyncedMirror { mirror in
            mirror.simulator.inject(.refuse, on: .any, times: nil)
            _ = await mirror.sync()
            let first = try #require(try mirror.store.state().obstacle)
            _ = await mirror.sync()
            let second = try #require(try mirror.store.state().obstacle)
            mirror.simulator.clearFaults()
            _ = await mirror.sync()

            #expect(first.kind == .network && second.kind == .network)
            #expect(second.since == first.since)
            #expect(try mirror.store.state().obstacle == nil)
        }
    }

    /// A person's file is in the place of the directory of the month.
    @Test func anErrorOfThisMachineThatKeepsAllDaysAwayLastsUntilOneIsPublished() async throws {
        try await withMirror { mirror in
            let place = Layout.folder(Layout.pictures, of: MirrorUnderTest.newest)
            let (above, name) = Layout.split(place)
            let folder = try mirror.tree.root.makeDirectory(above)
            try AtomicFile(name, in: folder).publish(in: folder, as: name)

            let first = await mirror.sync()
            // All days wait for their retries.
            let second = await mirror.sync()
            try folder.remove(name)
            let third = await mirror.sync(retry: .transient)

            #expect(first.obstacle?.kind == .disk && first.downloaded == 0, "\(first)")
            #expect(second.obstacle?.kind == .disk, "\(second)")
            #expect(third.obstacle == nil && third.withFiles == 10, "\(third)")
        }
    }

    @Test func aDiskWithLessThanMinFreeGetsNoRequestAndSaysHowMuchIsFree() async throws {
        try await withMirror { mirror in
            let store = try Store(tree: mirror.tree, minimumFree: 1 << 60)
            let obstacle = try #require(try store.spaceObstacle())

            #expect(obstacle.kind == .space)
            #expect(obstacle.text.hasPrefix("--min-free 1048576TiB: "), "\(obstacle)")
            #expect(obstacle.summary.hasSuffix("are free, nothing is downloaded"), "\(obstacle)")
        }
    }
}
