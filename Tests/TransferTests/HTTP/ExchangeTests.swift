import CCurl
import Testing

@testable import Transfer

@Suite struct ExchangeTests {
    /// libcurl tries the addresses of a host until one accepts a connection.
    @Test(arguments: [
        (["127.0.0.1"], true), (["10.0.0.1", "::1"], true),
        (["127.0.0.1", "93.184.216.34"], false), (["93.184.216.34", "::1"], false),
    ])
    func aHostIsBlockedIfNoneOfItsAddressesIsPermitted(
        addresses: [String], isBlocked: Bool
    ) throws {
        let exchange = Self.exchange(with: "https://science.nasa.gov/x")
        for address in addresses { _ = exchange.permits(try #require(IPAddress(address))) }

        let failure = #expect(throws: AttemptFailure.self) {
            try exchange.finish(.failed(CURLE_RECV_ERROR, reason: "connection reset"))
        }

        let thrown = try #require(failure)
        switch thrown.error {
        case .blocked(_, let reason):
            #expect(isBlocked && reason.contains("https_proxy"))
            #expect(addresses.contains { reason.contains("resolves to \($0), ") }, "\(reason)")
        case .unreachable(_, let reason): #expect(!isBlocked && reason == "connection reset")
        case let error: Issue.record("\(error)")
        }
        #expect(thrown.isWorthRetrying == !isBlocked)
    }

    private static func exchange(with address: WebURL) -> Exchange {
        let configuration = ClientConfiguration(
            agent: "a", policy: AddressPolicy(upstream: nil), limits: .standard, bandwidth: nil,
            environment: NetworkEnvironment { _ in nil })
        let request = Request(
            address: address, role: .media, sink: MemorySink(limit: 1))
        return Exchange(request, configuration)
    }
}
