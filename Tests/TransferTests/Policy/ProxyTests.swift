import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    @Test(
        arguments: [
            ("http://proxy.lan:3128", "http://proxy.lan:3128/", nil),
            ("proxy.lan:3128/", "http://proxy.lan:3128/", nil),
            ("ftp.lan", "http://ftp.lan/", nil),
            ("http://proxy.lan:80", "http://proxy.lan:80/", nil),
            ("HTTPS://proxy.lan", "https://proxy.lan/", nil),
            ("http://[::1]:3128", "http://[::1]:3128/", nil),
            ("http://user:a%2Fb:c@proxy.lan:1", "http://proxy.lan:1/", "user:a%2Fb:c"),
            ("user@proxy.lan", "http://proxy.lan/", "user:"),
        ] as [(String, String, String?)])
    func userAndPasswordAreSeparatedFromTheAddress(
        text: String, address: String, credentials: String?
    ) throws {
        let proxy = try #require(Proxy(text))

        #expect(proxy.address == address)
        #expect(proxy.credentials == credentials)
    }

    /// The addresses that this machine resolves would be checked for a direct connection only.
    @Test(arguments: [
        ("socks://a.lan:1", "socks4a://a.lan:1/"), ("socks4://a.lan:1", "socks4a://a.lan:1/"),
        ("socks4a://a.lan:1", "socks4a://a.lan:1/"), ("socks5://a.lan:1", "socks5h://a.lan:1/"),
        ("SOCKS5h://a.lan:1", "socks5h://a.lan:1/"),
    ])
    func aProxyResolvesTheNamesOfHosts(text: String, address: String) {
        #expect(Proxy(text)?.address == address)
    }

    @Test(arguments: [
        "http://user:SEC/RET@127.0.0.1:3128", "http://user:SEC#RET@127.0.0.1:3128",
        "http://user:1?RET@127.0.0.1:3128", "user:1/RET@127.0.0.1:3128",
        "http://us er:SECRET@127.0.0.1:3128", "http://user:SECRET@127.0.0.1:99999",
        "htp://user:SECRET@127.0.0.1:3128", "http://", "/",
    ])
    func aProxyThatIsNoURLIsNamedWithoutItsText(text: String) throws {
        let error = #expect(throws: TransferError.self) {
            try Proxy.named(for: "https://nasa.gov/") { ["https_proxy": text][$0] }
        }

        #expect(Proxy.invalidVariable { ["all_proxy": text][$0] } == "all_proxy")
        let shown = "\(try #require(error)) \(String(reflecting: error))"
        #expect(shown.contains("the proxy in https_proxy is not a URL"))
        for part in ["SEC", "RET", "user"] { #expect(!shown.contains(part), "\(shown)") }
        #expect(error?.isWorthRetrying == false)
    }

    @Test func aProxyGetsItsUserAndPassword() async throws {
        let server = try ScriptedServer(response(body: [1]))
        let proxy = "http://user:p%2Fw@127.0.0.1:\(server.port)"
        let client = Self.client { ["http_proxy": proxy][$0] }

        let got = try await server.download(at: "http://apod.nasa.gov/x", with: client)

        #expect(got.file == [1])
        #expect(server.requests.map(\.line) == ["GET http://apod.nasa.gov/x HTTP/1.1"])
        // user:p/w
        #expect(try server.request(0)["Proxy-Authorization"] == "Basic dXNlcjpwL3c=")
    }

    @Test func noFailureOfAProxyContainsItsPassword() async throws {
        let port = try { try ScriptedServer(response()).port }()
        let client = Self.client { ["http_proxy": "user:SECRET@127.0.0.1:\(port)"][$0] }
        let server = try ScriptedServer(response())

        let error = await failure {
            _ = try await server.download(at: "http://apod.nasa.gov/x", with: client)
        }

        #expect(error?.kind == .unreachable)
        let reason = "\(try #require(error))"
        #expect(!reason.contains("SECRET") && !reason.contains("user"), "\(reason)")
    }

    private static func client(
        variable: @escaping @Sendable (_ name: String) -> String?
    ) -> Client {
        Client(
            agent: "a", policy: AddressPolicy(upstream: "http://127.0.0.1/"), retry: .once,
            width: 1,
            hosts: HostPauses(), variable: variable)
    }

    @Test(arguments: [
        ("science.nasa.gov", "nasa.gov", true), ("nasa.gov", ".nasa.gov", true),
        ("science.nasa.gov", "other.org, NASA.gov.", true), ("science.nasa.gov", "*", true),
        ("evilnasa.gov", "nasa.gov", false), ("nasa.gov", "science.nasa.gov", false),
        ("nasa.gov", "", false), ("nasa.gov", ".", false), ("10.1.2.3", "10.0.0.0/8", true),
        ("10.1.2.3", "10.1.2.3", true), ("11.1.2.3", "10.0.0.0/8", false),
        ("10.1.2.3", "10.1.2.3/99", false), ("10.1.2.3", "2.3", false),
        ("[fd00::1]", "fd00::/8", true), ("nas.lan", "localhost 127.0.0.1 nas.lan", true),
    ])
    func aHostThatNeedsNoProxyIsNamed(host: String, list: String, isExempt: Bool) {
        #expect(Proxy.isExempt(host, by: list) == isExempt)
    }
}
