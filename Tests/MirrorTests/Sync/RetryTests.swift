import APOD
import FoundationEssentials
import MirrorTesting
import Platform
import Simulator
import Testing
import Transfer

@testable import Mirror

/// The retry times and the causes of failed days.
@Suite(.timeLimit(.minutes(10))) struct RetryTests {
    let newest = MirrorUnderTest.newest
    private func day(_ ago: Int) -> Day { newest.advanced(by: -ago) }

    /// The newest page came a moment ago.
    @Test func theDaysOfAListThatDoesNotComeAreRequestedOneByOne() async throws {
        try await withMirror(days: 100) { mirror in
            let synchronizer = mirror.synchronizer(since: .days(90)) { FeedWithoutLists(feed: $0) }

            let summary = await synchronizer.sync().summary()

            #expect(summary.withFiles == 90 && summary.missing == 0)
        }
    }

    /// They are the newest of the days that are requested one by one.
    @Test func daysThatFailInEachSyncKeepNoOtherDayAway() async throws {
        try await withMirror(days: 100) { mirror in
            let failing: Set = [day(25), day(26), day(27)]
            let synchronizer = mirror.synchronizer(since: .days(90)) {
                FeedWithoutLists(feed: $0, failsForDay: failing.contains)
            }

            for _ in 0..<3 { _ = await synchronizer.sync(retry: .anyFailure).summary() }

            let retries = try mirror.store.state().retries
            #expect(Set(retries.keys) == failing)
            let days = try TreeSnapshot(of: mirror.tree.root).recordedWithMedia
            #expect(days.count == 87)
        }
    }

    /// A list may hang for longer than a sync lasts.
    @Test func aFailedListIsNoProgressOfASyncThatIsToEnd() async throws {
        try await withMirror(days: 100) { mirror in
            await mirror.sync(since: .days(25))
            // A download that the sync has begun goes on after its end.
            mirror.simulator.inject(.hang, on: .media, times: nil)
            // So many that no day waits for a slot, which would be progress, too.
            let synchronizer = mirror.synchronizer(since: .days(90), jobs: 30) {
                FeedWithoutLists(feed: $0)
            }
            let events = synchronizer.sync()
            events.end()

            for await _ in events {}

            #expect(!synchronizer.downloads.days.isEmpty)
            await synchronizer.cancelDownloads()
        }
    }

    /// In an outage, each request takes long: one for the newest page, and one for a list.
    @Test func anOutageEndsTheSearchAtItsFirstRequest() async throws {
        try await withMirror(days: 100) { mirror in
            await mirror.sync(since: .days(30))
            mirror.simulator.inject(.refuse, on: .any, times: nil)

            await mirror.sync(since: .days(90))

            let retries = try mirror.store.state().retries
            #expect(retries.isEmpty, "no day was requested alone")
        }
    }

    @Test func daysThatWereNotRequestedAreRetriedWithinAnHour() async throws {
        try await withMirror(days: 100) { mirror in
            let synchronizer = mirror.synchronizer(since: .days(90)) {
                FeedWithoutLists(feed: $0, failsForDay: { _ in true })
            }

            let summary = await synchronizer.sync().summary()

            #expect(summary.withFiles == 25 && summary.missing == 65)
            let next = try #require(summary.nextRetry)
            #expect(next.timeIntervalSince(synchronizer.now()) <= 3600)
        }
    }

    /// The connections for the newest pictures break, and those for all others on the same host do not.
    @Test(arguments: [1, 4])
    func picturesThatFailInEachSyncKeepNoOtherDayAway(jobs: Int) async throws {
        try await withMirror(days: 30) { mirror in
            for ago in 0..<4 {
                mirror.simulator.inject(.refuse, on: .mediaOf(day(ago)), times: nil)
            }

            let first = await mirror.sync(since: .days(30), jobs: jobs)
            let second = await mirror.sync(since: .days(30), jobs: jobs, retry: .anyFailure)

            // Four days are refused, and perhaps eight more, until a request shows that the host works.
            #expect(first.withFiles >= 30 - 4 - 4 - 8, "\(first)")
            #expect(second.withFiles == 30 - 4, "\(second)")
        }
    }

    @Test func oneDeadPictureCostsNoOtherDayAnAttempt() async throws {
        try await withMirror(days: 30) { mirror in
            mirror.simulator.inject(.refuse, on: .mediaOf(newest), times: nil)

            #expect(await mirror.sync(since: .days(30), jobs: 1).withFiles == 29)
        }
    }

    @Test func aHostWithoutAnyAnswerGetsFewRequestsAndEachSyncTriesOtherDays() async throws {
        try await withMirror(days: 60) { mirror in
            mirror.simulator.inject(.refuse, on: .media, times: nil)
            var days: [Set<Day?>] = []
            for _ in 0..<2 {
                mirror.simulator.resetLog()
                await mirror.sync(since: .days(60), jobs: 1, retry: .anyFailure)
                // Three attempts for each of four addresses of two days, and one address of each other day.
                #expect(mirror.mediaRequests <= 3 * (2 * 4 + 6))
                days.append(Set(mirror.simulator.requests.filter { $0.kind == .media }.map(\.day)))
            }

            // The newest day is requested first in each sync.
            #expect(days[0].count > 3 && days[1].subtracting(days[0]).count > 1, "\(days)")
            let retries = try mirror.store.state().retries
            #expect(retries.count == 60)
            #expect(Set(retries.values.map(\.attempts)).isSuperset(of: [0, 1]))
        }
    }

    @Test(arguments: [Fault.notFound, .truncated(after: 40), .status(503, body: nil)])
    func aPictureThatWasBrokenAtPublicationComesWithTheNextPoll(fault: Fault) async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(fault, on: .mediaOf(newest), times: nil)
            for _ in 0..<12 {
                #expect(await mirror.sync().awaitsPicture)
                mirror.advance(hours: 1)
            }
            mirror.simulator.clearFaults()

            let summary = await mirror.sync()

            #expect(summary.newestWithFiles == newest && !summary.awaitsPicture)
        }
    }

    @Test func aPictureThatStaysBrokenIsTriedAtEveryPollForTwoDays() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(.notFound, on: .mediaOf(newest), times: nil)
            await mirror.sync()
            mirror.advance(hours: 47)
            #expect(await mirror.sync().awaitsPicture)
            mirror.simulator.resetLog()

            // Syncs may follow each other at once.
            #expect(await mirror.sync().awaitsPicture)
            #expect(mirror.mediaRequests == 0)

            mirror.advance(hours: 1)
            #expect(await mirror.sync().awaitsPicture == false)
        }
    }

    /// NASA published nothing for eight days, and then all of them at once.
    @Test func daysThatAreLaterThanTheRangeAreDownloaded() async throws {
        try await withMirror(days: 20) { mirror in
            mirror.simulator.newest = day(8)
            await mirror.sync(since: .days(3))
            mirror.simulator.newest = newest

            let summary = await mirror.sync(since: .days(3))

            #expect(summary.downloaded == 8 && summary.missing == 0)
            let days = try TreeSnapshot(of: mirror.tree.root).recordedWithMedia
            #expect(days.count == 11)
            // From now on, the range is that of the setting.
            #expect(await mirror.sync(since: .days(3)).expected == 3)
        }
    }

    /// NASA's server fails, or has lost the picture, until its day has left the range.
    @Test(arguments: [Fault.notFound, .status(503, body: nil)])
    func aMissingDayStaysWantedWhenItLeavesTheRange(fault: Fault) async throws {
        try await withMirror(days: 20) { mirror in
            mirror.simulator.inject(fault, on: .mediaOf(day(12)), times: nil)
            for ago in (0...12).reversed() {
                mirror.simulator.newest = day(ago)
                await mirror.sync(since: .days(3))
                mirror.advance(days: 1)
            }
            mirror.simulator.clearFaults()
            mirror.advance(days: 60)

            await mirror.sync(since: .days(3))

            let picture = try mirror.record(12).picture
            #expect(picture != nil)
            #expect(await mirror.sync(since: .days(3)).expected == 3)
        }
    }

    /// NASA does not have the picture, and will not have it.
    @Test func aLostPictureDoesNotStayWantedForEver() async throws {
        try await withMirror(days: 20) { mirror in
            mirror.simulator.inject(.notFound, on: .mediaOf(day(6)), times: nil)
            mirror.simulator.newest = day(5)
            await mirror.sync(since: .days(3))
            mirror.simulator.newest = newest
            #expect(await mirror.sync(since: .days(3)).expected == 7)

            for _ in 0..<8 {
                mirror.advance(days: 30)
                await mirror.sync(since: .days(3))
            }

            let state = try mirror.store.state()
            #expect(state.retries.isEmpty && state.missingFrom == nil)
        }
    }

    @Test func aShorterSettingForgetsTheMissingDaysBeforeIt() async throws {
        try await withMirror(days: 20) { mirror in
            mirror.simulator.inject(.status(503, body: nil), on: .mediaOf(day(6)), times: nil)
            mirror.simulator.newest = day(6)
            await mirror.sync(since: .days(3))
            mirror.simulator.newest = newest

            let summary = await mirror.sync(since: .days(3))
            #expect(summary.missing == 1 && summary.expected == 7)
            let shorter = await mirror.sync(since: .days(2))
            #expect(shorter.missing == 0 && shorter.expected == 2)
            let state = try mirror.store.state()
            #expect(state.retries.isEmpty)
        }
    }

    /// What a firewall, a filter, or a page that asks for consent or a login answers for every file.
    private static let refusals: [Fault] =
        [401, 403, 451].map { .status($0, body: nil) }
        + [0, 2000].map { padding in
            let page = "<html>please accept\(String(repeating: " ", count: padding))</html>"
            return .verbatim(status: 200, headers: [:], body: Array(page.utf8))
        }

    /// The answer says nothing about the picture, so that the host may serve it at any time.
    @Test(arguments: refusals)
    func aPictureThatItsHostRefusesIsRequestedDailyAndAtAStart(fault: Fault) async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(fault, on: .mediaOf(day(4)), times: nil)
            for _ in 0..<24 {
                await mirror.sync()
                mirror.advance(hours: 12)
            }
            await mirror.sync()
            let retry = try #require(try mirror.store.state().retries[day(4)])
            #expect(retry.next.timeIntervalSince(retry.last) <= 86_400)
            mirror.simulator.clearFaults()
            #expect(await mirror.sync().downloaded == 0)

            let summary = await mirror.sync(retry: .transient)

            #expect(summary.downloaded == 1 && summary.missing == 0)
        }
    }

    /// It is NASA's own file, and not the answer of a filter: the start of a long file, and the whole of a short one.
    @Test(arguments: [0, 2000])
    func aFileOfAnotherTypeIsNoRefusal(padding: Int) async throws {
        try await withMirror { mirror in
            let drawing = Array("<svg>\(String(repeating: " ", count: padding))</svg>".utf8)
            mirror.simulator.inject(
                .verbatim(status: 200, headers: [:], body: drawing), on: .mediaOf(day(4)),
                times: nil)

            await mirror.sync()

            let retry = try #require(try mirror.store.state().retries[day(4)])
            #expect(retry.isRefused == nil && retry.reason.contains("an SVG drawing"))
        }
    }

    /// The better one waits as long as that of any other reduced copy.
    @Test func aRefusedOriginalOfADayWithACopyIsNotRequestedAtAStart() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(.status(403, body: nil), on: .originals, times: nil)
            await mirror.sync()
            let retries = try mirror.store.state().retries
            #expect(!retries.isEmpty && retries.values.allSatisfy(\.hasFiles))
            mirror.simulator.resetLog()

            await mirror.sync(retry: .transient)

            #expect(mirror.mediaRequests == 0)
        }
    }

    /// The clock was a year ahead when the days were rejected.
    @Test func aRetryTimeSetByAWrongClockIsIgnored() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(.notFound, on: .mediaOf(day(4)), times: nil)
            mirror.advance(days: 365)
            await mirror.sync()
            mirror.simulator.clearFaults()
            mirror.advance(days: -365)
            await mirror.sync()
            mirror.advance(days: 2)

            let summary = await mirror.sync()

            #expect(summary.missing == 0)
        }
    }

    /// It is neither due in each sync, nor counted as here.
    @Test func aPictureThatIsLostHereAndAtNASAIsRetriedWithGrowingDelays() async throws {
        try await withSyncedMirror { mirror in
            try mirror.simulator.edit(day(1)) { $0.media = .lost }
            await mirror.sync()
            try mirror.remove(mirror.picture())

            await mirror.sync()

            let retry = try #require(try mirror.store.state().retries[day(1)])
            #expect(retry.cause == .lost && retry.attempts == 1)
            let waiting = await mirror.sync()
            #expect(waiting.missing == 1 && waiting.nextRetry == retry.next)
        }
    }

    @Test(arguments: [SimulatedMedia.other, .lost])
    func theRemovedRecordOfADayWithoutAPictureIsRewrittenAtOnce(media: SimulatedMedia) async throws
    {
        try await withMirror { mirror in
            try mirror.simulator.edit(day(4)) { $0.media = media }
            await mirror.sync()
            try mirror.remove(mirror.recordPath(4))

            await mirror.sync()

            #expect(try mirror.store.record(of: day(4)) != nil)
            mirror.simulator.resetLog()
            await mirror.sync()
            #expect(!mirror.simulator.requests.contains { $0.day == day(4) })
        }
    }

    /// The next start, reload or `run --once` requests it.
    @Test(arguments: [SyncPlan.Retry.transient, .anyFailure])
    func anEditedPictureWhoseServerFailedOnceIsNotDelayed(retry: SyncPlan.Retry) async throws {
        try await withSyncedMirror { mirror in
            try mirror.replacePicture(3)
            mirror.simulator.inject(.status(500, body: nil), on: .mediaOf(day(3)), times: nil)
            await mirror.sync()
            let failed = try #require(try mirror.store.state().retries[day(3)])
            #expect(failed.hasFiles && failed.cause == .unreachable)
            mirror.simulator.clearFaults()

            let summary = await mirror.synchronizer().sync(retry: retry).summary()

            #expect(summary.downloaded == 1)
            #expect(try mirror.record(3).picture?.width == 64)
            #expect(try mirror.store.state().retries[day(3)] == nil)
        }
    }

    @Test(arguments: [(1, true), (Int.max, false)])
    func aFileThatDidNotFitIsRequestedOnceThereIsRoom(bytes: Int, isRequested: Bool) async throws {
        try await withMirror(days: 40) { mirror in
            await mirror.sync(since: .days(30))
            var state = try mirror.store.state()
            let retry = RetryState(
                .doesNotFit, "too large", neededBytes: bytes, after: nil,
                at: Date(timeIntervalSince1970: Double(MirrorUnderTest.newest.noon)))
            state.retries[day(39)] = retry
            try mirror.store.save(state)
            mirror.simulator.resetLog()

            await mirror.sync(since: .days(40))

            let requested = mirror.simulator.requests.filter { $0.kind == .media }.map(\.day)
            #expect(requested.contains(day(39)) == isRequested)
        }
    }

    @Test(arguments: [
        (Fault.notFound, RetryState.Cause.unpublished), (.html, .unusable), (.wrongDay, .unusable),
        (.status(403, body: nil), .unusable),
        (.status(500, body: nil), .unreachable), (.refuse, .unreachable),
    ])
    func theCauseOfAFailedDayIsItsOwn(fault: Fault, cause: RetryState.Cause) async throws {
        try await withMirror(days: 31) { mirror in
            await mirror.sync(since: .days(30))
            // An isolated day that the list of the newest lacks is requested by its own URL.
            mirror.simulator.inject(fault, on: .day(day(30)), times: nil)

            await mirror.sync(since: .days(31))

            let retry = try mirror.store.state().retries[day(30)]
            #expect(retry?.cause == cause)
        }
    }
}
