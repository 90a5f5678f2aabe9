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
        locations: String = "", isMultiplexing: Bool = true,
        _ body: (borrowing MultiplexingServer) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let files = try Directory(opening: folder)
            for number in 0..<Self.count {
                try files.open("\(number)", O_WRONLY | O_CREAT)
                    .write(Self.file(number), path: "\(number)")
            }
            try await body(
                MultiplexingServer(
                    in: folder, locations: locations, isMultiplexing: isMultiplexing))
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

    /// GnuTLS takes megabytes for the certificate authorities of each connection.
    @Test(arguments: [true, false])
    func aHostWithTLSGetsFewConnections(isMultiplexing: Bool) async throws {
        try await withServer(isMultiplexing: isMultiplexing) { server in
            // None is closed before it is counted.
            let client = server.client(limits: RequestLimits(idleTimeout: .seconds(600)))

            try await downloadAll(from: server.origin, with: client)

            #expect(try await server.connections(by: client) <= 4)
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

    @Test func aWaitForAConnectionIsNotSlowness() async throws {
        let slow = """
            http2_max_concurrent_streams 1;
            location /slow/ { rewrite ^/slow(.*) $1 break; limit_rate 25k; }
            """
        try await withServer(locations: slow) { server in
            let origin = server.origin
            let client = server.client(
                retry: .once, limits: RequestLimits(maximumSlowTime: .seconds(1)))
            _ = try await client.get("\(origin)/2")
            let (begun, continuation) = AsyncStream.makeStream(of: Int.self)
            // Takes three times as long as a transfer may be without a byte.
            async let first = client.contents(of: "\(origin)/slow/0") {
                continuation.yield($0)
            }
            _ = await begun.first { _ in true }

            let second = try await client.contents(of: "\(origin)/1")

            #expect(second == Self.file(1))
            #expect(try await first == Self.file(0))
        }
    }
}
