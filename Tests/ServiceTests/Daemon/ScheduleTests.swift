import APOD
import FoundationEssentials
import Mirror
import Service
import TestSupport
import Testing

@Suite struct ScheduleTests {
    private let now = Date(timeIntervalSince1970: 1_795_000_000)

    @Test func aBacklogContinuesAtOnceUnlessTheSyncFailedAndAFullDiskIsCheckedEveryMinute() {
        var summary = SyncSummary()
        summary.isUnfinished = true
        let schedule = Schedule(mirror: "a")
        #expect(schedule.next(after: now, summary, failures: 0) == now)
        #expect(schedule.next(after: now, summary, failures: 1) > now)

        summary.isUnfinished = false
        summary.obstacle = .init(.space, "full")
        #expect(schedule.next(after: now, summary, failures: 0) == now + 60)
    }

    /// Ten years of NASA: one entry per day at 00:05 in New York, sometimes hours or days late.
    struct History {
        /// Seconds since 1970 at which each day appeared, in order.
        var publications: [(day: Day, at: Double, isOnTime: Bool)] = []

        init(seed: UInt64) {
            var random = SplitMix(state: seed)
            var day = Day(iso: "2026-11-20") ?? .first
            for _ in 0..<3653 {
                // Approximate summer time in New York; the exact Sunday does not matter.
                let isSummer = (80...306).contains(day.number - Self.newYear(day.year))
                let onTime = Double(day.number * 86_400 + (isSummer ? 4 : 5) * 3600 + 300)
                var at = onTime
                switch random.next() % 50 {
                case 0: at += Double(random.next() % (20 * 3600))
                case 1: at += 86_400 + Double(random.next() % (5 * 86_400))
                default: break
                }
                publications.append((day, at, at == onTime))
                day = day.advanced(by: 1)
            }
        }

        private static func newYear(_ year: Int) -> Int {
            (Day(year: year, month: 1, day: 1) ?? .first).number
        }

        func newest(at time: Double) -> Day? {
            publications.last { $0.at <= time }?.day
        }
    }

    @Test(arguments: 1...3)
    func everyEntryOfTenYearsIsFoundSoonWithFewPolls(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        let schedule = Schedule(mirror: "mirror-\(random.next())")
        let history = History(seed: UInt64(seed))
        var time = Double(history.publications[0].day.number * 86_400)
        let end = time + 3640 * 86_400
        var seen: [Day: Double] = [:]
        var polls: [Int: Int] = [:]
        var newest: Day?
        while time < end {
            newest = history.newest(at: time)
            if let newest, seen[newest] == nil { seen[newest] = time }
            polls[Int(time / 86_400), default: 0] += 1
            var summary = SyncSummary()
            summary.newest = newest
            let next = schedule.next(
                after: Date(timeIntervalSince1970: time), summary, failures: 0
            ).timeIntervalSince1970
            #expect(next > time)
            time = next
        }

        var onTime = 0
        for (day, at, isOnTime) in history.publications where at < end - 6 * 86_400 {
            // A day published after a later one was never the newest.
            guard let found = seen[day] else { continue }
            if isOnTime {
                #expect(found - at < 600)
                onTime += 1
            } else {
                #expect(found - at < 6 * 3600)
            }
        }
        #expect(onTime > 3000)
        #expect((polls.values.max() ?? 0) <= 10)
        #expect(polls.values.reduce(0, +) < 3 * 3640)
    }

    @Test func anUnreachableNASAIsRetriedWithGrowingDelays() {
        let schedule = Schedule(mirror: "x")
        var summary = SyncSummary()
        summary.obstacle = .init(.network, "no network")

        let pauses = (1...20).map {
            schedule.next(after: now, summary, failures: $0).timeIntervalSince(now)
        }

        #expect(pauses.first == 30)
        #expect(pauses == pauses.sorted())
        #expect(pauses.allSatisfy { $0 <= 900 })
    }

    @Test func dueRetriesAreAtLeastAMinuteApart() {
        let schedule = Schedule(mirror: "x")
        let now = Date(timeIntervalSince1970: Double(20_000 * 86_400 + 6 * 3600))
        var summary = SyncSummary()
        summary.newest = Day(number: 20_000)

        summary.nextRetry = now + 500
        #expect(schedule.next(after: now, summary, failures: 0) == now + 500)
        summary.nextRetry = now - 500
        #expect(schedule.next(after: now, summary, failures: 0) == now + 60)
        summary.nextRetry = now + 900_000
        #expect(schedule.next(after: now, summary, failures: 0) < now + 86_400)
    }

    @Test func aNewDayIsPolledUntilItsPictureIsHere() {
        let schedule = Schedule(mirror: "x")
        var now = Date(timeIntervalSince1970: Double(20_000 * 86_400 + 6 * 3600))
        var summary = SyncSummary()
        summary.newest = Day(number: 20_000)
        summary.awaitsPicture = true

        var polls = 0
        while now.timeIntervalSince1970 < 20_001 * 86_400 {
            now = schedule.next(after: now, summary, failures: 0)
            polls += 1
        }

        #expect(polls == 8)
        summary.awaitsPicture = false
        let morning = Date(timeIntervalSince1970: Double(20_000 * 86_400 + 6 * 3600))
        #expect(schedule.next(after: morning, summary, failures: 0) >= morning + 20 * 3600)
    }

    @Test func mirrorsPollAtDifferentTimes() {
        let now = Date(timeIntervalSince1970: Double(20_000 * 86_400))
        let times = Set(
            (0..<200).map { index in
                Schedule(mirror: "mirror \(index)")
                    .next(after: now, SyncSummary(), failures: 0)
            })

        #expect(times.count > 80)
        #expect(times.allSatisfy { $0.timeIntervalSince(now) < 4 * 3600 + 15 * 60 })
    }
}
