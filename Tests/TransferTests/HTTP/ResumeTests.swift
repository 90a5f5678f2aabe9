import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct ResumeTests {
    static let bytes = noise(1000)
    let tag = "ETag: \"a\""

    @Test(arguments: ["ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"])
    func aDownloadIsResumedAfterAnInterruption(validator: String) async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [validator]), rest(from: 400, "400-999/1000", validator))

        let (downloaded, file) = try await server.download()

        #expect(file == Self.bytes)
        #expect(downloaded.sha256 == digest(Self.bytes))
        #expect(downloaded.bytes == 1000)
        #expect(server.requests.count == 2)
        #expect(try server.request(1)["Range"] == "bytes=400-")
        #expect(validator.hasSuffix(try #require(try server.request(1)["If-Range"])))
    }

    @Test func aDownloadIsResumedMoreThanOnce() async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]),
            { [tag] _, peer in
                peer.send(
                    head(
                        "206 Part",
                        ["Content-Length: 600", "Content-Range: bytes 400-999/1000", tag]))
                peer.send(Array(Self.bytes[400..<700]))
                peer.cut()
            }, rest(from: 700, "700-999/1000", tag))

        let (downloaded, file) = try await server.download()

        #expect(file == Self.bytes)
        #expect(downloaded.sha256 == digest(Self.bytes))
        #expect(try server.request(2)["Range"] == "bytes=700-")
    }

    @Test func aCompleteResponseReplacesThePartialFile() async throws {
        let other = noise(700).map { ~$0 }
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]), response("200 OK", ["ETag: \"b\""], body: other))

        let (downloaded, file) = try await server.download()

        #expect(file == other)
        #expect(downloaded.sha256 == digest(other))
        #expect(downloaded.etag == "\"b\"")
    }

    @Test(arguments: [
        ("399-999/1000", "ETag: \"a\""), ("401-999/1000", "ETag: \"a\""),
        ("400-999/1001", "ETag: \"a\""), ("400-998/1000", "ETag: \"a\""),
        ("400-999/*", "ETag: \"a\""), ("400-999/1000", "ETag: \"b\""), ("400-999/1000", "X: y"),
        ("nonsense", "ETag: \"a\""),
    ])
    func aDifferentRangeIsNotAppended(range: String, validator: String) async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]), rest(from: 400, range, validator),
            response(body: Self.bytes))

        let (downloaded, file) = try await server.download()

        #expect(file == Self.bytes)
        #expect(downloaded.sha256 == digest(Self.bytes))
        #expect(server.requests.count == 3)
        #expect(try server.request(2)["Range"] == nil)
    }

    @Test func afterARefusedRangeTheWholeFileIsRequested() async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]), response("416 No such range"),
            response(body: Self.bytes))

        #expect(try await server.download().file == Self.bytes)
        #expect(try server.request(2)["Range"] == nil)
    }

    /// A server that ignores the condition of a resume sends nothing: the partial file is incomplete.
    @Test(arguments: ["304 Same", "412 Failed", "204 None", "300 Choose"])
    func afterAnEmptyResumeTheWholeFileIsRequested(status: String) async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]), response(status, [tag]), response(body: Self.bytes))

        let (downloaded, file) = try await server.download()

        #expect(file == Self.bytes)
        #expect(downloaded.sha256 == digest(Self.bytes))
        #expect(downloaded.bytes == 1000)
        #expect(try server.request(2)["Range"] == nil)
    }

    @Test func aResumeThatStaysEmptyFails() async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]), response("304 Same", [tag]))

        let error = await failure { _ = try await server.download() }

        #expect(error?.kind == .broken)
        #expect(server.requests.count <= 4)
    }

    @Test func anUnrequestedRangeIsNotAFile() async throws {
        let server = try ScriptedServer(
            response(
                "206 Part", ["Content-Range: bytes 0-399/1000", tag],
                body: Array(Self.bytes[..<400])))

        let error = await failure { _ = try await server.download() }

        #expect(error?.kind == .broken)
    }

    @Test(arguments: [["ETag: W/\"a\""], [], ["ETag: \"a\"", "Accept-Ranges: none"]])
    func withoutAStrongValidatorADownloadRestarts(headers: [String]) async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, headers), response(body: Self.bytes))

        #expect(try await server.download().file == Self.bytes)
        #expect(try server.request(1)["Range"] == nil)
    }

    @Test func aRangeShorterThanAnnouncedIsBroken() async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]),
            response(
                "206 Part", ["Content-Range: bytes 400-999/1000", tag],
                body: Array(Self.bytes[400..<900])),
            response(body: Self.bytes))

        #expect(try await server.download().file == Self.bytes)
        #expect(try server.request(2)["Range"] == nil)
    }

    @Test func theSizeLimitAppliesAcrossAttempts() async throws {
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, [tag]),
            { [tag] _, peer in
                peer.send(head("206 Part", ["Content-Range: bytes 400-999/1000", tag]))
                peer.send(Self.bytes)
                peer.cut()
            })

        let error = await failure { _ = try await server.download(limit: 1000) }

        #expect("\(try #require(error))".contains("limit of 1000"))
    }

    @Test func aFileThatStaysIncompleteIsBroken() async throws {
        let server = try ScriptedServer(cut(Self.bytes, after: 400))

        let error = await failure { _ = try await server.download() }

        #expect(error?.kind == .broken)
        #expect(server.requests.count == 4)
    }

    private func rest(
        from offset: Int, _ range: String, _ validator: String
    ) -> ScriptedServer.Reply {
        response(
            "206 Part", ["Content-Range: bytes \(range)", validator],
            body: Array(Self.bytes[offset...]))
    }
}
