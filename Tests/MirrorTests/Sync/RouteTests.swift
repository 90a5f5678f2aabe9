import APOD
import FoundationEssentials
import MirrorTesting
import Simulator
import Testing
import Transfer

@testable import Mirror

/// Which route is asked for NASA's days, and when the API is asked again.
@Suite(.timeLimit(.minutes(10))) struct RouteTests {
    private let newest = MirrorUnderTest.newest

    @discardableResult
    private func sync(
        _ mirror: MirrorUnderTest, since: Since = .days(10)
    ) async -> SyncSummary {
        await mirror.synchronizer(since: since, otherRoutes: true).sync().summary()
    }

    private func routes(_ mirror: MirrorUnderTest) -> Set<Route> {
        Set(mirror.simulator.requests.compactMap(\.route))
    }

    @Test func whileTheAPIWorksNoOtherRouteIsAsked() async throws {
        try await withMirror(days: 40) { mirror in
            for days in [10, 40] {
                await sync(mirror, since: .days(days))
                // The entry of the next day is late by a few hours.
                mirror.advance(hours: 11)
            }

            #expect(routes(mirror) == [.api])
            let state = try mirror.store.state()
            #expect(state.apiFailure == nil && state.otherRoutes == nil)
        }
    }

    /// A backfill of two months needs requests by month.
    @Test func aNewMirrorIsFilledByRSS() async throws {
        try await withMirror(days: 60) { mirror in
            mirror.simulator.inject(.html, on: .route(.api), times: nil)

            let summary = await sync(mirror, since: .days(60))

            #expect(summary.missing == 0 && summary.obstacle == nil, "\(summary)")
            let months = mirror.simulator.requests.compactMap { $0.query["month"] }
            #expect(months == ["10", "9"])
            let during = try mirror.store.state()
            #expect(during.otherRoutes?.count == 60)

            // The API is asked for all of them once it works, also for those that its newest list lacks.
            mirror.simulator.clearFaults()
            mirror.simulator.resetLog()
            await sync(mirror, since: .days(60))

            #expect(routes(mirror) == [.api])
            #expect(try mirror.store.state().otherRoutes == nil)
            #expect(try mirror.record(59).route == .api)
            #expect(mirror.simulator.requests.count { $0.kind == .media } == 0)
        }
    }

    /// The poll comes first, and shows which route the days have that were due before.
    @Test func theFirstSyncOfAnOutageRequestsDueDaysByTheOtherRoute() async throws {
        try await withMirror(days: 60) { mirror in
            await sync(mirror)
            mirror.simulator.inject(.html, on: .route(.api), times: nil)
            mirror.simulator.resetLog()

            let summary = await sync(mirror, since: .days(60))

            #expect(summary.missing == 0, "\(summary)")
            #expect(mirror.simulator.requests.count { $0.route == .api } == 1)
            let (old, known) = (try mirror.record(59), try mirror.record(9))
            #expect(old.route == .rss && known.route == .api)
        }
    }

    /// Such a list says nothing of the days that are due.
    @Test func anAPIThatListsOnlyDaysOfTheFutureCannotBeUsed() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(futureList, on: .route(.api), times: nil)

            let summary = await sync(mirror)

            #expect(summary.obstacle == nil && summary.missing == 0, "\(summary)")
            #expect(try mirror.record(0).route == .rss)
            let failure = try mirror.store.state().apiFailure
            #expect(
                failure?.message.contains("in the future") == true, "\(String(describing: failure))"
            )
        }
    }

    @Test func ifNoOtherRouteCanBeUsedEitherTheClockIsToBeChecked() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(futureList, on: .route(.api), times: nil)
            mirror.simulator.inject(.html, on: .route(.rss), times: nil)

            let summary = await sync(mirror)

            let obstacle = try #require(summary.obstacle)
            #expect(obstacle.kind == .clock && obstacle.text.contains("NASA's RSS feed ("))
            #expect(obstacle.text.contains("in the future"), "\(obstacle)")
        }
    }

    private var futureList: Fault {
        let day = newest.advanced(by: 30)
        return .json(#"[{"date": "\#(day)", "title": "A", "explanation": "B", "credit": "C"}]"#)
    }

    @Test func theFailureOfTheAPICountsFromItsFirstPoll() async throws {
        try await withSyncedMirror { mirror in
            let start = mirror.now
            mirror.simulator.inject(.status(503, body: nil), on: .route(.api), times: nil)
            await sync(mirror)
            mirror.advance(hours: 3)
            await sync(mirror)

            let failure = try #require(try mirror.store.state().apiFailure)
            #expect(failure.at == start && failure.message.contains("status 503"))
            mirror.simulator.clearFaults()
            await sync(mirror)
            #expect(try mirror.store.state().apiFailure == nil)
        }
    }

    /// The two are on one host.
    @Test func aPauseThatTheServerAsksForHoldsForBothRoutes() async throws {
        try await withSyncedMirror { mirror in
            mirror.simulator.inject(.throttled(retryAfter: "3600"), on: .route(.api), times: nil)
            mirror.simulator.resetLog()

            let summary = await sync(mirror)

            #expect(routes(mirror) == [.api])
            #expect(summary.obstacle?.text.contains("accepts no request before") == true)
        }
    }

    /// NASA paused for 42 days in 2025.
    @Test func aPauseOfNASAIsNoFailure() async throws {
        try await withSyncedMirror { mirror in
            mirror.advance(days: 5)
            mirror.simulator.resetLog()

            let summary = await sync(mirror)

            let state = try mirror.store.state()
            #expect(summary.obstacle == nil && summary.failure == nil && state.apiFailure == nil)
            // The old days are not requested elsewhere.
            #expect(mirror.simulator.requests.count { $0.route == .rss } == 1)
        }
    }

    /// The days before the end of an old list are those of the API.
    @Test func onlyTheDaysAfterAnOldListComeByRSS() async throws {
        try await withMirror { mirror in
            mirror.simulator.inject(
                .ending(at: newest.advanced(by: -3)), on: .route(.api), times: nil)

            let summary = await sync(mirror)

            #expect(summary.missing == 0)
            let routes = try mirror.store.state().otherRoutes
            #expect(routes?.keys.sorted() == [-2, -1, 0].map { newest.advanced(by: $0) })
            #expect(try mirror.store.state().apiFailure?.message == "its newest day is 2026-11-17")
            #expect(try mirror.record(0).route == .rss && mirror.record(3).route == .api)
        }
    }

    /// The API answers for the days before the end of its list.
    @Test func duringAPauseTheAPIProvesThatNASAHasNoEntryOfAnOlderDay() async throws {
        try await withMirror(days: 60) { mirror in
            let day = newest.advanced(by: -30)
            mirror.simulator.withdraw(day)
            mirror.simulator.inject(
                .ending(at: newest.advanced(by: -3)), on: .route(.api), times: nil)

            await sync(mirror, since: .days(60))

            let retry = try #require(try mirror.store.state().retries[day])
            #expect(retry.cause == .unpublished, "\(retry)")
            #expect(retry.reason == "NASA has no entry for that day yet")
        }
    }

    /// What the API sent is better than what another route may have.
    @Test func anotherRouteEditsNoDayOfTheAPI() async throws {
        try await withSyncedMirror { mirror in
            let before = try mirror.contents()
            mirror.simulator.inject(.html, on: .route(.api), times: nil)
            for age in 0..<3 {
                try mirror.simulator.edit(newest.advanced(by: -age)) { $0.title = "Another" }
            }

            await sync(mirror)

            #expect(try mirror.contents() == before)
            #expect(try mirror.store.state().otherRoutes == nil)
        }
    }

    /// Only the API knows what NASA has not.
    @Test func aDayThatAnotherRouteLacksIsRequestedSoonAfterTheOutage() async throws {
        try await withMirror(days: 60) { mirror in
            let day = newest.advanced(by: -30)
            let entry = try #require(mirror.simulator.entry(of: day))
            mirror.simulator.withdraw(day)
            mirror.simulator.inject(.html, on: .route(.api), times: nil)
            for _ in 0..<4 {
                await sync(mirror, since: .days(60))
                mirror.advance(days: 1)
            }

            let retry = try #require(try mirror.store.state().retries[day])
            #expect(retry.cause == .unreachable, "\(retry)")
            #expect(retry.reason == "NASA's RSS feed has no entry for that day yet")
            mirror.simulator.publish(entry)
            mirror.simulator.clearFaults()
            mirror.advance(days: 1)
            await sync(mirror, since: .days(70))

            #expect(try mirror.record(30).route == .api)
        }
    }

    @Test func aDayThatTheAPILostIsRequestedThereOnce() async throws {
        try await withMirror(days: 40) { mirror in
            mirror.simulator.inject(.html, on: .route(.api), times: nil)
            await sync(mirror, since: .days(40))
            mirror.simulator.withdraw(newest.advanced(by: -30))
            mirror.simulator.clearFaults()
            await sync(mirror, since: .days(40))
            mirror.simulator.resetLog()

            await sync(mirror, since: .days(40))

            let (state, record) = try (mirror.store.state(), mirror.record(30))
            #expect(state.otherRoutes == nil && record.route == .rss)
            #expect(mirror.simulator.requests.count == 1)
        }
    }

    /// The text of the other route is not mixed with it.
    @Test func theAnswerOfTheAPIWinsAsAnEdit() async throws {
        try await withMirror { mirror in
            try mirror.simulator.edit(newest) { $0.alt = "Of the feed" }
            mirror.simulator.inject(.html, on: .route(.api), times: nil)
            await sync(mirror)
            #expect(try mirror.record(0).route == .rss)
            mirror.simulator.clearFaults()
            try mirror.simulator.edit(newest) {
                $0.title = "Another"
                $0.alt = nil
            }

            await sync(mirror)

            let record = try mirror.record(0)
            #expect(record.route == .api && record.revision == 2)
            #expect(record.entry.title == "Another" && record.entry.alt == nil)
        }
    }

    @Test(
        arguments: [
            (.html, "no RSS feed"), (.empty, "no RSS feed"), (.placeholder, "no valid entry"),
            (.hugeBody(bytes: 5 << 20, of: Array("<rss>".utf8)), "longer than"),
            (.truncated(after: 2000), "NASA's RSS feed ("),
        ] as [(Fault, String)])
    func aBadFeedIsNamedBesideTheAPI(fault: Fault, reason: String) async throws {
        try await withSyncedMirror { mirror in
            mirror.simulator.inject(.html, on: .route(.api), times: nil)
            mirror.simulator.inject(fault, on: .route(.rss), times: nil)
            let before = try mirror.contents()

            let summary = await sync(mirror)

            let text = try #require(summary.obstacle?.text)
            #expect(text.contains("NASA's API (") && text.contains("NASA's RSS feed ("), "\(text)")
            #expect(text.contains(reason), "\(text)")
            #expect(try mirror.contents() == before)
        }
    }

    /// Its day is not due before a route has an entry of it.
    @Test(arguments: [.html, .ending(at: MirrorUnderTest.newest)] as [Fault])
    func aRefusedItemOfANewDayIsReported(outage: Fault) async throws {
        try await withSyncedMirror { mirror in
            let day = newest.advanced(by: 1)
            mirror.advance(days: 2)
            mirror.simulator.publish(
                SimulatedEntry(
                    day: day, title: "A title", explanationHTML: "A text.", media: .other))
            mirror.simulator.inject(outage, on: .route(.api), times: nil)

            let summary = await sync(mirror)

            #expect(summary.newest == newest && summary.obstacle == nil, "\(summary)")
            let error = try mirror.store.state().lastError
            #expect(error?.message == "\(day): NASA's RSS feed has no picture and no video of it")
        }
    }

    /// NASA may pause, which is no failure; but the other routes cannot say so.
    @Test func routesThatFailBesideAnOldListAreReported() async throws {
        try await withSyncedMirror { mirror in
            mirror.advance(days: 3)
            mirror.simulator.inject(.html, on: .route(.rss), times: nil)

            let summary = await sync(mirror)

            let state = try mirror.store.state()
            #expect(summary.obstacle == nil && state.apiFailure == nil, "\(summary)")
            #expect(state.lastError?.message.hasPrefix("NASA's RSS feed cannot be used: ") == true)
        }
    }

    @Test func eachRouteIsReportedWithItsOwnReason() async throws {
        let entry = SimulatedEntry(
            day: newest, title: "A title", explanationHTML: "A text.",
            media: .drawn("a.jpg", seed: 3, width: 48, height: 32))
        try await withMirror(settings: .init(classicMirror: Archive([entry]))) { mirror in
            for (route, age) in [(Route.api, 3), (.rss, 2)] {
                mirror.simulator.inject(
                    .ending(at: newest.advanced(by: -age)), on: .route(route), times: nil)
            }

            let mirrors = [ClassicMirror(try .init(mirror.simulator.classicAddress))]
            _ = await mirror.synchronizer(mirrors: mirrors, otherRoutes: true).sync().summary()

            let state = try mirror.store.state()
            #expect(state.apiFailure?.message == "its newest day is 2026-11-17")
            #expect(
                state.lastError?.message
                    == "NASA's RSS feed cannot be used: its newest day is 2026-11-18")
            #expect(try mirror.record(0).route == .classic)
        }
    }

    @Test func anItemOfTheFutureIsRefusedAndTheOthersAreTaken() async throws {
        try await withMirror { mirror in
            let future = newest.advanced(by: 9)
            mirror.simulator.publish(
                SimulatedEntry(
                    day: future, title: "Tomorrow", explanationHTML: "A text.",
                    media: .drawn("t.jpg", seed: 3, width: 48, height: 32)))
            mirror.simulator.inject(.html, on: .route(.api), times: nil)

            let summary = await sync(mirror)

            #expect(summary.newest == newest && summary.missing == 0, "\(summary)")
            let (record, state) = try (mirror.store.record(of: future), mirror.store.state())
            #expect(record == nil)
            #expect(state.lastError?.message.contains("in the future") == true)
        }
    }
}
