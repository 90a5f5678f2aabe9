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

    /// The status alone says that there is no such file, or no such page of a mirror of the old site.
    @Test func aCutErrorOfAFileOrAWebPageIsThatError() async throws {
        let server = try ScriptedServer(Self.cutError)
        let client = server.client()

        for error in [
            await failure { _ = try await server.download(with: client) },
            await failure { _ = try await client.get(server.address(), as: .webPage) },
        ] {
            #expect(
                error
                    == .refused(address: server.address(), status: 404, body: Array("no such".utf8))
            )
        }
        #expect(server.requests.count == 2)
    }

    /// The body says what is missing: the entry of a day, or something on the way to it.
    @Test func aCutErrorOfAFeedIsBrokenAndRetried() async throws {
        let server = try ScriptedServer(
            Self.cutError, Self.cutError,
            response("404 Not Found", body: Array("no such day".utf8)))

        let once = await failure {
            _ = try await server.client(retry: .once).get(server.address())
        }
        let retried = await failure { _ = try await server.client().get(server.address()) }

        #expect(once?.failure == .broken)
        #expect(
            retried
                == .refused(
                    address: server.address(), status: 404, body: Array("no such day".utf8)))
        #expect(server.requests.count == 3)
    }
}

/// A broken download begins again: two versions of a file may have the same length and validator.
@Suite(.timeLimit(.minutes(10))) struct RestartTests {
    private static let bytes = noise(1000)
    private static let validators = ["ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]

    @Test func aBrokenDownloadBeginsAgain() async throws {
        let other = Self.bytes.map { ~$0 }
        let server = try ScriptedServer(
            cut(Self.bytes, after: 400, Self.validators),
            cut(Self.bytes, after: 900, Self.validators),
            response("200 OK", Self.validators, body: other))

        let (downloaded, file) = try await server.download()

        #expect(file == other)
        #expect(downloaded.sha256 == digest(other))
        #expect(downloaded.bytes == 1000)
        #expect(server.requests.count == 3)
        for index in 0..<3 {
            #expect(try server.request(index)["Range"] == nil)
            #expect(try server.request(index)["If-Range"] == nil)
        }
    }
}
