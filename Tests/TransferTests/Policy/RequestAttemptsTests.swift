import Testing

@testable import Transfer

@Suite struct RequestAttemptsTests {
    let policy = RequestAttempts.standard

    @Test(arguments: [(1, 500), (2, 1000), (3, 2000), (4, 2000), (4000, 2000)])
    func pausesDoubleUpToACap(attempt: Int, milliseconds: Int) {
        let policy = RequestAttempts(maximum: .max)
        let failure = AttemptFailure(.unreachable(address: "a", reason: "b"))

        #expect(policy.pause(after: failure, attempt: attempt) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        (408, true), (425, true), (429, true), (500, true), (502, true), (503, true), (504, true),
        (400, false), (401, false), (403, false), (404, false), (410, false), (501, false),
    ])
    func onlySomeStatusesAreRetried(status: Int, isWorthRetrying: Bool) {
        let error = TransferError.refused(address: "a", status: status, body: [])

        #expect(AttemptFailure(error).isWorthRetrying == isWorthRetrying)
        #expect(
            (policy.pause(after: AttemptFailure(error), attempt: 1) != nil)
                == isWorthRetrying)
    }

    @Test func noPauseFollowsTheLastAttempt() {
        let failure = AttemptFailure(.unreachable(address: "a", reason: "b"))

        #expect(policy.pause(after: failure, attempt: 3) == .seconds(2))
        #expect(policy.pause(after: failure, attempt: 4) == nil)
    }

    @Test(arguments: [(0.0, 0.5), (7, 7), (30, 30), (31, nil)] as [(Double, Double?)])
    func aRequestedPauseIsWaitedForUpToALimit(requested: Double, pause: Double?) {
        let failure = AttemptFailure(
            error: .refused(address: "a", status: 503, body: []),
            remedy: .retry(after: .init(host: "a", seconds: requested)))

        #expect(
            policy.pause(after: failure, attempt: 1) == pause.map { .seconds($0) })
    }
}
