import Platform
import TestSupport
import Testing

@testable import Transfer

/// A slow server does not block other downloads for long.
@Suite(.timeLimit(.minutes(10))) struct SlowServerTests {
    /// A slow transfer that is not a stall: 200 bytes a second.
    static func trickle(after start: Int = 0) -> ScriptedServer.Reply {
        { _, peer in
            peer.send(head("200 OK", ["Content-Length: 2000000000"]))
            peer.send(noise(start))
            peer.sendSlowly(noise(100_000), every: 5)
        }
    }

    static let limits = Limits(slow: .seconds(1))

    @Test func aSlowDownloadIsEndedForTheNext() async throws {
        let server = try ScriptedServer(Self.trickle(), response(body: noise(100_000)))
        let client = server.client(limits: Self.limits, width: 1)

        async let slow = failure { _ = try await server.download(with: client, limit: 2 << 30) }
        await server.arrival()
        let next = try await server.download(with: client)

        #expect(await slow?.failure == .unreachable)
        #expect(next.file == noise(100_000))
        #expect(server.requests.count == 2, "the server has shown what it is")
    }

    @Test(
        arguments: [
            ("", true), ("HTTP/1.1 200 OK\r\nX-", false),
            ("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nx", true),
            ("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nx", false),
            ("HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\n", true),
            ("HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\n", false),
        ])
    func aHangingOrSlowResponseEnds(start: String, isHanging: Bool) async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(start)
            if isHanging { peer.hang() }
            peer.sendSlowly([UInt8](repeating: UInt8(ascii: "x"), count: 100_000), every: 5)
        }
        let client = server.client(retry: .once, limits: Self.limits)

        let error = await failure { _ = try await server.download(with: client) }

        #expect(error?.failure == (start.contains("404") ? .refused : .unreachable))
    }

    @Test func aListHasATimeLimitAtAnyRate() async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(head("200 OK", ["Content-Type: application/json"]))
            peer.sendSlowly(noise(100_000), every: 5)
        }
        let client = server.client(limits: Limits(list: .milliseconds(500)))

        let error = await failure { _ = try await client.get(server.address(), limit: 1 << 30) }

        #expect(error?.failure == .unreachable)
        #expect(server.requests.count == 1)
    }

    @Test func aSlowTransferIsReported() async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer(Self.trickle())
        let client = server.client(limits: Limits(grace: .milliseconds(100)))
        let task = Task {
            await failure {
                let file = try FileDescriptor(inMemory: "slow")
                _ = try await client.download(
                    server.address(), into: file, limit: 2 << 30,
                    whenSlow: { continuation.yield() })
            }
        }

        _ = await reports.first { true }
        task.cancel()

        #expect(await task.value == .cancelled)
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
