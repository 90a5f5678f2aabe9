import APOD
import FoundationEssentials
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Mirror

/// When a sync walks over the tree, and what one without a walk finds.
@Suite(.timeLimit(.minutes(10))) struct ReusedWalkTests {
    /// Makes a walk that the next polls reuse, also at midnight UTC: at noon, midnight is twelve hours away.
    private func holdWalk(_ mirror: MirrorUnderTest) throws {
        _ = try mirror.store.snapshots.walk(at: Date(timeIntervalSince1970: 43_200))
        mirror.store.snapshots.release(holdingUntilMidnight: true)
    }

    /// Any other walk is held for seconds: that of a single sync, and one with a directory that a person may make
    /// readable again at any time.
    @Test func theDaemonHoldsAWalkUntilMidnightUnlessItIsInvalidated() async throws {
        try await withSyncedMirror { mirror in
            let snapshots = mirror.store.snapshots
            let walk = try snapshots.walk(at: Date(timeIntervalSince1970: 43_200))
            snapshots.release(holdingUntilMidnight: true)

            #expect(snapshots.reuse(at: .now + .seconds(13 * 3600)) == nil)
            #expect(snapshots.reuse(at: .now + .seconds(11 * 3600)) == walk)
            snapshots.release(holdingUntilMidnight: true)
            snapshots.invalidate()
            #expect(snapshots.reuse() == nil)

            for isDaemon in [false, true] {
                if isDaemon { try mirror.write("a file", to: "metadata/2020") }
                #expect(try snapshots.walk().unreadable.isEmpty != isDaemon)
                snapshots.release(holdingUntilMidnight: isDaemon)
                #expect(snapshots.reuse(at: .now + SnapshotOwner.lifetime * 2) == nil)
            }
        }
    }

    /// As after a copy without times: the time of its picture shows whether a thumbnail is up to date.
    @Test(arguments: [false, true])
    func theHeldWalkHasTheTimesThatTheMirrorCorrects(isThumbnail: Bool) async throws {
        try await withSyncedMirror { mirror in
            let record = try mirror.record()
            let day = record.entry.day
            let thumbnail = ViewFiles.File(
                path: Layout.thumbnail(of: day), bytes: [1], modified: day.noon)
            let files = ViewFiles(of: .thumbnails, in: mirror.store)
            _ = try files.publish([thumbnail])
            let path = isThumbnail ? thumbnail.path : try mirror.picture()
            try mirror.tree.root.setModified(1, of: path)
            let walk = try mirror.store.snapshots.walk()
            mirror.store.snapshots.release(holdingUntilMidnight: true)

            if isThumbnail {
                _ = try files.publish([thumbnail])
            } else {
                mirror.store.setMissingTimes(of: record)
            }

            let current = try mirror.store.snapshots.current()
            #expect(try current != walk && current == TreeSnapshot(of: mirror.tree.root))
        }
    }

    @Test func aPollWithoutAWalkIsOneRequestAndLeavesDeletedFilesToTheNextWalk() async throws {
        try await withSyncedMirror { mirror in
            try holdWalk(mirror)
            let picture = try mirror.picture()
            try mirror.tree.root.remove(picture)
            mirror.simulator.resetLog()

            let quiet = await poll(mirror)
            #expect(!quiet.hasNews && quiet.withFiles == 10)
            #expect(mirror.simulator.requests.count == 1)
            #expect(try mirror.tree.root.status(picture) == nil)

            let walked = await mirror.sync()
            #expect(walked.hasNews && walked.downloaded == 1)
            #expect(try mirror.tree.root.status(picture) != nil)
        }
    }

    @Test func aPollWithoutAWalkFindsNewDaysAndEditsAndFailures() async throws {
        try await withMirror { mirror in
            mirror.simulator.newest = MirrorUnderTest.newest.advanced(by: -1)
            await mirror.sync()
            try holdWalk(mirror)
            mirror.simulator.newest = MirrorUnderTest.newest
            try mirror.simulator.edit(MirrorUnderTest.newest.advanced(by: -3)) {
                $0.title = "Quite Another Title"
            }

            let fruitful = await poll(mirror)
            #expect(fruitful.hasNews && fruitful.downloaded > 0 && fruitful.edited == 1)
            let quiet = await poll(mirror)
            #expect(!quiet.hasNews && quiet.withFiles == 10)
            #expect(try mirror.store.snapshots.current() == TreeSnapshot(of: mirror.tree.root))

            // NASA saves a record again without an edit: `latest.json` is a copy of it.
            try mirror.simulator.edit(MirrorUnderTest.newest) {
                $0.modified = "2026-11-20T08:00:00-05:00"
            }
            let saved = await poll(mirror)
            #expect(saved.hasNews && saved.edited == 0 && saved.downloaded == 0)
            #expect(await !poll(mirror).hasNews)

            mirror.simulator.inject(.status(500, body: nil), on: .lists, times: nil)
            let failed = await poll(mirror)
            #expect(failed.hasNews && failed.obstacle != nil)
        }
    }

    /// NASA replaces a small copy by the original at the same address, or does so only after it has announced its size.
    @Test(arguments: [false, true])
    func aPollWithoutAWalkFindsALargerPictureThatNASAAnnounces(isLate: Bool) async throws {
        try await withMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -2)
            let small = Drawing(seed: 5, width: 48, height: 32)
            let large = Drawing(seed: 5, width: 96, height: 64)
            func publish(_ source: PictureSource) throws {
                try mirror.simulator.edit(day) {
                    $0.media = .picture(SimulatedPicture(name: "m1.jpg", source: source))
                }
            }
            try publish(.drawn(small))
            await mirror.sync()
            try holdWalk(mirror)
            if isLate {
                try publish(.bytes(small.encoded(), width: large.width, height: large.height))
                _ = await poll(mirror)
                #expect(try mirror.store.state().retries[day]?.cause == .reduced)
                #expect(try mirror.record(2).picture?.isReduced == true)
                mirror.simulator.resetLog()
                _ = await poll(mirror)
                #expect(mirror.mediaRequests == 0)
                mirror.advance(days: 1)
            }
            try publish(.drawn(large))

            _ = await poll(mirror)

            let picture = try #require(try mirror.record(2).picture)
            #expect(picture.width == large.width && !picture.isReduced)
            #expect(try mirror.store.state().retries[day] == nil)
        }
    }

    @Test func aPollWithoutAWalkFindsAFileThatAPersonPutsBack() async throws {
        try await withSyncedMirror { mirror in
            let picture = try mirror.picture()
            try mirror.move(picture, to: "away.jpg")
            let day = MirrorUnderTest.newest.advanced(by: -1)
            mirror.simulator.inject(.notFound, on: .mediaOf(day), times: nil)
            let walked = await mirror.sync()
            #expect(walked.downloaded == 0 && walked.nextRetry != nil)
            try holdWalk(mirror)
            try mirror.move("away.jpg", to: picture)
            mirror.advance(hours: 1)

            let found = await poll(mirror)
            #expect(found.hasNews && found.withFiles == 10)
            #expect(found.nextRetry == nil)
            let quiet = await poll(mirror)
            #expect(!quiet.hasNews && quiet.withFiles == 10)
        }
    }

    @Test func aFileThatIsMovedAwayAndBackIsFoundByTheNextWalk() async throws {
        try await withSyncedMirror { mirror in
            let day = MirrorUnderTest.newest.advanced(by: -1)
            func isFound() throws -> Bool {
                try mirror.store.daysWithFiles(TreeSnapshot(of: mirror.tree.root)).contains(day)
            }
            let picture = try mirror.picture()
            let other = picture.replacing(".jpg", with: " (1).jpg")
            try mirror.move(picture, to: other)
            #expect(try !isFound())

            try mirror.move(other, to: picture)

            #expect(try isFound())
        }
    }

    /// The walk says that the picture is here, and no other walk follows.
    @Test func aPollWithoutAWalkThatFindsAPictureGoneCountsTheDayAsMissing() async throws {
        try await withSyncedMirror { mirror in
            try holdWalk(mirror)
            let day = MirrorUnderTest.newest.advanced(by: -1)
            try mirror.remove(mirror.picture())
            try mirror.replacePicture()
            mirror.simulator.inject(.status(500, body: nil), on: .mediaOf(day), times: nil)

            let failed = await poll(mirror)

            #expect(failed.withFiles == 9 && failed.missing == 1)
            #expect(try mirror.store.state().retries[day]?.hasFiles == false)
        }
    }

    /// Syncs as the daemon does at the time of a poll.
    private func poll(_ mirror: MirrorUnderTest) async -> SyncSummary {
        mirror.store.snapshots.release(holdingUntilMidnight: true)
        defer { mirror.store.snapshots.release(holdingUntilMidnight: true) }
        return await mirror.synchronizer().sync(reusesWalk: true).summary()
    }
}
