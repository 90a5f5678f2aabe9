import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct HostFailuresTests {
    private let poster = "https://i.ytimg.com/vi/1/hqdefault.jpg"
    private let other = "https://i.ytimg.com/vi/2/hqdefault.jpg"

    private func mayRequest(_ address: String, _ hosts: HostFailures) -> Bool {
        (try? hosts.check(address)) != nil
    }

    private func fail(_ address: String, times: Int, _ hosts: HostFailures) {
        for _ in 0..<times { hosts.record(.unreachable(address: address, reason: ""), of: address) }
    }

    @Test func aHostThatFailedThreeTimesIsNotRequestedAgain() {
        let hosts = HostFailures()
        fail(poster, times: 2, hosts)
        #expect(mayRequest(other, hosts))

        fail(other, times: 1, hosts)

        #expect(!mayRequest(poster, hosts) && !mayRequest(other, hosts))
        #expect(mayRequest("https://assets.science.nasa.gov/a.jpg", hosts))
        #expect(mayRequest("https://i.ytimg.com:8443/a.jpg", hosts))
    }

    /// The failures of single files say nothing about a host that answers.
    @Test(arguments: [
        nil, TransferError.refused(address: "", status: 503, body: []),
        .broken(address: "", reason: ""),
    ])
    func aHostThatAnsweredIsRequestedAgain(answer: TransferError?) {
        for failures in [0, 5] {
            let hosts = HostFailures()
            fail(poster, times: failures, hosts)
            if let answer {
                hosts.record(answer, of: other)
            } else {
                hosts.recordAnswer(from: other)
            }

            fail(poster, times: 5, hosts)

            #expect(mayRequest(poster, hosts))
        }
    }

    /// A host that serves nothing but errors, for many files in a row.
    @Test(arguments: [
        TransferError.refused(address: "", status: 503, body: []),
        .broken(address: "", reason: ""), .unreachable(address: "", reason: ""),
    ])
    func aHostThatAnswersOnlyErrorsGetsFewRequestsForAnArchive(error: TransferError) {
        let hosts = HostFailures(answeringHost: "https://i.ytimg.com/feed")
        var requests = 0
        for _ in 0..<10_000 where mayRequest(poster, hosts) {
            hosts.record(error, of: poster)
            requests += 1
        }

        #expect(requests >= 12 && requests < 200)
    }

    /// Other files of the host are requested as before, so that a few broken ones cannot keep an archive away.
    @Test func aHostThatServesAFileAgainIsRequestedAgain() {
        let hosts = HostFailures()
        hosts.recordAnswer(from: poster)
        let refusal = TransferError.refused(address: poster, status: 503, body: [])
        for _ in 0..<50 where mayRequest(poster, hosts) { hosts.record(refusal, of: poster) }
        #expect(!mayRequest(poster, hosts))

        var isServed = false
        for _ in 0..<50 where !isServed && mayRequest(other, hosts) {
            hosts.recordAnswer(from: other)
            isServed = true
        }

        #expect(isServed && mayRequest(poster, hosts))
    }

    /// Status 404 is of one file, as is an HTML page.
    @Test func aHostThatRefusesSingleFilesServesTheOthers() {
        let hosts = HostFailures()
        for _ in 0..<50 {
            hosts.record(.refused(address: poster, status: 404, body: []), of: poster)
            hosts.record(.rejected(address: poster, reason: "HTML"), of: poster)
        }

        #expect(mayRequest(other, hosts))
    }

    @Test func theHostOfTheListHasAnswered() {
        let hosts = HostFailures(answeringHost: "https://i.ytimg.com/feed")
        fail(poster, times: 5, hosts)

        #expect(mayRequest(poster, hosts))
    }
}
