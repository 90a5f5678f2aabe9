import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10)), .enabled(if: SecureServer.isAvailable)) struct SecureTests {
    /// Even to the mirror that the user chose without TLS.
    @Test(arguments: ["http://127.0.0.2:PORT/", "http://127.0.0.1:81/", "http://mirror.invalid/"])
    func aRedirectToHTTPIsForbidden(location: String) async throws {
        let error = try await failure(of: "IP:127.0.0.1", isTrusted: true) { address in
            let port = address.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
            return head("302 Found", ["Location: \(location.replacing("PORT", with: port))"])
        }

        #expect(error?.failure == .forbidden)
    }

    /// A server behind a proxy knows neither that its clients use https, nor their port.
    @Test(arguments: ["http://127.0.0.1:PORT/empty", "http://127.0.0.1/empty"])
    func aRedirectToHTTPOfTheSameHostIsFollowedAsHTTPS(location: String) async throws {
        let error = try await failure(of: "IP:127.0.0.1", isTrusted: true) { address in
            let port = address.split(separator: ":").last?.prefix { $0.isNumber } ?? ""
            return head("302 Found", ["Location: \(location.replacing("PORT", with: port))"])
        }

        #expect(error == nil)
    }

    /// A certificate that signs itself, and one for another host.
    @Test(arguments: [("IP:127.0.0.1", false), ("DNS:evil.org", true)])
    func anInvalidCertificateIsRejected(host: String, isTrusted: Bool) async throws {
        let error = try await failure(of: host, isTrusted: isTrusted)

        #expect(error?.failure == .unreachable)
        let reason = "\(try #require(error))"
        #expect(reason.contains("certificate"))
    }

    /// As the clock of this machine sees it, which may be wrong.
    @Test(arguments: [
        ("20200101000000Z", "20200102000000Z", "expired at 2020-01-02 00:00:00 UTC"),
        ("20900101000000Z", "20910101000000Z", "is not valid before 2090-01-01 00:00:00 UTC"),
    ])
    func theReasonHasThePeriodOfTheCertificateAndTheTime(
        start: String, end: String, period: String
    ) async throws {
        let error = try await failure(
            of: "IP:127.0.0.1", isTrusted: true, period: (start: start, end: end))

        let reason = "\(try #require(error))"
        #expect(
            reason.contains("its certificate \(period); the time of this machine is 20"),
            "\(reason)")
    }

    @Test func theVariablesOfCurlNameTheAuthorities() {
        let variables = ["CURL_CA_BUNDLE": "a", "SSL_CERT_FILE": "b"]

        #expect(NetworkEnvironment { variables[$0] }.authorities == "a")
        #expect(NetworkEnvironment { $0 == "SSL_CERT_FILE" ? "b" : "" }.authorities == "b")
        #expect(NetworkEnvironment { _ in nil }.authorities == nil)
    }

    @Test func aTrustedCertificateIsAccepted() async throws {
        #expect(try await failure(of: "IP:127.0.0.1", isTrusted: true) == nil)
    }

    private func failure(
        of host: String, isTrusted: Bool, period: (start: String, end: String)? = nil,
        response: (_ address: String) -> String = { _ in head("200 OK", ["Content-Length: 0"]) }
    ) async throws -> TransferError? {
        try await withTemporaryFolder { folder in
            let server = try SecureServer(host: host, in: folder, period: period)
            let address = "https://127.0.0.1:\(server.port)/response"
            try Directory(opening: folder).open("response", O_WRONLY | O_CREAT)
                .write(Array(response(address).utf8), path: "response")
            try Directory(opening: folder).open("empty", O_WRONLY | O_CREAT)
                .write(Array(head("200 OK", ["Content-Length: 0"]).utf8), path: "empty")
            let policy = AddressPolicy(
                upstream: try WebURL(address), mirrors: ["http://mirror.invalid/"])
            let client = Client(
                agent: "a", policy: policy, pace: .zero, width: 1,
                hosts: HostPauses(), environment: .trusting(isTrusted ? server.certificate : nil))
            return await TransferTests.failure {
                _ = try await client.get(address, as: .media)
            }
        }
    }
}
