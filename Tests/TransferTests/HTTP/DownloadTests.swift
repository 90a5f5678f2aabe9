import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    @Test(arguments: [0, 1, 100_000, 3_000_000])
    func aFileIsStreamedAndHashed(length: Int) async throws {
        let bytes = noise(length)
        let server = try ScriptedServer(
            response(
                "200 OK", ["ETag: \"a\"", "Last-Modified: then"], body: bytes))
        let received = Monitor(0)

        let (downloaded, file) = try await server.download(
            over: "what was there before", limit: length,
            progress: { count in received.withLock { $0 += count } })

        #expect(file == bytes)
        #expect(
            downloaded
                == DownloadResult(
                    address: server.address(), bytes: length, sha256: digest(bytes),
                    etag: "\"a\"", lastModified: "then"))
        #expect(received.withLock(\.self) == length)
        #expect(try server.request(0)["Accept-Encoding"] == nil)
    }

    /// Nothing of a large file but its first piece.
    @Test func aFileWhoseStartIsRejectedIsNotDownloaded() async throws {
        let server = try ScriptedServer(response("200 OK", body: noise(3_000_000)))
        let client = server.client()

        let error = await failure {
            let file = try FileDescriptor(inMemory: "download")
            _ = try await client.download(
                server.address(), into: file, path: "download", limit: 1 << 26,
                start: StartCheck(length: 64) { start, sender throws(TransferError) in
                    #expect(start == noise(64))
                    throw .rejected(address: sender, reason: "a stone")
                })
        }

        #expect(error == .rejected(address: server.address(), reason: "a stone"))
        #expect(server.requests.count == 1)
        #expect(client.configuration.receivedBytes.withLock(\.self) < 100_000)
    }

    @Test func aStoredVersionAddsNoHeaderLine() {
        let version = FileVersion(etag: "\"a\"\r\nX: y", lastModified: "then")
        #expect(version == FileVersion(etag: nil, lastModified: "then"))
        #expect(FileVersion(etag: "", lastModified: "a\nb") == nil)
    }

    /// What was written is free for other downloads as soon as this one is refused space.
    @Test(arguments: [true, false])
    func aDownloadWithoutSpaceFails(isLengthAnnounced: Bool) async throws {
        let length = 2 << 20
        let server = try ScriptedServer(
            isLengthAnnounced
                ? response(body: noise(length))
                : verbatim("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: length)))
        let file = try FileDescriptor(inMemory: "download")
        let space = SpaceReservations { [number = file.rawValue] in length / 2 - size(of: number) }

        let error = await failure {
            _ = try await server.client().download(
                server.address("/file"), into: file, path: "download", limit: length, space: space)
        }

        let bytes: Int? = if case .noSpace(_, let bytes)? = error { bytes } else { nil }
        #expect(isLengthAnnounced ? bytes == length : bytes ?? 0 > length / 2)
        #expect(server.requests.count == 1)
        #expect(try file.status(path: "download").size == 0)
    }

    /// Statuses and headers that were not requested, or without which a redirect leads nowhere.
    @Test(
        arguments: [
            ("204 None", [], "204"), ("205 Reset", [], "205"), ("207 Many", [], "207"),
            ("206 Part", ["Content-Range: bytes 0-399/1000"], "206"), ("300 Choose", [], "300"),
            ("302 Found", [], "without a Location"), ("304 Same", [], "304"),
            ("200 OK", ["Content-Encoding: gzip"], "gzip"),
            ("200 OK", ["Content-Encoding: aws-chunked, GZIP"], "gzip"),
        ] as [(String, [String], String)])
    func anUnexpectedResponseIsBrokenAndNotRetried(
        status: String, headers: [String], reason: String
    ) async throws {
        let server = try ScriptedServer(response(status, headers))

        let error = await failure { _ = try await server.download() }

        #expect(error?.failure == .broken)
        #expect("\(try #require(error))".contains(reason))
        #expect(server.requests.count == 1)
    }

    /// Mistakes of servers: the bytes are what they should be.
    @Test(arguments: ["aws-chunked", "UTF-8", "none", "", "binary", "identity, utf-8"])
    func aContentEncodingThatIsNoCodingIsIgnored(value: String) async throws {
        let reply = response("200 OK", ["Content-Encoding: \(value)"], body: [1, 2])
        let server = try ScriptedServer(reply, reply, reply)

        #expect(try await server.download().file == [1, 2])
        #expect(try await server.client().get(server.address()).body == [1, 2])
    }

    @Test func headersWithoutEndAreBroken() async throws {
        let server = try ScriptedServer { _, peer in
            peer.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<2700 {
                peer.send("X-\(number): \(String(repeating: "x", count: 90))\r\n")
            }
            peer.hang()
        }

        let error = await failure { _ = try await server.download() }

        #expect("\(try #require(error))".contains("headers are longer than 262144"))
        #expect(server.requests.count == 1)
    }

    @Test func headersThatBreakOffAreBroken() async throws {
        let server = try ScriptedServer(verbatim("HTTP/1.1 200 OK\r\nServer: x\r\n"))
        let client = server.client(retry: .once)

        let download = await failure { _ = try await server.download() }
        let text = await failure { _ = try await client.get(server.address(), limit: 100) }

        #expect("\(try #require(download))".contains("the headers broke off"), "\(download as Any)")
        #expect("\(try #require(text))".contains("the headers broke off"), "\(text as Any)")
    }

    @Test func aFailedDownloadReleasesItsSpace() async throws {
        let body = noise(2 << 20)
        let server = try ScriptedServer(cut(body, after: 1), response(body: body))
        let client = server.client(retry: .once)
        let space = SpaceReservations { body.count }
        let download = {
            let file = try FileDescriptor(inMemory: "download")
            _ = try await client.download(
                server.address(), into: file, path: "download", limit: body.count, space: space)
        }

        #expect(await failure(of: download)?.failure == .broken)

        try await download()
    }
}

private func size(of descriptor: CInt) -> Int {
    var status = stat()
    _ = unsafe fstat(descriptor, &status)
    return status.st_size
}
