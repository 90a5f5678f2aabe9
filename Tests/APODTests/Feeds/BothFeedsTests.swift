import Testing
import Transfer

@testable import APOD

/// What both feeds do: their kinds and errors, and how their result pages end before the last.
@Suite struct BothFeedsTests {
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
            var pages = feed.pages(over: Self.all)

            await #expect(throws: FeedError.self) { try await pages.next() }
            #expect(try await pages.next() == nil)
        }
        #expect(await server.requested.count == 2)
    }

    // MARK: Kinds

    @Test(arguments: [
        ("https://a", FeedKind.basic), ("https://a/x/apod-basic/", .basic), ("https://a/x", .basic),
        ("https://api.nasa.gov/planetary/apod", .v1), ("https://a/planetary/apod/", .v1),
        ("https://a/v1/", .v1), ("https://a/v1/apod", .v1), ("https://a/v10", .basic),
    ])
    func thePathOfAFeedSaysItsKind(address: String, kind: FeedKind) {
        #expect(FeedKind(at: WebURL(stringLiteral: address)) == kind)
    }

    @Test(arguments: FeedKind.allCases)
    func theErrorNamesAServerWithoutAFeed(kind: FeedKind) async {
        for server in [
            CannedServer { _ in .text("<html>Welcome</html>") },
            CannedServer.refusing(404, "<html>Not Found</html>"),
        ] {
            let feed = kind.feed(at: "https://a", request: server.request)

            await #expect { try await feed.newest() } throws: { "\($0)".contains("https://a/") }
        }
    }
}
