import Testing

@testable import Transfer

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
        let client = server.client(
            retry: .once, environment: NetworkEnvironment { _ in "http://127.0.0.1:1" })

        let got = try await server.download(with: client)

        #expect(got.file == [1])
    }

    @Test(arguments: [
        ("http://www.nasa.gov/", "plain"), ("https://www.nasa.gov/", "secure"),
        ("https://apod.nasa.gov/", nil), ("https://x.apod.nasa.gov/", nil),
        ("https://notapod.nasa.gov/", "secure"), ("https://nas.lan/", nil),
        ("http://10.1.2.3/", nil), ("http://11.1.2.3/", "plain"), ("http://127.0.0.1/", nil),
        ("https://localhost/", nil),
    ])
    func theProxyOfARequestIsThatOfTheEnvironment(address: String, proxy: String?) throws {
        let variables = [
            "http_proxy": "plain", "HTTPS_PROXY": "secure", "HTTP_PROXY": "not this",
            "no_proxy": "apod.nasa.gov, .lan,10.0.0.0/8",
        ]
        let proxies = NetworkEnvironment { variables[$0] }

        #expect(proxies.proxy(for: try WebURL(address)) == proxy)
        #expect(NetworkEnvironment { _ in nil }.proxy(for: try WebURL(address)) == nil)
        let all = NetworkEnvironment { ["all_proxy": "all", "NO_PROXY": "*"][$0] }
        #expect(all.proxy(for: try WebURL(address)) == nil)
    }

    /// The proxy is that of another scheme, or not for this host.
    @Test(arguments: [
        ["https_proxy": "http://127.0.0.1:1"],
        ["http_proxy": "http://127.0.0.1:1", "no_proxy": "nasa.gov"],
    ])
    func aConnectionWithoutAProxyIsChecked(variables: [String: String]) throws {
        let address: WebURL = "http://www.nasa.gov/x"
        let configuration = ClientConfiguration(
            agent: "a", policy: AddressPolicy(upstream: nil), limits: .standard, bandwidth: nil,
            environment: NetworkEnvironment { variables[$0] })
        let request = Request(
            address: address, role: .media, sink: MemorySink(limit: 1))
        let exchange = Exchange(request, configuration)

        #expect(exchange.proxy == nil)
        #expect(!exchange.permits(try #require(IPAddress("10.0.0.1"))))
    }

    private static func client(_ proxy: String) -> Client {
        Client(
            agent: "a", policy: AddressPolicy(upstream: "http://127.0.0.1/"), retry: .once,
            width: 1, hosts: HostPauses(),
            environment: NetworkEnvironment { $0 == "http_proxy" ? proxy : nil })
    }
}
