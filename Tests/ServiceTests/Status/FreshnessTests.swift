import APOD
import FoundationEssentials
import Mirror
import Service
import TestSupport
import Testing

/// Freshness is health: what `status` ends with.
@Suite(.timeLimit(.minutes(1))) struct FreshnessTests {
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        /// The age in days of the newest day that is here.
        var newest: Int? = 0
        /// That of the newest which NASA was seen to have.
        var published: Int? = 0
        /// The hours since NASA was last reached.
        var heard: Double? = 1
        /// Days that are here no further than this, and why.
        var pending: [Int: RetryState.Cause] = [:]
        var now = PaperMirror.now
        let health: StatusReport.Health
    }

    /// The first moment of the 20th.
    private static let midnight = PaperMirror.now - 43_200

    static let cases = [
        Case(testDescription: "all is here", health: .ok),
        Case(
            testDescription: "nothing is here, nothing is known", newest: nil, published: nil,
            heard: nil, health: .missing),
        Case(
            testDescription: "all is here, and what NASA has nobody knows", published: nil,
            heard: nil, health: .missing),
        Case(testDescription: "a day is missing", newest: 1, health: .missing),
        Case(
            testDescription: "two days old to the second", newest: 2, now: midnight,
            health: .missing),
        Case(testDescription: "a second older", newest: 2, now: midnight + 1, health: .stale),
        Case(testDescription: "NASA is silent for a week", newest: 7, published: 7, health: .ok),
        Case(
            testDescription: "NASA was silent, and is out of reach for a day", newest: 7,
            published: 7, heard: 24.1, health: .stale),
        Case(
            testDescription: "NASA was last reached in the future", newest: 7, published: 7,
            heard: -24 * 30, health: .stale),
        Case(
            testDescription: "NASA was never reached, and the days are old", newest: 7,
            published: nil, heard: nil, health: .stale),
        Case(
            testDescription: "NASA has more than can be had", newest: 4,
            pending: [0: .unusable, 1: .unreachable], health: .stale),
        Case(
            testDescription: "NASA has only stand-ins", newest: 4, pending: [0: .lost],
            health: .stale),
        Case(
            testDescription: "videos without a picture come day after day", newest: 4,
            pending: [0: .noImage, 1: .noImage], health: .missing),
        Case(
            testDescription: "all wanted days are videos without a picture", newest: 3,
            pending: [0: .noImage, 1: .noImage, 2: .noImage], health: .ok),
        Case(
            testDescription: "the clock is a month behind", now: PaperMirror.now - 30 * 86_400,
            health: .ok),
    ]

    @Test(arguments: cases)
    func aMirrorIsStaleByItsNewestDay(_ test: Case) async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror("\(path)/apod")
            if let newest = test.newest { try mirror.add(newest...newest + 9) }
            try mirror.remember { state in
                state.newest = test.published.map { PaperMirror.today.advanced(by: -$0) }
                state.lastSuccess = test.heard.map { test.now - $0 * 3600 }
                for (age, cause) in test.pending {
                    state.pending[PaperMirror.today.advanced(by: -age)] = RetryState(
                        cause, "", after: nil, at: test.now)
                }
            }

            #expect(try mirror.report(now: test.now).health == test.health)
        }
    }

    /// As versions that believed 400 days ahead left it.
    @Test func aFutureDayIsNotTheNewest() async throws {
        try await withTemporaryFolder { path in
            let mirror = try PaperMirror("\(path)/apod")
            try mirror.add(0...9)
            try mirror.add(-300 ... -300)
            try mirror.remember { state in
                state.newest = PaperMirror.today.advanced(by: 300)
                state.lastSuccess = PaperMirror.now - 3600
            }

            let report = try mirror.report()

            #expect(report.newest == PaperMirror.today && report.health == .ok)
            #expect(report.wanted == 3 && report.complete == 3)
            #expect(Metrics(report).text.contains(/newest_age_seconds\{.*\} 43200\n/))
        }
    }
}
