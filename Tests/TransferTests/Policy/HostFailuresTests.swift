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

    @Test func theHostOfTheListHasAnswered() {
        let hosts = HostFailures(answeringHost: "https://i.ytimg.com/feed")
        fail(poster, times: 5, hosts)

        #expect(mayRequest(poster, hosts))
    }
}
