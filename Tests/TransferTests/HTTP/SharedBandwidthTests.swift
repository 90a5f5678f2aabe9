import Platform
import Testing

@testable import Transfer

/// A limit of all transfers together.
///
/// Mostly only the shortest time that they may take is compared: a busy machine makes it longer.
@Suite(.timeLimit(.minutes(10))) struct SharedBandwidthTests {
    private static let bytesPerSecond = 256 << 10
    private static let limit = Bandwidth(bytesPerSecond: bytesPerSecond)

    private func duration(_ body: () async throws -> Void) async rethrows -> Duration {
        let start = ContinuousClock.now
        try await body()
        return start.duration(to: .now)
    }

    private func expect(_ time: Duration, for bytes: Int) {
        #expect(time >= .seconds(Double(bytes) / Double(Self.bytesPerSecond)), "\(time)")
    }

    @Test func concurrentDownloadsShareTheLimit() async throws {
        let server = try ScriptedServer(response(body: noise(100_000)))
        let client = server.client(width: 4, bandwidth: Self.limit)

        // What is in the buffers of the sockets arrives at once; the next downloads wait for it.
        let time = try await duration {
            for _ in 0..<2 {
                try await withThrowingTaskGroup(of: [UInt8].self) { group in
                    for _ in 0..<4 {
                        group.addTask { try await server.download(with: client).file }
                    }
                    for try await file in group { #expect(file == noise(100_000)) }
                }
            }
        }

        expect(time, for: 400_000)
    }

    /// CURLOPT_MAX_RECV_SPEED_LARGE(3) lets each of them pass at once.
    @Test func manySmallFilesAndListsDoNotExceedTheLimit() async throws {
        let server = try ScriptedServer(response(body: noise(20_000)))
        let client = server.client(width: 1, bandwidth: Self.limit)

        let time = try await duration {
            for number in 0..<16 {
                if number.isMultiple(of: 2) {
                    _ = try await server.download(with: client)
                } else {
                    _ = try await client.get(server.address())
                }
            }
        }

        // Nothing waits for the last one.
        expect(time, for: 300_000)
    }

    @Test func aPauseEndsWhenTheTransferIsCancelled() async throws {
        let server = try ScriptedServer(response(body: noise(1 << 20)))
        // It would take two hours.
        let client = server.client(bandwidth: Bandwidth(bytesPerSecond: 150))
        let (pieces, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
            await failure {
                _ = try await server.download(with: client, progress: { continuation.yield($0) })
            }
        }

        _ = await pieces.first { _ in true }
        task.cancel()

        #expect(await task.value == .cancelled)
    }

    /// The thread of an idle client ends.
    ///
    /// If the next one counted what that one received, its first pause would be twelve days.
    @Test func aNewThreadWaitsForNothingThatEarlierOnesReceived() async throws {
        let server = try ScriptedServer(response(body: [1]))
        let client = server.client(bandwidth: Bandwidth(bytesPerSecond: 1 << 20))
        client.configuration.receivedBytes.withLock { $0 = 1 << 40 }

        #expect(try await client.get(server.address()).body == [1])
    }
}
