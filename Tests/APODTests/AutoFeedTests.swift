import APOD
import Testing
import Transfer

@Suite(.timeLimit(.minutes(1))) struct AutoFeedTests {
    private static let v1Refusal =
        #"{"code":400,"msg":"Bad Request: incorrect field passed.","service_version":"v1"}"#
    private static let noRoute = #"{"code":"rest_no_route","message":"No route was found."}"#

    /// What a server may be.
    enum Kind: Sendable {
        case basic, v1, strictV1, v1WithoutKey, v1AsBasic, v1AsBasicSingle

        func answer(_ address: String) throws(TransferError) -> FeedAnswer {
            let isBasicPath = address.contains("apod-basic")
            let isV1Path = address.contains("planetary/apod")
            let pages = field("per_page", of: address) != nil
            switch self {
            case .basic where isBasicPath, .v1AsBasic where isV1Path && pages:
                return .page(
                    ["2026-10-02", "2026-10-01"].map { basicElement($0) }, of: 1, total: 2)
            case .v1 where isV1Path: return .text(v1Element("2026-10-02"))
            case .strictV1 where isV1Path && !pages: return .text(v1Element("2026-10-02"))
            case .strictV1 where isV1Path: throw .refused(address, 400, AutoFeedTests.v1Refusal)
            case .v1WithoutKey where isV1Path:
                throw .refused(address, 403, #"{"error":{"code":"API_KEY_MISSING"}}"#)
            case .v1AsBasic where isV1Path, .v1AsBasicSingle where isV1Path && !pages:
                return .text(basicElement("2026-10-02"))
            default: throw .refused(address, 404, AutoFeedTests.noRoute)
            }
        }
    }

    private func feed(_ kind: Kind, _ address: String) -> (AutoFeed, CannedServer) {
        let server = CannedServer { address throws(TransferError) in try kind.answer(address) }
        return (AutoFeed(address: address, apiKey: nil, request: server.request), server)
    }

    @Test(arguments: [
        (Kind.basic, "https://a", FeedKind.basic), (.basic, "https://a/x/apod-basic/", .basic),
        (.v1, "https://a", .v1), (.strictV1, "https://a", .v1), (.v1WithoutKey, "https://a", .v1),
        (.v1, "https://a/planetary/apod", .v1), (.strictV1, "https://a/planetary/apod", .v1),
        (.v1WithoutKey, "https://a/planetary/apod", .v1),
        (.v1AsBasic, "https://a/planetary/apod", .basic),
        (.v1AsBasicSingle, "https://a/planetary/apod", .v1),
    ])
    func settlesOnWhatComesBack(server: Kind, address: String, kind: FeedKind) async throws {
        let (feed, _) = feed(server, address)

        #expect(try await feed.settled().kind == kind)
        #expect(feed.kind == kind)
    }

    @Test(arguments: [v1Element("2026-10-02"), v1Refusal])
    func aV1ServerAtAnotherPathIsOne(body: String) async throws {
        let server = CannedServer { address throws(TransferError) in
            if body == Self.v1Refusal { throw .refused(address, 400, body) }
            return .text(body)
        }
        let feed = AutoFeed(address: "https://a/my/apod", apiKey: nil, request: server.request)

        #expect(try await feed.settled().kind == .v1)
    }

    @Test func settlesOnce() async throws {
        let (feed, server) = feed(.basic, "https://a")

        let newest = try await feed.newest()
        var listings: [Listing] = []
        for try await listing in feed.listings(in: newest.covered) { listings.append(listing) }

        #expect(listings.flatMap(\.entries) == newest.entries)
        // The newest in one question, the range in another.
        #expect(await server.asked.count == 2)
        #expect(try await feed.entry(of: day("2026-10-02")).day.day == 2)
    }

    @Test(arguments: [
        TransferError.unreachable(address: "a", reason: "no network"),
        .throttled(address: "a", until: 5), .refused(address: "a", status: 503, body: []),
        .cancelled,
    ])
    func aFailureSettlesNothing(failure: TransferError) async throws {
        let isDown = Switch()
        let feed = AutoFeed(address: "https://a", apiKey: nil) {
            address async throws(TransferError) in
            if await isDown.isOn { throw failure }
            return try Kind.basic.answer(address)
        }
        await #expect(throws: FeedError.transfer(failure)) { try await feed.settled() }

        await isDown.turnOff()

        #expect(try await feed.settled().kind == .basic)
    }

    @Test(arguments: [
        "https://a", "https://a/apod-basic", "https://a/planetary/apod", "https://a/x",
    ])
    func aServerWithoutAFeedIsNamed(address: String) async {
        let server = CannedServer { _ in .text("<html>Welcome</html>") }
        let feed = AutoFeed(address: address, apiKey: nil, request: server.request)

        await #expect { try await feed.newest() } throws: {
            "\($0)".hasPrefix("\(address) has no feed")
        }
    }
}

private actor Switch {
    private(set) var isOn = true
    func turnOff() { isOn = false }
}
