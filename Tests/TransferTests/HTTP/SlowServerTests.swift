import Platform
import TestSupport
import Testing

@testable import Transfer

/// A slow server keeps no download for long.
@Suite(.timeLimit(.minutes(10))) struct SlowServerTests {
    static let limits = RequestLimits(maximumSlowTime: .seconds(1))

    @Test(
        arguments: [
            ("", true), ("HTTP/1.1 200 OK\r\nX-", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nx", true),
            ("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nx", false),
            ("HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\n", true),
            ("HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\n", false),
        ])
    func aHangingOrSlowResponseEndsAndIsNotRetried(start: String, isHanging: Bool) async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(start)
            if isHanging { peer.hang() }
            peer.sendSlowly([UInt8](repeating: UInt8(ascii: "x"), count: 100_000), every: 5)
        }
        let client = server.client(limits: Self.limits)

        let error = await failure { _ = try await server.download(with: client) }

        #expect(error?.failure == (start.contains("404") ? .refused : .unreachable))
        #expect(server.requests.count == 1, "the server has shown what it is")
    }

    @Test func aListHasATimeLimitAtAnyRate() async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(head("200 OK", ["Content-Type: application/json"]))
            peer.sendSlowly(noise(100_000), every: 5)
        }
        let client = server.client(limits: RequestLimits(listTimeout: .milliseconds(500)))

        let error = await failure { _ = try await client.get(server.address(), limit: 1 << 30) }

        #expect(error?.failure == .unreachable)
        #expect(server.requests.count == 1)
    }

    @Test func aSteadyDownloadIsNotEnded() async throws {
        let bytes = noise(60_000)
        let server = try ScriptedServer { _, peer in
            peer.send(head("200 OK", ["Content-Length: \(bytes.count)"]))
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                peer.send(Array(bytes[start..<start + 999]))
                peer.sendSlowly([bytes[start + 999]], every: 40)
            }
        }
        let client = server.client(limits: Self.limits)

        #expect(try await server.download(with: client).file == bytes)
    }
}
