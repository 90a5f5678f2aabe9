import Platform
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
            #expect(error?.failure == .broken)
        }
    }
}

/// An error whose body is cut off.
@Suite(.timeLimit(.minutes(10))) struct CutErrorTests {
    private static let cutError = verbatim(
        "HTTP/1.1 404 Not Found\r\nContent-Length: 100\r\n\r\nno such")

    /// The status alone says that there is no such file, entry or web page.
    @Test func aCutErrorIsThatError() async throws {
        let server = try ScriptedServer(Self.cutError)
        let client = server.client()

        for error in [
            await failure { _ = try await server.download(with: client) },
            await failure { _ = try await client.get(server.address()) },
        ] {
            #expect(
                error
                    == .refused(address: server.address(), status: 404, body: Array("no such".utf8))
            )
        }
        #expect(server.requests.count == 2)
    }
}

/// A download that breaks off goes on if the server proves that it continues the same bytes.
@Suite(.timeLimit(.minutes(10))) struct BrokenDownloadTests {
    private static let bytes = noise(1000)
    private static let other = bytes.map { ~$0 }
    private static let tag = "ETag: \"a\""
    private static let change = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"

    /// Sends the bytes from `start` on, as a part, and closes the connection before those from `end` on.
    private static func part(
        of body: [UInt8] = bytes, from start: Int, cutAt end: Int? = nil, range: String? = nil,
        _ headers: [String] = []
    ) -> ScriptedServer.Reply {
        let range = range ?? "bytes \(start)-\(body.count - 1)/\(body.count)"
        let lines = ["Content-Length: \(body.count - start)", "Content-Range: \(range)"]
        return { _, peer in
            peer.send(head("206 Partial Content", lines + headers))
            peer.send(Array(body[start..<(end ?? body.count)]))
            if end != nil { peer.cut() }
        }
    }

    @Test(arguments: [
        ([tag, change], "\"a\""),
        ([change, "Date: Sun, 06 Nov 1994 08:50:37 GMT"], "Sun, 06 Nov 1994 08:49:37 GMT"),
    ])
    func aDownloadThatBreaksOffGoesOn(validators: [String], sent: String) async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, validators), Self.part(from: 400, cutAt: 900),
            Self.part(from: 900))

        let (downloaded, file) = try await server.download()

        #expect(file == Self.bytes && downloaded.sha256 == digest(Self.bytes))
        #expect(downloaded.bytes == 1000)
        #expect(
            (downloaded.etag ?? downloaded.lastModified) == sent, "that of the first response")
        #expect(try server.request(0)["Range"] == nil)
        #expect(try server.request(1)["Range"] == "bytes=400-")
        #expect(try server.request(2)["Range"] == "bytes=900-")
        #expect(try server.request(2)["If-Range"] == sent)
    }

    /// A part that comes in chunks has no length; here the first one ends too early.
    @Test func aPartInChunksContinuesTheFile() async throws {
        func chunks(from start: Int, to end: Int) -> ScriptedServer.Reply {
            { _, peer in
                peer.send(
                    head(
                        "206 Partial Content",
                        ["Transfer-Encoding: chunked", "Content-Range: bytes \(start)-999/1000"]))
                peer.send("\(String(end - start, radix: 16))\r\n")
                peer.send(Array(Self.bytes[start..<end]))
                peer.send("\r\n0\r\n\r\n")
            }
        }
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [Self.tag]), chunks(from: 400, to: 700),
            chunks(from: 700, to: 1000))

        #expect(try await server.download().file == Self.bytes)

        #expect(try server.request(2)["Range"] == "bytes=700-")
    }

    /// Two versions of a file may have the same length and a weak tag, or change in one second.
    @Test(arguments: [
        [], ["ETag: W/\"a\"", change, "Date: Sun, 06 Nov 1994 10:00:00 GMT"], [change],
        [change, "Date: Sun, 06 Nov 1994 08:49:40 GMT"],
    ])
    func withoutAProofADownloadBeginsAgain(validators: [String]) async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, validators), response(body: Self.other))

        #expect(try await server.download().file == Self.other)

        #expect(try server.request(1)["Range"] == nil && server.request(1)["If-Range"] == nil)
    }

    /// It changed, the server ignores or refuses ranges, or it answers with something else.
    @Test(
        arguments: [
            response("200 OK", ["ETag: \"b\""], body: other), response("416 Not Satisfiable"),
            response("501 Not Implemented"), response("302 Found"), part(of: other, from: 399),
            part(of: other, from: 400, range: "bytes 400-999/*"),
            part(of: other, from: 400, range: "bytes 400-998/999"),
            part(of: other + [0], from: 400),
            part(of: other, from: 400, ["Content-Encoding: gzip"]),
        ] as [ScriptedServer.Reply])
    func aServerThatDoesNotSendTheRestSendsAllOfTheFile(
        reply: @escaping ScriptedServer.Reply
    )
        async throws
    {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [Self.tag]), reply, response(body: Self.other))

        let (downloaded, file) = try await server.download()

        #expect(file == Self.other && downloaded.sha256 == digest(Self.other))
        #expect(try server.request(1)["Range"] == "bytes=400-")
        #expect(server.requests.dropFirst(2).allSatisfy { $0["Range"] == nil })
    }

    /// Another host may have another file under the same tag.
    @Test func aRedirectToAnotherAddressBeginsAgain() async throws {
        let server = try ScriptedServer(
            redirect("/a"), cut(Self.bytes, after: 400, [Self.tag]), redirect("/b"),
            Self.part(of: Self.other, from: 400), response(body: Self.other))

        #expect(try await server.download().file == Self.other)

        #expect(server.requests.map(\.path) == ["/file", "/a", "/file", "/b", "/file"])
    }

    /// A line that breaks every 300 kB, ten times, and one on which the server cannot go on.
    @Test(arguments: [true, false])
    func aLineThatBreaksBringsALargeFileAtLast(isResumable: Bool) async throws {
        let body = noise(3_000_000)
        let server = try ScriptedServer { request, peer in
            let range = isResumable ? request["Range"] : nil
            let start = range.flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let end = min(start + 300_000, body.count)
            let reply =
                start == 0
                ? cut(body, after: end, [Self.tag]) : Self.part(of: body, from: start, cutAt: end)
            reply(request, peer)
        }

        let file = try? await server.download(limit: body.count).file

        #expect((file == body) == isResumable)
        #expect(server.requests.count == (isResumable ? 10 : 4))
    }
}
