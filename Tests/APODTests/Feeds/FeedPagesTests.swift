import Testing
import Transfer

@testable import APOD

/// How the result pages of both feeds end before their last.
@Suite struct FeedPagesTests {
    private static let all = Day.first...Day.first.advanced(by: 99)

    /// Both feeds at `server`.
    private static func feeds(_ server: CannedServer) -> [any Feed] {
        [
            BasicFeed(at: "https://a/apod-basic", request: server.request),
            V1Feed(at: "https://a/apod", request: server.request),
        ]
    }

    private static func unreachable() -> CannedServer {
        CannedServer { address throws(TransferError) in
            throw .unreachable(address: address, reason: "no route")
        }
    }

    @Test func nothingIsRequestedAfterAFailedPage() async throws {
        let server = Self.unreachable()
        for feed in Self.feeds(server) {
            var pages = feed.pages(over: Self.all).makeAsyncIterator()

            await #expect(throws: FeedError.self) { try await pages.next() }
            #expect(try await pages.next() == nil)
        }
        #expect(await server.requested.count == 2)
    }
}
