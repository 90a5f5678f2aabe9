import APOD
import FoundationEssentials
import Testing

@testable import Mirror

@Suite struct SyncPlanTests {
    let now = Date(timeIntervalSince1970: 1_795_000_000)
    let newest = Day(iso: "2026-11-20") ?? .first

    private func plan(
        complete: Set<Day> = [], since: Since = .days(5), states: [Day: DayState] = [:],
        favorites: Set<Day> = [], retry: SyncPlan.Retry = .due
    ) -> SyncPlan {
        SyncPlan(
            range: since.range(newest: newest), urgent: favorites, now: now, retry: retry
        ) { day in states[day] ?? (complete.contains(day) ? .complete : .unknown) }
    }

    private func state(_ cause: RetryState.Cause, at date: Date? = nil) -> DayState {
        .retried(RetryState(cause, "…", after: nil, at: date ?? now))
    }

    private func day(_ ago: Int) -> Day { newest.advanced(by: -ago) }

    @Test func daysThatWereNeverPublishedAreNotPlanned() {
        let plan = plan(since: .all)

        #expect(plan.days.count == Day.first.distance(to: newest) + 1 - 4)
        #expect(Set(plan.days).isDisjoint(with: Day.neverPublished))
        #expect(plan.days.first == newest)
        #expect(plan.days.last == .first)
    }

    @Test(arguments: RetryState.Cause.allCases)
    func aDayIsPlannedFromItsRetryTimeOn(cause: RetryState.Cause) throws {
        let waiting = state(cause)
        let next = try #require(waiting.retry?.next)
        let early = plan(states: [day(2): waiting])
        let due = plan(
            states: [day(2): state(cause, at: now.addingTimeInterval(-next.timeIntervalSince(now)))]
        )

        #expect(!early.days.contains(day(2)) && early.nextRetry == next)
        #expect(due.days.contains(day(2)))
    }

    /// A whole archive has hundreds of days without a picture.
    @Test func aRetryAfterMoreThanADayWaitsForAPoll() throws {
        var retry = RetryState(.noImage, "…", after: nil, at: now - 90 * 86_400)
        for _ in 0..<2 { retry = RetryState(.noImage, "…", after: retry, at: retry.next) }
        #expect(retry.next.timeIntervalSince(retry.last) > 86_400)
        retry.last += now.timeIntervalSince(retry.next) + 60
        retry.next = now + 60

        #expect(plan(states: [day(2): .retried(retry)]).nextRetry == nil)
        retry.next = now
        #expect(plan(states: [day(2): .retried(retry)]).days.contains(day(2)))
    }

    @Test func consecutiveDaysShareARequestAndAnIsolatedDayHasItsOwn() {
        let days = [day(0), day(1), day(20), day(60), day(100), day(101)]

        #expect(
            EntrySearch.ranges(of: days) == [
                day(20)...day(0), day(60)...day(60), day(101)...day(100),
            ])
    }

    @Test func favoritesArePlannedFirstEvenOutsideOfTheRange() {
        let plan = plan(
            complete: [day(3)], favorites: [day(2), day(3), day(700), day(400)])

        #expect(plan.days == [day(2), day(400), day(700), day(0), day(1), day(4)])
        #expect(
            EntrySearch.ranges(of: plan.days) == [
                day(2)...day(2), day(400)...day(400), day(700)...day(700), day(4)...day(0),
            ])
    }

    @Test func everyMissingDayIsRequestedOnce() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let share = Double.random(in: 0...1, using: &random)
            let have = Set((0..<400).map(day)).filter { _ in
                Double.random(in: 0...1, using: &random) < share
            }
            let plan = plan(complete: have, since: .days(400))
            let requested = EntrySearch.ranges(of: plan.days).flatMap { Array($0) }
            #expect(Set(plan.days).isSubset(of: requested))
            #expect(Set(requested).count == requested.count)
            #expect(Set(plan.days).union(have).count == 400)
        }
    }

    @Test func sinceIsCountedFromNASAsNewestDay() {
        #expect(Since.days(1).range(newest: newest) == newest...newest)
        #expect(Since.days(30).range(newest: newest) == day(29)...newest)
        #expect(Since.days(99_999).range(newest: newest) == Day.first...newest)
        #expect(Since.all.range(newest: newest) == Day.first...newest)
        #expect(Since.day(day(-1)).range(newest: newest) == nil)
    }

    @Test(arguments: ["", "0d", "-3d", "30", "d", "yesterday", "2026-13-01", "1995-06-15", "ALL"])
    func anInvalidSinceIsRejected(text: String) {
        #expect(Since(text) == nil)
    }
}
