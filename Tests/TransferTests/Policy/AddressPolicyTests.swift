import Testing

@testable import Transfer

@Suite struct AddressPolicyTests {
    let nasa = AddressPolicy(upstream: nil)
    let local = AddressPolicy(upstream: "http://127.0.0.1:8080/wp-json/")
    let other = AddressPolicy(upstream: "https://apod.example.org/planetary/apod")

    @Test(arguments: [
        "https://assets.science.nasa.gov/content/dam/science/crab%20lg.jpg",
        "http://apod.nasa.gov/apod/image/1803/crab_lg.jpg", "https://nasa.gov/",
        "HTTPS://Science.NASA.GOV:443/apod", "https://science.nasa.gov./apod",
        "https://img.youtube.com/vi/ID/hqdefault.jpg", "https://i.ytimg.com/vi/ID/0.jpg",
        "https://i.vimeocdn.com/video/1.jpg", "http://science.nasa.gov:443/",
    ])
    func mediaComeFromNASAAndPosterHosts(address: String) throws {
        #expect(throws: Never.self) { try nasa.requestURL(for: address) }
        #expect(throws: Never.self) { try local.requestURL(for: address) }
    }

    /// Old entries name addresses with `http`.
    @Test(arguments: [
        "http://apod.nasa.gov/apod/image/1803/crab_lg.jpg", "http://img.youtube.com/vi/ID/0.jpg",
    ])
    func nothingOfAnEncryptedFeedIsRequestedInPlainText(address: String) throws {
        for policy in [nasa, other] {
            #expect(try policy.requestURL(for: address).text == "https" + address.dropFirst(4))
            #expect(throws: TransferError.self) {
                try policy.check(WebURL(address), as: .media, isRedirect: false)
            }
        }
        #expect(try local.requestURL(for: address).text == address)
    }

    @Test(arguments: [
        ("file:///etc/passwd", "http or https"), ("ftp://nasa.gov/a", "http or https"),
        ("gopher://nasa.gov/", "http or https"), ("ws://nasa.gov/", "http or https"),
        ("data:text/html,hello", "not a URL"), ("javascript:alert(1)", "not a URL"),
        ("mailto:a@nasa.gov", "not a URL"), ("", "not a URL"), ("nasa.gov/x", "not a URL"),
        ("//nasa.gov/x", "not a URL"), ("http://", "not a URL"),
        ("https://user:secret@nasa.gov/", "user or a password"),
        ("https://user@nasa.gov/", "user or a password"),
        ("https://:secret@nasa.gov/", "user or a password"),
        ("https://nasa.gov@evil.org/", "user or a password"),
        ("https://nasa.gov:80@evil.org/", "user or a password"),
        ("https://evil.org/", "not an allowed host"),
        ("https://nasa.gov.evil.org/", "not an allowed host"),
        ("https://evilnasa.gov/", "not an allowed host"),
        ("https://nasa.gov.evil.org./", "not an allowed host"),
        ("https://evil.org/nasa.gov", "not an allowed host"),
        ("https://evil.org?nasa.gov", "not an allowed host"),
        ("https://evil.org#.nasa.gov", "not an allowed host"),
        ("https://img.youtube.com.evil.org/", "not an allowed host"),
        ("https://x.img.youtube.com/", "not an allowed host"),
        ("https://93.184.216.34/", "not an allowed host"),
        ("https://[2606:2800:220:1:248:1893:25c8:1946]/", "not an allowed host"),
        ("https://ｎａｓａ.gov/", "not an allowed host"), ("https://nasa。gov/", "not an allowed host"),
        ("https://gov/", "not an allowed host"),
        ("https://.nasa.gov.evil.org/", "not an allowed host"),
        ("https://science.nasa.gov:22/", "port 22"), ("http://nasa.gov:8080/", "port 8080"),
        ("http://nasa.gov:0/", "port 0"), ("http://nasa.gov:99999/", "not a URL"),
        ("http://nasa.gov:-1/", "not a URL"), ("http://nasa.gov:80a/", "not a URL"),
        ("http://127.0.0.1/", "private"), ("http://127.0.0.1./", "private"),
        ("http://127.1/", "private"), ("http://0x7f.1/", "private"),
        ("http://0X7F.0.0.1/", "private"), ("http://2130706433/", "private"),
        ("http://0x7f000001/", "private"), ("http://017700000001/", "private"),
        ("http://0177.0.0.01/", "private"), ("http://127.0.0.1:8081/", "private"),
        ("http://%31%32%37.0.0.1/", "private"), ("http://127%2e0%2e0%2e1/", "private"),
        ("http://127.0.0.1%2e/", "private"), ("http:/127.0.0.1/", "private"),
        ("http:///127.0.0.1/", "private"), ("http:127.0.0.1", "not a URL"),
        ("http://0x7f.1.:80/", "private"), ("http://2130706433./", "private"),
        ("http://[::1]/", "private"), ("http://[0:0:0:0:0:0:0:1]/", "private"),
        ("http://[::ffff:127.0.0.1]/", "private"), ("http://[::FFFF:7f00:1]/", "private"),
        ("http://[::127.0.0.1]/", "private"), ("http://[64:ff9b::7f00:1]/", "private"),
        ("http://[2001:2::1]/", "private"), ("http://192.88.99.1/", "private"),
        ("http://[2002:7f00:1::]/", "private"), ("http://[::]/", "private"),
        ("http://0/", "private"), ("http://0.0.0.0/", "private"),
        ("http://10.1.2.3/", "private"), ("http://172.31.0.1/", "private"),
        ("http://192.168.1.1/", "private"), ("http://100.64.0.1/", "private"),
        ("http://[fd00::1]/", "private"), ("http://[::ffff:10.0.0.1]/", "private"),
        ("http://169.254.169.254/latest/meta-data/", "private"),
        ("http://[fe80::1]/", "private"), ("http://[fe80::1%25eth0]/", "private"),
        ("http://224.0.0.1/", "private"), ("http://[ff02::1]/", "private"),
        ("http://255.255.255.255/", "private"), ("http://localhost/", "this machine"),
        ("http://LOCALHOST./", "this machine"), ("http://a.localhost/", "this machine"),
        ("http://nasa.gov\\@evil.org/", ""), ("http://evil.org\\.nasa.gov/", ""),
        ("http://nasa.gov\r\nHost: evil.org/", ""), ("http://evil.org\t.nasa.gov/", ""),
        ("http://evil.org .nasa.gov/", ""), ("http://evil.org%00.nasa.gov/", ""),
        ("http://evil.org\0.nasa.gov/", ""), ("http://evil.org%2f.nasa.gov/", ""),
        ("http://evil.org%23.nasa.gov/", ""), ("http://evil.org%40nasa.gov/", ""),
        ("http://[::1].nasa.gov/", ""), ("http://evil.org&@nasa.gov/", ""),
        ("http://evil.org:80:nasa.gov/", ""), ("http://[nasa.gov]/", ""),
    ])
    func aRejectedAddressHasAReason(address: String, reason: String) {
        for role in [AddressPolicy.Role.media, .feed] {
            let error = #expect(throws: TransferError.self) {
                try nasa.requestURL(for: address, as: role)
            }
            guard case .forbidden(_, let given) = error else {
                Issue.record("\(address): \(String(describing: error))")
                return
            }
            #expect(reason.isEmpty || given.contains(reason), "\(address): \(given)")
        }
    }

    @Test(arguments: [
        ("https://apod.com/en/ap180317.html", nil),
        ("https://apod.com/image/1803/crab.jpg", nil),
        ("http://www.star.ucl.ac.uk/~apod/apod/ap180317.html", nil),
        ("https://www.apod.com/en/ap180317.html", "www.apod.com is not"),
        ("https://apod.com.evil.org/", "apod.com.evil.org is not"),
        ("https://login.example.org/", "login.example.org is not"),
        ("https://apod.com:8443/en/", "port 8443"), ("http://192.168.1.2/apod/", "private"),
        ("http://127.0.0.1/apod/", "private"), ("http://nas.localhost/", "this machine"),
    ])
    func aClassicMirrorHasPagesAndPicturesAtPublicAddresses(
        address: String, reason: String?
    ) throws {
        let mirrors: [WebURL] = [
            "https://apod.com/en/", "http://www.star.ucl.ac.uk/~apod/apod/",
            "http://192.168.1.2/apod/", "http://127.0.0.1/apod/", "http://nas.localhost/",
        ]
        let policy = AddressPolicy(upstream: nil, mirrors: mirrors)

        for role in [AddressPolicy.Role.webPage, .media] {
            do throws(TransferError) {
                #expect(try policy.requestURL(for: address, as: role).text == address)
                #expect(reason == nil)
            } catch {
                #expect("\(error)".contains(reason ?? "nothing"))
            }
        }
        #expect(throws: TransferError.self) { try policy.requestURL(for: address, as: .feed) }
        #expect(throws: TransferError.self) { try nasa.requestURL(for: address, as: .webPage) }
    }

    @Test func onlyTheUserMayChooseAMirrorWithoutTLS() throws {
        let policy = AddressPolicy(
            upstream: "https://science.nasa.gov/",
            mirrors: ["https://apod.com/en/", "http://www.star.ucl.ac.uk/~apod/apod/"])

        #expect(
            try policy.requestURL(for: "http://apod.com/a.jpg").text == "https://apod.com/a.jpg")
        #expect(try policy.requestURL(for: "http://www.star.ucl.ac.uk/a.jpg").scheme == "http")
        #expect(try policy.requestURL(for: "http://apod.nasa.gov/a.jpg").scheme == "https")
        #expect(throws: TransferError.self) {
            try policy.check("http://apod.com/", as: .webPage, isRedirect: true)
        }
        #expect(throws: TransferError.self) {
            try policy.requestURL(for: "https://nasa.gov/", as: .webPage)
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/a", true), ("http://0x7f.1:8080/a", true),
        ("http://127.0.0.1/", false), ("http://localhost:8080/", false),
        ("http://192.168.0.1:8080/", false), ("http://u:p@127.0.0.1:8080/", false),
    ])
    func requestsToTheUpstreamUseItsOwnHostAndPortOnly(address: String, isAllowed: Bool) {
        for role in [AddressPolicy.Role.feed, .media] {
            #expect(((try? local.requestURL(for: address, as: role)) != nil) == isAllowed)
        }
    }

    @Test func feedsComeFromTheUpstreamAlone() throws {
        #expect(throws: Never.self) {
            try nasa.requestURL(for: "https://science.nasa.gov/wp", as: .feed)
        }
        #expect(throws: Never.self) {
            try other.requestURL(for: "https://apod.example.org/a", as: .feed)
        }
        #expect(throws: TransferError.self) {
            try other.requestURL(for: "https://science.nasa.gov/wp-json", as: .feed)
        }
        #expect(throws: TransferError.self) {
            try nasa.requestURL(for: "https://img.youtube.com/vi/ID/0.jpg", as: .feed)
        }
    }

    @Test(arguments: [
        ("https://science.nasa.gov/wp-json", true), ("https://apod.example.org/b", true),
        ("http://apod.example.org/", false), ("https://apod.example.org:8443/", false),
        ("https://evil.org/", false), ("https://apod.example.org:22/", false),
        ("https://api.apod.example.org/", false),
    ])
    func aFeedMayRedirectToNASAOrWithinItsHost(address: String, isAllowed: Bool) throws {
        let address = try WebURL(address)

        let isRefused =
            (try? other.check(address, as: .feed, isRedirect: true)) == nil

        #expect(isRefused != isAllowed)
    }

    /// Other services on the host of the upstream must not be reachable.
    @Test(arguments: ["http://nas.lan/", "https://nas.lan/", "http://nas.lan:8100/"])
    func noRedirectLeadsToAnotherPortOfTheUpstream(address: String) throws {
        let policy = AddressPolicy(upstream: "http://nas.lan:8099/apod")
        let address = try WebURL(address)

        for role in [AddressPolicy.Role.feed, .media] {
            #expect(throws: TransferError.self) {
                try policy.check(address, as: role, isRedirect: true)
            }
        }
        #expect(!policy.permits(try #require(IPAddress("192.168.1.5")), for: address))
    }

    /// What a name resolves to; with `upstream`, the user chose the host.
    @Test(
        arguments: [
            (nil, "https://science.nasa.gov/x", "93.184.216.34", true),
            (nil, "https://science.nasa.gov/x", "127.0.0.1", false),
            (nil, "https://science.nasa.gov/x", "::1", false),
            (nil, "https://science.nasa.gov/x", "10.0.0.1", false),
            // An upstream at NASA has public addresses only.
            ("https://science.nasa.gov/", "https://science.nasa.gov/x", "127.0.0.1", false),
            // That of the user may be in a private network, which concerns no other host.
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/", "127.0.0.1", true),
            ("http://apod.lan/", "http://apod.lan/x", "192.168.1.5", true),
            ("http://apod.lan/", "https://www.nasa.gov/x", "192.168.1.5", false),
            // Resolvers of proxies such as Clash invent an address for each name: a certificate is needed.
            (nil, "https://science.nasa.gov/x", "198.19.0.7", true),
            (nil, "http://science.nasa.gov/x", "198.19.0.7", false),
        ] as [(String?, String, String, Bool)])
    func aNameResolvesToAPublicAddress(
        upstream: String?, address: String, place: String, isAllowed: Bool
    ) throws {
        let policy = AddressPolicy(upstream: try upstream.map { try WebURL($0) })
        let place = try #require(IPAddress(place))

        #expect(policy.permits(place, for: try WebURL(address)) == isAllowed)
    }

    @Test func anInventedAddressIsNoAddressOfNASA() {
        #expect(throws: TransferError.self) { try nasa.requestURL(for: "https://198.19.0.7/x") }
    }
}
