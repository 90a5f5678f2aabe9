import Glibc
import Platform
import TestSupport
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(10)), .serialized) struct CancellationTests {
    /// Nothing else ends it: such a transfer has no limit of its time.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"])
    func cancellationEndsAHangingTransfer(start: String) async throws {
        let server = try ScriptedServer { _, peer in
            peer.send(start)
            peer.hang()
        }
        let limits = RequestLimits(maximumSlowTime: .zero)
        let client = server.client(limits: limits)
        let task = Task { await failure { _ = try await server.download(with: client) } }
        await server.arrival()

        task.cancel()

        #expect(await task.value == .cancelled)
    }

    @Test func theFileOfACancelledDownloadIsNotWrittenAfterItsEnd() async throws {
        let body = noise(4 << 20)
        let server = try ScriptedServer { _, peer in
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
            peer.send(body)
        }
        let client = server.client()
        for _ in 0..<20 {
            let file = try FileDescriptor(inMemory: "cancelled")
            let other = try FileDescriptor(inMemory: "later")
            let download = Monitor<Task<TransferError?, Never>?>(nil)
            let received = Monitor(0)
            let task = Task { [number = file.rawValue] in
                await failure {
                    _ = try await client.download(
                        server.address(), into: FileDescriptor(owning: dup(number)),
                        path: "cancelled", limit: body.count,
                        progress: { count in
                            let sum = received.withLock { sum in
                                sum += count
                                return sum
                            }
                            if sum > 1 << 20 { download.withLock(\.self)?.cancel() }
                        })
                }
            }
            download.withLock { $0 = task }
            _ = await task.value
            #expect(ftruncate(file.rawValue, 0) == 0)

            // The blocks of all downloads are written in the order of their arrival.
            _ = try await client.download(
                server.address(), into: other, path: "other", limit: body.count)

            #expect(try file.status(path: "cancelled").size == 0)
        }
    }

    /// The clock of the pause never advances.
    @Test func cancellationEndsAPause() async throws {
        let server = try ScriptedServer(response("503 Wait", ["Retry-After: 20"]))
        let client = server.client(clock: ManualClock())
        let task = Task { await failure { _ = try await client.get(server.address()) } }
        await server.arrival()

        task.cancel()

        #expect(await task.value == .cancelled)
    }

    @Test func anIdleClientClosesItsConnections() async throws {
        let server = try ScriptedServer(response(body: [1]))
        let client = server.client(limits: RequestLimits(idleTimeout: .milliseconds(1)))

        for _ in 0..<3 {
            #expect(try await client.get(server.address()).body == [1])
            while server.openConnections > 0 { await Task.yield() }
        }

        #expect(server.connections == 3)
    }
}
