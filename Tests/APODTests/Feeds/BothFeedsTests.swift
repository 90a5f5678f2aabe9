import Testing
import Transfer

@testable import APOD

/// What both feeds do: their kinds and errors.
@Suite struct BothFeedsTests {
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
            let feed: any Feed =
                switch kind {
                case .basic: BasicFeed(at: "https://a", request: server.request)
                case .v1: V1Feed(at: "https://a", request: server.request)
                }

            await #expect { try await feed.newestPage() } throws: { "\($0)".contains("https://a/") }
        }
    }
}
