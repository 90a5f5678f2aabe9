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
        struct Objection: Error, CustomStringConvertible { let description = "a stone" }
        let server = try ScriptedServer(response("200 OK", body: noise(3_000_000)))
        let client = server.client()

        let error = await failure {
            let file = try FileDescriptor(inMemory: "download")
            _ = try await client.download(
                server.address(), into: file, limit: 1 << 26,
                start: StartCheck(length: 64) { start in
                    #expect(start == noise(64))
                    throw Objection()
                })
        }

        #expect(error == .rejected(address: server.address(), reason: "a stone"))
        #expect(server.requests.count == 1)
        #expect(client.metrics.count.bytes < 100_000)
        #expect(client.metrics.count.failures == 1)
    }

    @Test func anUnrequestedNotModifiedIsBroken() async throws {
        let server = try ScriptedServer(response("304 Same"))

        let error = await failure { _ = try await server.download() }

        #expect("\(try #require(error))".contains("304"))
    }

    @Test func aKnownVersionIsNotDownloaded() async throws {
        let server = try ScriptedServer(response("304 Same"))
        let version = FileVersion(etag: "\"a\"", lastModified: "then")

        let error = await failure {
            let file = try FileDescriptor(inMemory: "download")
            _ = try await server.client().download(
                server.address(), into: file, limit: 100, unless: version)
        }

        #expect(error == .notModified(address: server.address()))
        #expect(try server.request(0)["If-None-Match"] == "\"a\"")
        #expect(server.requests.count == 1)
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
        let number = file.rawValue

        let error = await failure {
            _ = try await server.client().download(
                server.address("/file"), into: file, limit: length,
                availableBytes: { length / 2 - size(of: number) })
        }

        #expect(error == .noSpace(address: server.address("/file")))
        #expect(server.requests.count == 1)
        #expect(try file.status(path: "download").size == 0)
    }

    @Test(arguments: ["204 None", "205 Reset", "207 Many", "300 Choose"])
    func someSuccessStatusesAreRejected(status: String) async throws {
        let server = try ScriptedServer(response(status))

        let error = await failure { _ = try await server.download() }

        #expect(error?.failure == .broken)
        #expect(server.requests.count == 1)
    }

    @Test func unrequestedCompressionIsBroken() async throws {
        let server = try ScriptedServer(
            response("200 OK", ["Content-Encoding: gzip"], body: Gzip.andromeda))

        let error = await failure { _ = try await server.download() }

        #expect("\(try #require(error))".contains("gzip"))
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
}
