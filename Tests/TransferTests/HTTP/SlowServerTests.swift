import Platform
import TestSupport
import Testing

@testable import Transfer

/// A slow server does not block other downloads for long.
@Suite(.timeLimit(.minutes(10))) struct SlowServerTests {
    /// A slow transfer that is not a stall: 200 bytes a second.
    static func trickle(after start: Int = 0) -> ScriptedServer.Reply {
        { _, peer in
            peer.send(head("200 OK", ["Content-Length: 2000000000", "ETag: \"a\""]))
            peer.send(noise(start))
            peer.sendSlowly(noise(100_000), every: 5)
        }
    }

    /// The production limits with shorter times.
    static let limits = Limits(
        stall: .seconds(30), stallSpeed: 1,
        minimumRate: MinimumRate(
            firstBytes: 64 << 10, firstPeriod: .milliseconds(300), bytesPerSecond: 10 << 10,
            longestCredit: .milliseconds(600)))

    @Test func aSlowDownloadIsEndedForTheNext() async throws {
        let server = try ScriptedServer(Self.trickle(), response(body: noise(100_000)))
        let client = server.client(limits: Self.limits, width: 1)

        async let slow = failure { _ = try await server.download(with: client, limit: 2 << 30) }
        await server.arrival()
        let next = try await server.download(with: client)

        guard case .unreachable = await slow else {
            Issue.record("the trickle goes on")
            return
        }
        #expect(next.file == noise(100_000))
        #expect(server.requests.count == 2, "the server has shown what it is")
    }

    @Test func aFastStartDoesNotExcuseASlowRest() async throws {
        let server = try ScriptedServer(Self.trickle(after: 1 << 20))
        let client = server.client(limits: Self.limits)

        let error = await failure {
            _ = try await server.download(with: client, limit: 2 << 30)
        }

        #expect(error?.kind == .unreachable)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\nX-", "HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\n"])
    func aSlowResponseWithoutAFileEnds(start: String) async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(start)
            peer.sendSlowly([UInt8](repeating: UInt8(ascii: "x"), count: 100_000), every: 5)
        }
        let client = server.client(limits: Self.limits)

        let error = await failure { _ = try await server.download(with: client) }

        switch error {
        case .unreachable: #expect(!start.contains("404"))
        case .refused(_, let status, _): #expect(status == 404)
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test func redirectsShareTheTimeLimitOfTheirTransfer() async throws {
        let server = try ScriptedServer { request, peer in
            peer.sendSlowly(
                Array("HTTP/1.1 302 Found\r\nLocation: \(request.path)x\r\n".utf8), every: 2)
            peer.send("Content-Length: 0\r\n\r\n")
        }
        let client = server.client(limits: Self.limits)

        let error = await failure { _ = try await server.download(with: client) }

        #expect(error?.kind == .unreachable)
        #expect(server.requests.count < 5)
    }

    @Test func aListHasADeadlineAtAnyRate() async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(head("200 OK", ["Content-Type: application/json"]))
            for _ in 0..<10_000 { peer.sendSlowly(noise(1000), every: 0) }
            peer.sendSlowly(noise(100_000), every: 5)
        }
        var limits = Self.limits
        limits.minimumRate.bytesPerSecond = 1
        limits.minimumRate.longestCredit = .seconds(600)
        limits.list = .milliseconds(500)
        let client = server.client(limits: limits)

        let error = await failure { _ = try await client.get(server.address(), limit: 1 << 30) }

        #expect(error?.kind == .unreachable)
        #expect(server.requests.count == 1)
    }

    @Test func aSteadyDownloadIsNotEnded() async throws {
        let bytes = noise(200_000)
        let server = try ScriptedServer { _, peer in
            peer.send(head("200 OK", ["Content-Length: \(bytes.count)"]))
            // Longer than the first period and the credit together.
            peer.send(Array(bytes[..<80_000]))
            for start in stride(from: 80_000, to: bytes.count, by: 4000) {
                peer.send(Array(bytes[start..<start + 3999]))
                peer.sendSlowly([bytes[start + 3999]], every: 20)
            }
        }
        let client = server.client(limits: Self.limits)

        #expect(try await server.download(with: client).file == bytes)
    }
}
