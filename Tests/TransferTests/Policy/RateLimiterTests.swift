import Platform
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct RateLimiterTests {
    let clock = ManualClock()

    @Test func requestsStartAtLeastTheIntervalApartInOrder() async throws {
        let limiter = RateLimiter(.seconds(1), clock: clock)
        try await limiter.wait()

        async let times = times(of: limiter, count: 3)
        for _ in 0..<3 {
            #expect(await clock.wakeNextSleeper() == .seconds(1))
        }

        #expect(try await times == [.seconds(1), .seconds(2), .seconds(3)])
    }

    private func times(of limiter: RateLimiter, count: Int) async throws -> [Duration] {
        var times: [Duration] = []
        for _ in 0..<count {
            try await limiter.wait()
            times.append(clock.now.offset)
        }
        return times
    }
}
