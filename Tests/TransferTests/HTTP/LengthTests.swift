import Platform
import TestSupport
import Testing

@testable import Transfer

/// The received length is compared with the announced one.
@Suite(.timeLimit(.minutes(10))) struct LengthTests {
    @Test(arguments: [
        "9223372036854775808", "99999999999999999999999", "-1", "1e3", "0x10", "+5", "5 5", "5;5",
        "ten", "5\r\nContent-Length: 6", "6\r\nContent-Length: 5",
    ])
    func aResponseWithAnInvalidLengthIsBroken(length: String) async throws {
        let server = try ScriptedServer(
            verbatim("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nm31 in Andromeda"))
        let client = server.client(retry: .once)

        for error in [
            await failure { _ = try await server.download(with: client) },
            await failure { _ = try await client.get(server.address()) },
        ] {
            #expect(error?.kind == .broken)
        }
    }

    @Test func theLengthOfAChunkedBodyIsThatOfItsChunks() async throws {
        let server = try ScriptedServer(
            verbatim(
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "3\r\nm31\r\n0\r\n\r\n"))

        #expect(try await server.client().get(server.address()).body == Array("m31".utf8))
    }

    @Test func aBodyLongerThanAnnouncedIsRejected() async throws {
        let server = try ScriptedServer(
            verbatim("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nm31 in Andromeda"))

        let error = await failure { _ = try await server.download() }

        #expect(error?.kind == .broken)
    }

    /// The excess bytes arrive before the announced part is read.
    @Test(arguments: ["keep-alive", "close"])
    func aLargeBodyLongerThanAnnouncedIsRejected(connection: String) async throws {
        let isSent = Monitor(false)
        let server = try ScriptedServer { _, peer in
            peer.send(
                head("200 OK", ["Content-Length: 100000", "Connection: \(connection)"]) + "start")
            peer.send(noise(200_000))
            isSent.withLock { $0 = true }
            isSent.signal()
            peer.hang()
        }

        let error = await failure {
            _ = try await server.download(with: server.client(retry: .once)) { _ in
                isSent.wait { $0 ? () : nil }
            }
        }

        #expect(error?.kind == .broken)
    }

    @Test func bytesAfterAListAreNotPartOfTheNextResponse() async throws {
        let server = try ScriptedServer(
            verbatim("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nm31HTTP/1.1 200 OK\r\n\r\nevil"),
            response(body: Array("m42".utf8)))
        let client = server.client(retry: .once)

        guard case .broken = await failure(of: { _ = try await client.get(server.address()) })
        else {
            Issue.record("a body longer than promised is whole")
            return
        }
        #expect(try await client.get(server.address()).body == Array("m42".utf8))
    }
}
