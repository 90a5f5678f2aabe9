import APOD
import Testing
import Transfer

@Suite(.timeLimit(.minutes(10))) struct AutoFeedTests {
    private static let v1Refusal =
        #"{"code":400,"msg":"Bad Request: incorrect field passed.","service_version":"v1"}"#
    private static let noRoute = #"{"code":"rest_no_route","message":"No route was found."}"#

    /// The kinds of servers.
    enum Kind: Sendable {
        case basic, v1, strictV1, v1WithoutKey, v1AsBasic, v1AsBasicSingle

        func response(to address: String) throws(TransferError) -> BufferedResponse {
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
        let server = CannedServer { address throws(TransferError) in try kind.response(to: address)
        }
        return (
            AutoFeed(at: WebURL(stringLiteral: address), apiKey: nil, request: server.request),
            server
        )
    }

    @Test(arguments: [
        (Kind.basic, "https://a", FeedKind.basic), (.basic, "https://a/x/apod-basic/", .basic),
        (.v1, "https://a", .v1), (.strictV1, "https://a", .v1),
        (.v1, "https://a/planetary/apod", .v1), (.strictV1, "https://a/planetary/apod", .v1),
        (.v1AsBasic, "https://a/planetary/apod", .basic),
        (.v1AsBasicSingle, "https://a/planetary/apod", .v1),
    ])
    func theKindIsDetectedFromTheResponse(
        server: Kind, address: String, kind: FeedKind
    ) async throws {
        let (feed, _) = feed(server, address)

        #expect(try await feed.detected().kind == kind)
        #expect(feed.kind == kind)
    }

    @Test(arguments: [true, false])
    func aV1FeedAtAnotherPathIsDetected(isStrict: Bool) async throws {
        let server = CannedServer { address throws(TransferError) in
            if isStrict, field("per_page", of: address) != nil {
                throw .refused(address, 400, Self.v1Refusal)
            }
            return .text(v1Element("2026-10-02"))
        }
        let feed = AutoFeed(at: "https://a/my/apod", apiKey: nil, request: server.request)

        #expect(try await feed.detected().kind == .v1)
    }

    @Test(arguments: ["https://a", "https://a/planetary/apod"])
    func aMissingAPIKeyIsReported(address: String) async {
        let (feed, _) = feed(.v1WithoutKey, address)

        await #expect { try await feed.newest() } throws: { error in
            guard case .transfer(.refused(_, 403, _))? = error as? FeedError else { return false }
            return true
        }
    }

    /// Responses of a server with both feeds during an outage.
    @Test(arguments: [
        "<html>Maintenance</html>", "", "[]", "[{}]", "{}", "{\"status\":\"maintenance\"}", "[0]",
        v1Element("2026-10-02", ["title": "NASA Science"]),
    ])
    func anOutageDetectsNothing(body: String) async throws {
        let isDown = Switch()
        let feed = AutoFeed(at: "https://a", apiKey: nil) {
            address async throws(TransferError) in
            if address.contains("planetary/apod") { return .text(v1Element("2026-10-02")) }
            if await isDown.isOn { return .text(body) }
            return try Kind.basic.response(to: address)
        }
        await #expect(throws: FeedError.self) { try await feed.newest() }

        await isDown.turnOff()

        #expect(try await feed.newest().entries.first?.feed == .basic)
        #expect(feed.kind == .basic)
    }

    @Test(arguments: [403, 418, 429, 500, 503]) func aRefusalDetectsNothing(
        status: Int
    ) async throws {
        let isDown = Switch()
        let feed = AutoFeed(at: "https://a", apiKey: nil) {
            address async throws(TransferError) in
            if address.contains("planetary/apod") { return .text(v1Element("2026-10-02")) }
            if await isDown.isOn { throw .refused(address, status, "<html>Blocked</html>") }
            return try Kind.basic.response(to: address)
        }
        await #expect(throws: FeedError.self) { try await feed.detected() }

        await isDown.turnOff()

        #expect(try await feed.detected().kind == .basic)
    }

    @Test func theKindIsDetectedWithoutAnAdditionalRequest() async throws {
        let (feed, server) = feed(.basic, "https://a")

        let newest = try await feed.newest()
        let pages = try await feed.pages(over: newest.covered)

        #expect(pages.flatMap(\.entries) == newest.entries)
        // One request for the newest page, one for the range.
        #expect(await server.requested.count == 2)
        #expect(try await feed.entry(of: day("2026-10-02")).day.day == 2)
    }

    @Test func concurrentFirstRequestsDetectTheKindOnce() async throws {
        let server = CannedServer { address throws(TransferError) in
            try Kind.v1.response(to: address)
        }
        let feed = AutoFeed(at: "https://a", apiKey: nil) {
            address async throws(TransferError) in
            // All tasks have made their request before the first response.
            for _ in 0..<1000 { await Task.yield() }
            return try await server.request(address)
        }

        let kinds = try await withThrowingTaskGroup(of: FeedKind.self) { group in
            for _ in 0..<8 { group.addTask { try await feed.detected().kind } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(kinds == Array(repeating: .v1, count: 8))
        // One request for each kind.
        #expect(await server.requested.count == 2)
    }

    @Test func afterAFailedDetectionTheNextTaskDetectsTheKind() async throws {
        let isDown = Switch()
        let feed = AutoFeed(at: "https://a", apiKey: nil) {
            address async throws(TransferError) in
            for _ in 0..<1000 { await Task.yield() }
            if await isDown.isOn {
                await isDown.turnOff()
                throw .unreachable(address: address, reason: "no network")
            }
            return try Kind.basic.response(to: address)
        }

        let detections = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (try? await feed.detected().kind) == .basic }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        #expect(detections == 7)
    }

    @Test(arguments: [
        TransferError.unreachable(address: "a", reason: "no network"),
        .throttled(address: "a", until: 5), .refused(address: "a", status: 503, body: []),
        .cancelled,
    ])
    func aFailedTransferDetectsNothing(failure: TransferError) async throws {
        let isDown = Switch()
        let feed = AutoFeed(at: "https://a", apiKey: nil) {
            address async throws(TransferError) in
            if await isDown.isOn { throw failure }
            return try Kind.basic.response(to: address)
        }
        await #expect(throws: FeedError.transfer(failure)) { try await feed.detected() }

        await isDown.turnOff()

        #expect(try await feed.detected().kind == .basic)
    }

    @Test(arguments: [
        "https://a", "https://a/apod-basic", "https://a/planetary/apod", "https://a/x",
    ])
    func theErrorNamesAServerWithoutAFeed(address: String) async {
        let server = CannedServer { _ in .text("<html>Welcome</html>") }
        let feed = AutoFeed(
            at: WebURL(stringLiteral: address), apiKey: nil, request: server.request)

        await #expect { try await feed.newest() } throws: { error in
            guard case .unusable(let reason)? = error as? FeedError else { return false }
            return reason.hasPrefix(address)
        }
    }

    @Test func theErrorNamesAServerThatRefusesBothFeeds() async {
        let server = CannedServer.refusing(404, "<html>Not Found</html>")
        let feed = AutoFeed(at: "https://a", apiKey: nil, request: server.request)

        await #expect { try await feed.newest() } throws: {
            "\($0)".hasPrefix("https://a/ ")
        }
    }
}

private actor Switch {
    private(set) var isOn = true
    func turnOff() { isOn = false }
}
