import Glibc
import Platform
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct ThrottleTests {
    static let noon = 784_111_777.0
    let hosts = HostPauses { noon }

    @Test(arguments: ["900", "Sun, 06 Nov 1994 09:04:37 GMT", "Sun Nov  6 09:04:37 1994"])
    func theRetryAfterOfAHostIsRespected(retryAfter: String) async throws {
        let server = try ScriptedServer(response("429 Slow", ["Retry-After: \(retryAfter)"]))
        let client = server.client(hosts: hosts)
        let throttled = TransferError.throttled(
            address: server.address(), until: Self.noon + 900)

        #expect(await failure { _ = try await client.get(server.address()) } == throttled)
        #expect(await failure { _ = try await client.get(server.address()) } == throttled)
        #expect(await failure { _ = try await server.download(with: client) } == throttled)

        #expect(server.requests.count == 1)
        #expect(hosts.notBefore == ["127.0.0.1": Self.noon + 900])
    }

    @Test func anAbsurdRetryAfterIsLimitedToSixHours() async throws {
        let server = try ScriptedServer(response("503 Gone", ["Retry-After: 99999999"]))

        let error = await failure {
            _ = try await server.download(with: server.client(hosts: hosts))
        }

        #expect(error == .throttled(address: server.address(), until: Self.noon + 21600))
    }

    @Test(arguments: ["-1", "soon", ""])
    func anInvalidRetryAfterIsIgnored(retryAfter: String) async throws {
        let server = try ScriptedServer(
            response("503 Wait", ["Retry-After: \(retryAfter)"]), response(body: [1]))

        #expect(try await server.download(with: server.client(hosts: hosts)).file == [1])
    }

    @Test func aShortPauseIsWaitedFor() async throws {
        let server = try ScriptedServer(response("429 Slow", ["Retry-After: 20"]), response())
        let clock = ManualClock()
        let client = Client(
            agent: "a", policy: AddressPolicy(upstream: try WebURL(server.address())), pace: .zero,
            width: 1,
            clock: clock, hosts: hosts)

        async let response = client.get(server.address())

        #expect(await clock.wakeNextSleeper() == .seconds(20))
        _ = try await response
        #expect(hosts.notBefore.isEmpty)
    }

    @Test func aPermanentRefusalIsNotThrottling() async throws {
        let server = try ScriptedServer(response("404 No", ["Retry-After: 900"]))
        let client = server.client(hosts: hosts)

        let error = await failure { _ = try await client.get(server.address()) }

        #expect(error == .refused(address: server.address(), status: 404, body: []))
        #expect(hosts.notBefore.isEmpty)
    }

    @Test func backOffAddsUpToThreeAndAHalfSecondsAtMost() async throws {
        let server = try ScriptedServer(response("500 Oh"))
        let clock = ManualClock()
        let client = Client(
            agent: "a", policy: AddressPolicy(upstream: try WebURL(server.address())), pace: .zero,
            width: 1,
            clock: clock, hosts: hosts)

        async let error = failure { _ = try await client.get(server.address()) }
        for longest in [0.5, 1, 2] {
            let pause = try #require(await clock.wakeNextSleeper())
            #expect(Duration.seconds(longest / 2)...Duration.seconds(longest) ~= pause)
        }

        #expect(await error == .refused(address: server.address(), status: 500, body: []))
    }
}
