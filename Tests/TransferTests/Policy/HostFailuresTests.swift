import Testing

@testable import Transfer

/// The tests number the days.
@Suite(.timeLimit(.minutes(10))) struct HostFailuresTests {
    private let poster = "https://i.ytimg.com/vi/1/hqdefault.jpg"
    private let other = "https://i.ytimg.com/vi/2/hqdefault.jpg"
    private let hosts = HostFailures<Int>()

    private func mayRequest(_ address: String, for day: Int) -> Bool {
        (try? hosts.check(address, for: day)) != nil
    }

    /// Counts the requests for an archive of `days` that has only failures.
    private func failures(
        days: Int, _ error: TransferError = .unreachable(address: "", reason: "")
    ) -> Int {
        (0..<days).count { day in
            guard mayRequest(poster, for: day) else { return false }
            hosts.record(error, of: poster, for: day)
            return true
        }
    }

    @Test func aHostThatFailedForThreeDaysIsRefusedRequests() {
        #expect(failures(days: 2) == 2)
        #expect(mayRequest(other, for: 3))

        hosts.record(.unreachable(address: other, reason: ""), of: other, for: 3)

        #expect(!mayRequest(poster, for: 4) && !mayRequest(other, for: 5))
        #expect(mayRequest("https://assets.science.nasa.gov/a.jpg", for: 4))
        #expect(mayRequest("https://i.ytimg.com:8443/a.jpg", for: 4))
    }

    /// Most addresses of a day are guesses.
    @Test func theAddressesOfOneDayCountOnce() {
        for number in 0..<10 {
            let guess = "\(poster)?\(number)"
            #expect(mayRequest(guess, for: 1))
            hosts.record(.unreachable(address: guess, reason: ""), of: guess, for: 1)
        }

        #expect(mayRequest(other, for: 2))
    }

    /// A host that does not answer, or serves nothing but errors.
    @Test(arguments: [
        TransferError.refused(address: "", status: 503, body: []),
        .broken(address: "", reason: ""), .unreachable(address: "", reason: ""),
    ])
    func aHostThatIsDeadGetsFewRequestsForAnArchive(error: TransferError) {
        let requests = failures(days: 10_000, error)

        #expect(requests > 3 && requests <= 15)
    }

    /// The other addresses of a refused day are refused, too, and count as one refusal.
    @Test func aRequestAfterFourRefusedDaysShowsThatTheHostWorks() {
        #expect(failures(days: 3) == 3)
        for day in 3..<7 {
            for address in [poster, other] { #expect(!mayRequest(address, for: day)) }
        }

        #expect(mayRequest(poster, for: 7))
        #expect(!mayRequest(poster, for: 8), "until the request has an answer")
        hosts.recordAnswer(from: poster)

        #expect(mayRequest(poster, for: 8) && mayRequest(other, for: 3))
        #expect(failures(days: 3) == 3)
    }

    /// Status 404 is of one file, as is an HTML page.
    @Test(arguments: [
        TransferError.refused(address: "", status: 404, body: []),
        .rejected(address: "", reason: "HTML"),
    ])
    func aHostThatRefusesSingleFilesServesTheOthers(error: TransferError) {
        #expect(failures(days: 50, error) == 50)
        #expect(mayRequest(other, for: 50))
    }
}
