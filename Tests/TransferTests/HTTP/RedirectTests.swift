import Glibc
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct RedirectTests {
    /// The body of a redirect is no part of the file.
    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectsAreFollowed(status: Int) async throws {
        let server = try ScriptedServer(
            response("\(status) There", ["Location: /b?c=1"], body: noise(300_000)),
            redirect("d"), response(body: [1]))

        let (downloaded, file) = try await server.download("/a/b")

        #expect(file == [1])
        #expect(downloaded.address == server.address("/d"))
        #expect(server.requests.map(\.path) == ["/a/b", "/b?c=1", "/d"])
    }

    @Test func atMostFiveRedirectsAreFollowed() async throws {
        let hop = redirect("/again")
        let server = try ScriptedServer(hop, hop, hop, hop, hop, response(body: [1]))
        let circle = try ScriptedServer(hop)

        #expect(try await server.download().file == [1])
        let error = await failure { _ = try await circle.download() }

        #expect("\(try #require(error))".contains("more than 5"))
        #expect(circle.requests.count == 6)
    }

    /// A wall that lets pass who comes back with its cookie; another download gets one of its own.
    @Test func cookiesAreKeptForOneDownload() async throws {
        let wall: ScriptedServer.Reply = response(
            "302 Found", ["Location: /file", "Set-Cookie: pass=1; Path=/"])
        let server = try ScriptedServer(wall, response(body: [1]), wall, response(body: [2]))
        let client = server.client()

        #expect(try await server.download(with: client).file == [1])
        #expect(try await server.download(with: client).file == [2])

        let cookies = server.requests.map { $0["cookie"] }
        #expect(cookies == [nil, "pass=1", nil, "pass=1"])
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://nasa.gov/x", "gopher://nasa.gov/x", "http://192.168.0.1/",
        "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/", "https://evil.org/",
        "//evil.org/", "http://u:p@nasa.gov/", "http://localhost/", "data:text/html,x",
        "http://2130706433:81/",
    ])
    func theTargetOfARedirectIsChecked(location: String) async throws {
        let server = try ScriptedServer(redirect(location))
        let client = server.client()

        for error in [
            await failure { _ = try await server.download(with: client) },
            await failure { _ = try await client.get(server.address()) },
        ] {
            #expect(error?.failure == .forbidden)
        }
        #expect(server.requests.count == 2)
    }

    /// The error names the address after a redirect: a person looks there for what is wrong.
    @Test(arguments: [true, false])
    func aBodyOrAFileAboveTheLimitIsBroken(isLengthAnnounced: Bool) async throws {
        let reply =
            isLengthAnnounced
            ? response(body: noise(200))
            : verbatim("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 200))
        let server = try ScriptedServer(redirect("/b"), reply, redirect("/b"), reply)
        let client = server.client()

        for error in [
            await failure { _ = try await client.get(server.address(), limit: 100) },
            await failure { _ = try await server.download(with: client, limit: 100) },
        ] {
            #expect(error == .tooLong(address: server.address("/b"), limit: 100))
        }
    }

    /// The name is not that of this machine; resolving maps it to `localhost`.
    @Test func aRedirectToANameWithAPrivateAddressIsForbidden() async throws {
        _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
        let name = "ｌｏｃａｌｈｏｓｔ"
        let client = Client(
            agent: "a",
            policy: AddressPolicy(upstream: nil, mirrors: [try WebURL("https://\(name)/")]),
            width: 1, hosts: HostPauses())
        let server = try ScriptedServer(response())

        let error = await failure {
            _ = try await server.download(at: "http://\(name)/", with: client)
        }

        #expect(error?.failure == .forbidden)
        let reason = "\(try #require(error))"
        #expect(reason.contains("private"))
    }
}
