import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

/// HTTP/2: many streams on one connection.
@Suite(
    .timeLimit(.minutes(10)), .serialized,
    .enabled(if: MultiplexingServer.isAvailable, "needs Debian's nginx-light and openssl"))
struct MultiplexingTests {
    private static let count = 40

    /// The maximum number of connections for ``count`` downloads.
    ///
    /// libcurl 7.88 opens additional ones while the first is not ready, or after a reset stream closed it;
    /// their number depends on timing.
    private static let fewConnections = 10

    /// The contents of the file called `number`.
    private static func file(_ number: Int) -> [UInt8] { noise(100_000 + number) }

    private func withServer(
        requests: Int = 1000, locations: String = "",
        _ body: (borrowing MultiplexingServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let files = try Directory(opening: folder)
            for number in 0..<Self.count {
                try files.open("\(number)", O_WRONLY | O_CREAT)
                    .write(Self.file(number), path: "\(number)")
            }
            try await body(MultiplexingServer(in: folder, requests: requests, locations: locations))
        }
    }

    /// Downloads all files at once and compares their contents.
    private func downloadAll(from origin: String, with client: Client) async throws {
        try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<Self.count {
                group.addTask { (number, try await client.contents(of: "\(origin)/\(number)")) }
            }
            for try await (number, contents) in group { #expect(contents == Self.file(number)) }
        }
    }

    @Test func downloadsShareAConnection() async throws {
        try await withServer { server in
            let client = server.client(retry: .once)

            try await downloadAll(from: server.origin, with: client)

            #expect(try await server.connections(by: client) <= Self.fewConnections)
        }
    }

    @Test func aCancelledStreamEndsAlone() async throws {
        let slow = "location /slow/ { rewrite ^/slow(.*) $1 break; limit_rate 1k; }"
        try await withServer(locations: slow) { server in
            let client = server.client(retry: .once)
            let origin = server.origin
            let (begun, continuation) = AsyncStream.makeStream(of: Int.self)
            let cancelled = Task {
                defer { continuation.finish() }
                return await failure {
                    _ = try await client.contents(of: "\(origin)/slow/0") {
                        continuation.yield($0)
                    }
                }
            }
            var bytes = begun.makeAsyncIterator()
            _ = await bytes.next()

            async let others: Void = downloadAll(from: origin, with: client)
            cancelled.cancel()

            #expect(await cancelled.value == .cancelled)
            try await others
            #expect(try await server.connections(by: client) <= Self.fewConnections)
        }
    }

    /// The other host has HTTP/1.1: each of its downloads needs a connection.
    @Test func aHostWithHTTP2DoesNotLimitTheConnectionsToOthers() async throws {
        let arrived = Monitor(0)
        let other = try ScriptedServer { request, peer in
            arrived.withLock { $0 += 1 }
            arrived.broadcast()
            arrived.wait { count -> Void? in count < 4 ? nil : () }
            response(body: [1])(request, peer)
        }
        // Ends the threads of the server, also if requests are missing.
        defer {
            arrived.withLock { $0 = 4 }
            arrived.broadcast()
        }
        try await withServer { server in
            let limits = Limits(slow: .hang)
            let client = server.client(
                retry: .once, limits: limits, proxy: "http://127.0.0.1:\(other.port)")
            _ = try await client.get("\(server.origin)/0")

            async let first = Self.downloadThree(with: client)
            for _ in 0..<3 { await other.arrival() }
            _ = try await client.get("\(server.origin)/1")
            let last = try await client.contents(of: "http://apod.nasa.gov/last")

            #expect(try await first == [[1], [1], [1]])
            #expect(last == [1])
        }
    }

    private static func downloadThree(with client: Client) async throws -> [[UInt8]] {
        async let a = client.contents(of: "http://apod.nasa.gov/a")
        async let b = client.contents(of: "http://apod.nasa.gov/b")
        async let c = client.contents(of: "http://apod.nasa.gov/c")
        return try await [a, b, c]
    }

    /// Also after a redirect, when the transfer has had a connection.
    @Test(arguments: [false, true])
    func aWaitForAConnectionIsNotSlowness(isRedirected: Bool) async throws {
        let slow = """
            http2_max_concurrent_streams 1;
            location /slow/ { rewrite ^/slow(.*) $1 break; limit_rate 25k; }
            """
        try await withServer(locations: slow) { server in
            let origin = server.origin
            let other = try ScriptedServer(redirect("\(origin)/1"))
            let limits = Limits(slow: .seconds(1))
            let client = server.client(
                retry: .once, limits: limits, proxy: "http://127.0.0.1:\(other.port)")
            _ = try await client.get("\(origin)/2")
            let (begun, continuation) = AsyncStream.makeStream(of: Int.self)
            // Takes three times as long as a transfer may be without a byte.
            async let first = client.contents(of: "\(origin)/slow/0") {
                continuation.yield($0)
            }
            _ = await begun.first { _ in true }

            let second = try await client.contents(
                of: isRedirected ? "http://apod.nasa.gov/" : "\(origin)/1")

            #expect(second == Self.file(1))
            #expect(try await first == Self.file(0))
        }
    }
}

/// A server that sends frames of HTTP/2 without an end, which carry nothing.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SecureServer.isAvailable, "needs openssl"))
struct EndlessFramesTests {
    /// A frame of type PRIORITY about an idle stream; see RFC 9113, 6.3.
    private static let priority: [UInt8] = [0, 0, 5, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 16]
    /// An empty frame of type SETTINGS, with which a server begins.
    private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Nothing else ends the call into libcurl.
    @Test func cancellationEndsATransferInEndlessFrames() async throws {
        try await withTemporaryFolder { folder in
            let files = try SecureServer.makeCertificate(for: "IP:127.0.0.1", in: folder)
            let directory = try Directory(opening: folder)
            var frames = Self.priority
            for _ in 0..<19 { frames += frames }
            try directory.open("settings", O_WRONLY | O_CREAT).write(Self.settings, path: folder)
            try directory.open("frames", O_WRONLY | O_CREAT).write(frames, path: folder)
            #expect(unsafe mkfifo("\(folder)/input", 0o600) == 0)
            let port = try freePort()
            // “sent” for each 7 MB.
            let script = """
                cd "$0"
                { cat settings; while cat frames; do echo sent >&3; done; } 3>&1 >input &
                exec openssl s_server -accept 127.0.0.1:\(port) -cert "$1" -key "$2" -alpn h2 -quiet \
                    <input >/dev/null
                """
            let server = try Child(
                "/bin/sh", ["-c", script, folder, files.certificate, files.key])
            let address = "https://127.0.0.1:\(port)/list"
            let client = Client(
                agent: "a", policy: AddressPolicy(upstream: WebURL(stringLiteral: address)),
                retry: RequestAttempts(maximum: 1_000, backoff: RequestAttempts.quick.backoff),
                limits: Limits(slow: .zero), pace: .zero, width: 1, hosts: HostPauses(),
                caFile: files.certificate)
            // The server may not listen at the first attempts.
            let task = Task { await failure { _ = try await client.get(address) } }
            let output = server.output.rawValue
            // Two rounds are more than all buffers hold: the client is reading. This blocks its thread, which is none of
            // those that all tests share.
            await Task(executorPreference: ThreadPoolExecutor.shared) {
                var bytes = [UInt8](repeating: 0, count: "sent\nsent\n".utf8.count)
                var count = 0
                while count < bytes.count {
                    let received = unsafe read(output, &bytes, bytes.count - count)
                    guard received > 0 else { break }
                    count += received
                }
            }.value

            task.cancel()

            #expect(await task.value == .cancelled)
        }
    }
}
