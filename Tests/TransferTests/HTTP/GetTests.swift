import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10))) struct GetTests {
    @Test func aWholeResponseIsReturned() async throws {
        let server = try ScriptedServer(
            response(
                "203 Fine", ["X-WP-Total: 3", "Content-Type: text/x"], body: Array("m31".utf8)))

        let got = try await server.client().get(server.address("/a?b#c"))

        #expect(got.headers["x-wp-total"] == "3")
        #expect(got.body == Array("m31".utf8))
        #expect(server.requests.map(\.line) == ["GET /a?b HTTP/1.1"])
        #expect(try server.request(0)["User-Agent"] == "test/1")
    }

    @Test func aCompressedResponseIsDecoded() async throws {
        let server = try ScriptedServer(
            response("200 OK", ["Content-Encoding: gzip"], body: Gzip.andromeda))

        let got = try await server.client().get(server.address())

        #expect(got.body == Array("andromeda".utf8))
        #expect(try server.request(0)["Accept-Encoding"]?.contains("gzip") == true)
    }

    @Test func theLimitCountsDecodedBytes() async throws {
        let server = try ScriptedServer(
            response("200 OK", ["Content-Encoding: gzip"], body: Gzip.bomb))
        let client = server.client()

        #expect(try await client.get(server.address(), limit: 100_000).body.count == 100_000)
        let error = await failure { _ = try await client.get(server.address(), limit: 99_999) }

        #expect(error?.failure == .tooLong)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [403, 404])
    func aRefusalHasItsBodyAndIsNotRetried(status: Int) async throws {
        let server = try ScriptedServer(response("\(status) No", body: Array("{\"code\":1}".utf8)))
        let client = server.client()

        let error = await failure { _ = try await client.get(server.address()) }

        #expect(
            error
                == .refused(
                    address: server.address(), status: status, body: Array("{\"code\":1}".utf8)))
        #expect(server.requests.count == 1)
    }

    @Test func anEndlessRefusalIsTruncated() async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(head("404 No", ["Content-Length: 1000000000"]))
            peer.send(noise(1 << 20))
            peer.hang()
        }
        let client = server.client()

        let error = await failure { _ = try await client.get(server.address()) }

        guard case .refused(_, 404, let body) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(body == Array(noise(1 << 20)[..<(64 << 10)]))
    }

    @Test func aTransientFailureIsRetried() async throws {
        let server = try ScriptedServer(
            response("503 Wait"), response("503 Wait"), response(body: [1]))

        #expect(try await server.client().get(server.address()).body == [1])
        #expect(server.requests.count == 3)
    }

    @Test func aRequestIsAttemptedFourTimes() async throws {
        let server = try ScriptedServer(response("500 Oh"))
        let client = server.client()

        let error = await failure { _ = try await client.get(server.address()) }

        #expect(error == .refused(address: server.address(), status: 500, body: []))
        #expect(server.requests.count == 4)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnonsense",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnonsense",
        "<html>no HTTP at all</html>", "HTTP/9.9 200 OK\r\n\r\n",
    ])
    func anInvalidResponseIsBroken(text: String) async throws {
        let server = try ScriptedServer(verbatim(text))
        let client = server.client(retry: .once)

        let error = await failure { _ = try await client.get(server.address()) }

        #expect(error?.failure == .broken)
    }

    @Test func aMissingServerIsUnreachableAfterFourAttempts() async throws {
        let address = try { try ScriptedServer(response()).address() }()
        let client = Client(
            agent: "a", policy: AddressPolicy(upstream: try WebURL(address)), retry: .quick,
            pace: .zero,
            width: 1, hosts: HostPauses())

        let error = await failure { _ = try await client.get(address) }

        guard case .unreachable(address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// An error of poll(2) concerns all transfers, and not those that follow.
    @Test func aWaitThatFailsEndsTheTransfer() async {
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(
                { _, peer in
                    // poll(2) fails with more descriptors than a process may have.
                    limitDescriptors(to: 0)
                    // This ends the wait in progress.
                    peer.send("HTTP/1.1 200 OK\r\n")
                    peer.hang()
                }, response(body: [1]))
            let client = server.client(retry: .once)

            let error = await failure { _ = try await client.get(server.address()) }
            limitDescriptors()

            #expect(error?.failure == .unreachable)
            #expect("\(try #require(error))".contains("curl_multi_poll"))
            #expect(try await client.get(server.address()).body == [1])
        }
    }

    @Test func requestsStartAtLeastTheIntervalApart() async throws {
        let server = try ScriptedServer(response("503 Wait"), response())
        let clock = ManualClock()
        let client = Client(
            agent: "a", policy: AddressPolicy(upstream: try WebURL(server.address())),
            retry: .quick,
            pace: .seconds(1), width: 1, clock: clock, hosts: HostPauses())

        async let first = client.get(server.address())
        let backOff = try #require(await clock.wakeNextSleeper())
        #expect(backOff <= .milliseconds(1))
        #expect(await clock.wakeNextSleeper() == .seconds(1) - backOff)
        _ = try await first
        async let second = client.get(server.address())
        #expect(await clock.wakeNextSleeper() == .seconds(1))
        _ = try await second

        #expect(server.requests.count == 3)
        #expect(clock.now.offset == .seconds(2))
    }

    @Test func noErrorContainsASecret() async throws {
        let server = try ScriptedServer(
            response("404 No"), redirect("file:///x?api_key=hush&token=hush"),
            redirect("http://u:hush@127.0.0.1/"), response("500 No", ["Retry-After: 900"]),
            verbatim("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"))
        let client = server.client(retry: .once, hosts: HostPauses())

        for _ in 0..<6 {
            let error = await failure {
                _ = try await client.get(server.address("/?api_key=hush&date=1"))
            }
            let shown = "\(try #require(error)) \(String(reflecting: error))"
            #expect(!shown.contains("hush"), "\(shown)")
        }
    }
}

/// Limits the number of descriptors of this process; `nil` means the highest limit that it may have.
private func limitDescriptors(to count: rlim_t? = nil) {
    // RLIMIT_NOFILE.
    let resource = __rlimit_resource_t(7)
    var limits = rlimit()
    unsafe getrlimit(resource, &limits)
    limits.rlim_cur = count ?? limits.rlim_max
    unsafe setrlimit(resource, &limits)
}
