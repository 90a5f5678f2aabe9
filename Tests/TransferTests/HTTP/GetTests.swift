import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct GetTests {
    @Test func aWholeResponseIsReturned() async throws {
        let server = try ScriptedServer(
            response(
                "203 Fine", ["X-WP-Total: 3", "Content-Type: text/x"], body: Array("m31".utf8)))

        let got = try await server.client().get(server.address("/a?b#c"))

        #expect(got.headers["x-wp-total"] == "3")
        #expect(got.body == Array("m31".utf8))
        #expect(server.requests.map(\.line) == ["GET /a?b HTTP/1.1"])
        #expect(try server.request(0)["User-Agent"] == "test/1")
    }

    @Test func aCompressedResponseIsDecoded() async throws {
        let server = try ScriptedServer(
            response("200 OK", ["Content-Encoding: gzip"], body: Gzip.andromeda))

        let got = try await server.client().get(server.address())

        #expect(got.body == Array("andromeda".utf8))
        #expect(try server.request(0)["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test func theLimitCountsDecodedBytes() async throws {
        let server = try ScriptedServer(
            response("200 OK", ["Content-Encoding: gzip"], body: Gzip.bomb))
        let client = server.client()

        #expect(try await client.get(server.address(), limit: 100_000).body.count == 100_000)
        let error = await failure { _ = try await client.get(server.address(), limit: 99_999) }

        #expect(error?.failure == .tooLong)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [403, 404])
    func aRefusalHasItsBodyAndIsNeitherRetriedNorAPause(status: Int) async throws {
        let server = try ScriptedServer(
            response(
                "\(status) No", ["Retry-After: 900"], body: Array("{\"code\":1}".utf8)))
        let hosts = HostPauses()
        let client = server.client(hosts: hosts)

        let error = await failure { _ = try await client.get(server.address()) }

        #expect(
            error
                == .refused(
                    address: server.address(), status: status, body: Array("{\"code\":1}".utf8)))
        #expect(server.requests.count == 1)
        #expect(hosts.endsOfPauses.isEmpty)
    }

    @Test func anEndlessRefusalIsTruncated() async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(head("404 No", ["Content-Length: 1000000000"]))
            peer.send(noise(1 << 20))
            peer.hang()
        }
        let client = server.client()

        let error = await failure { _ = try await client.get(server.address()) }

        guard case .refused(_, 404, let body) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(body == Array(noise(1 << 20)[..<(64 << 10)]))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnonsense",
        "<html>no HTTP at all</html>", "HTTP/9.9 200 OK\r\n\r\n",
    ])
    func anInvalidResponseIsBroken(text: String) async throws {
        let server = try ScriptedServer(verbatim(text))
        let client = server.client(retry: .once)

        let error = await failure { _ = try await client.get(server.address()) }

        #expect(error?.failure == .broken)
    }
}
