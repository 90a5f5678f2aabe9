import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10)), .enabled(if: SecureServer.isAvailable)) struct SecureTests {
    @Test func aRedirectToHTTPIsForbidden() async throws {
        let error = try await failure(of: "IP:127.0.0.1", isTrusted: true) { address in
            head("302 Found", ["Location: http\(address.dropFirst("https".count))"])
        }

        #expect(error?.failure == .forbidden)
    }

    /// A certificate that signs itself, and one for another host.
    @Test(arguments: [("IP:127.0.0.1", false), ("DNS:evil.org", true)])
    func anInvalidCertificateIsRejected(host: String, isTrusted: Bool) async throws {
        let error = try await failure(of: host, isTrusted: isTrusted)

        #expect(error?.failure == .unreachable)
        let reason = "\(try #require(error))"
        #expect(reason.contains("certificate"))
    }

    @Test func aTrustedCertificateIsAccepted() async throws {
        #expect(try await failure(of: "IP:127.0.0.1", isTrusted: true) == nil)
    }

    private func failure(
        of host: String, isTrusted: Bool,
        response: (_ address: String) -> String = { _ in head("200 OK", ["Content-Length: 0"]) }
    ) async throws -> TransferError? {
        try await withTemporaryFolder { folder in
            let server = try SecureServer(host: host, in: folder)
            let address = "https://127.0.0.1:\(server.port)/response"
            try Directory(opening: folder).open("response", O_WRONLY | O_CREAT)
                .write(Array(response(address).utf8), path: "response")
            let client = Client(
                agent: "a", policy: AddressPolicy(upstream: try WebURL(address)), pace: .zero,
                width: 1,
                hosts: HostPauses(), environment: .trusting(isTrusted ? server.certificate : nil))
            return await TransferTests.failure {
                _ = try await client.get(address)
            }
        }
    }
}
