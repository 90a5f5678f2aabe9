import Testing

@testable import Transfer

/// libcurl reads the proxies of the environment; these are given instead.
@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    @Test func aProxyGetsTheRequestWithItsUserAndPassword() async throws {
        let server = try ScriptedServer(response(body: [1]))
        let client = Self.client("http://user:p%2Fw@127.0.0.1:\(server.port)")

        let got = try await server.download(at: "http://apod.nasa.gov/x", with: client)

        #expect(got.file == [1])
        #expect(server.requests.map(\.line) == ["GET http://apod.nasa.gov/x HTTP/1.1"])
        // user:p/w
        #expect(try server.request(0)["Proxy-Authorization"] == "Basic dXNlcjpwL3c=")
    }

    @Test(arguments: [
        "user:SECRET@127.0.0.1:1", "htp://user:SECRET@127.0.0.1:1",
        "http://us er:SECRET@127.0.0.1:1", "http://user:SECRET@127.0.0.1:99999",
        "http://user:SEC/RET@127.0.0.1:1", "http://user:SECRET@no-such-host.invalid:1",
    ])
    func noFailureOfAProxyContainsItsPassword(proxy: String) async throws {
        let server = try ScriptedServer(response())

        let error = await failure {
            _ = try await server.download(at: "http://apod.nasa.gov/x", with: Self.client(proxy))
        }

        #expect(error?.failure == .unreachable || error?.failure == .broken)
        let reason = "\(try #require(error))"
        #expect(!reason.contains("SEC") && !reason.contains("RET"), "\(reason)")
    }

    @Test func thisMachineIsReachedWithoutAProxy() async throws {
        let server = try ScriptedServer(response(body: [1]))

        let client = Client(
            agent: "a", policy: AddressPolicy(upstream: WebURL(stringLiteral: server.address())),
            retry: .once, width: 1, hosts: HostPauses(), proxy: "http://127.0.0.1:1")

        let got = try await server.download(with: client)

        #expect(got.file == [1])
    }

    private static func client(_ proxy: String) -> Client {
        Client(
            agent: "a", policy: AddressPolicy(upstream: "http://127.0.0.1/"), retry: .once,
            width: 1, hosts: HostPauses(), proxy: proxy)
    }
}
