import Glibc
import Platform
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct ThrottleTests {
    static let noon = 784_111_777.0
    let hosts = HostPauses { noon }

    @Test(arguments: ["900", "Sun, 06 Nov 1994 09:04:37 GMT"])
    func theRetryAfterOfAHostIsRespected(retryAfter: String) async throws {
        let server = try ScriptedServer(response("429 Slow", ["Retry-After: \(retryAfter)"]))
        let client = server.client(hosts: hosts)
        let throttled = TransferError.throttled(
            address: server.address(), until: Self.noon + 900)

        #expect(await failure { _ = try await client.get(server.address()) } == throttled)
        #expect(await failure { _ = try await client.get(server.address()) } == throttled)
        #expect(await failure { _ = try await server.download(with: client) } == throttled)

        #expect(server.requests.count == 1)
        #expect(hosts.endsOfPauses == ["127.0.0.1": Self.noon + 900])
    }

    @Test func aShortPauseIsWaitedFor() async throws {
        let server = try ScriptedServer(response("429 Slow", ["Retry-After: 20"]), response())
        let clock = ManualClock()
        let client = server.client(retry: .standard, clock: clock, hosts: hosts)

        async let response = client.get(server.address())

        #expect(await clock.wakeNextSleeper() == .seconds(20))
        _ = try await response
        #expect(hosts.endsOfPauses.isEmpty)
    }
}
