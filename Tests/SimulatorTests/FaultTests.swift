import APOD
import Simulator
import Testing

@Suite(.timeLimit(.minutes(10))) struct FaultTests {
    static let file = shelf + "M31.jpg"
    static let feed = "/wp-json/wp/v2/apod-basic/261120"
    let simulator: Simulator

    init() throws {
        var archive = Archive.small(days: 3, extras: []).days.compactMap {
            Archive.small(days: 3, extras: []).entries[$0]
        }
        archive.append(
            SimulatedEntry(
                day: today, title: "M31", explanationHTML: "", media: .picture(.small)))
        simulator = try Simulator(Archive(archive))
    }

    func get(_ path: String, with fault: Fault, _ headers: [String: String] = [:]) throws -> Reply {
        simulator.inject(fault, on: .any)
        return try simulator.get(path, headers)
    }

    @Test(arguments: [file, feed])
    func theRefuseFaultSendsNoByte(path: String) throws {
        #expect(try get(path, with: .refuse).status == 0)
        #expect(simulator.concurrency.now == 0)
        #expect(try simulator.get(path).status == 200)
    }

    @Test func aHangingRequestIsAnsweredAfterRelease() async throws {
        simulator.inject(.hang, on: .media)
        var arrivals = simulator.arrivals().makeAsyncIterator()
        let connection = try Connection(simulator)
        try connection.send(Self.file)
        _ = await arrivals.next()
        #expect(simulator.concurrency.now == 1)

        simulator.releaseUntil { simulator.concurrency.now == 0 }

        #expect(connection.receive().text == "0123456789")
    }

    @Test func theSlowFaultLimitsTheRate() throws {
        let clock = ContinuousClock()
        var reply = Reply(status: 0, headers: [:])
        let took = try clock.measure {
            reply = try get(Self.file, with: .slow(bytesPerSecond: 50))
        }

        #expect(reply.text == "0123456789")
        #expect(took > .milliseconds(180))
    }

    @Test(arguments: [0, 1, 5, 9])
    func theTruncatedFaultSendsLessThanTheLength(count: Int) throws {
        let reply = try get(Self.file, with: .truncated(after: count))

        #expect(reply.headers["content-length"] == "10")
        #expect(reply.body.count == count)
        #expect(!reply.isWhole)
    }

    @Test func theWrongLengthFaultSendsAllOfTheBody() throws {
        let reply = try get(Self.file, with: .wrongLength)

        #expect(reply.headers["content-length"] == "1010")
        #expect(reply.text == "0123456789")
        #expect(!reply.isWhole)
    }

    @Test func hugeHeadersPrecedeTheResponse() throws {
        let reply = try get(Self.file, with: .hugeHeaders)

        #expect(reply.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } > 400_000)
        #expect(reply.text == "0123456789")
    }

    @Test(arguments: [file, feed])
    func theHTMLFaultReplacesAnyResponse(path: String) throws {
        let reply = try get(path, with: .html)

        #expect(reply.status == 200)
        #expect(reply.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(reply.text.hasPrefix("<!DOCTYPE html>"))
    }

    @Test(arguments: [
        (file, "<h1>Not Found</h1>"), (feed, #"{"code":"apod_basic_not_found""#),
        ("/planetary/apod?date=2026-11-20", #""msg":"No data available for date: 2026-11-20""#),
    ])
    func theNotFoundFaultRespondsLikeNASA(path: String, text: String) throws {
        let reply = try get(path, with: .notFound)

        #expect(reply.status == 404)
        #expect(reply.text.contains(text))
    }

    @Test(arguments: ["120", "Fri, 20 Nov 2026 12:00:00 GMT", "-1", "soon", "99999999999999999999"])
    func throttlingSendsTheGivenRetryAfter(retryAfter: String) throws {
        let reply = try get(Self.feed, with: .throttled(retryAfter: retryAfter))

        #expect(reply.status == 429)
        #expect(reply.headers["retry-after"] == retryAfter)
    }

    @Test(arguments: [400, 401, 403, 410, 500, 502, 503, 504])
    func theStatusFaultSendsAnyStatus(status: Int) throws {
        #expect(try get(Self.file, with: .status(status, body: nil)).status == status)
        let reply = try get(Self.feed, with: .status(status, body: "Service Unavailable"))
        #expect(reply.status == status)
        #expect(reply.text == "Service Unavailable")
    }

    @Test func aRedirectLoopHasNoEnd() throws {
        var path = Self.file
        simulator.inject(.redirectLoop, on: .media)

        for _ in 1...5 {
            let reply = try simulator.get(path)
            #expect(reply.status == 302)
            path = "/" + (reply.headers["location"]?.split(separator: "/").last ?? "")
        }
    }

    @Test func theRedirectFaultLeadsToAnyURL() throws {
        let reply = try get(Self.file, with: .redirect(to: "file:///etc/passwd"))

        #expect(reply.headers["location"] == "file:///etc/passwd")
    }

    @Test func theJSONFaultSendsAnyText() throws {
        #expect(try get(Self.feed, with: .json("[{]")).text == "[{]")
    }

    @Test(arguments: [file, feed])
    func theEmptyFaultSendsNoBody(path: String) throws {
        let reply = try get(path, with: .empty)

        #expect(reply.status == 200)
        #expect(reply.isWhole && reply.body.isEmpty)
    }

    @Test(arguments: [feed, "/planetary/apod?date=2026-11-20"])
    func theWrongDayIsAnotherOne(path: String) throws {
        #expect(try JSONValue(try get(path, with: .wrongDay))["date"] == .string("2026-11-19"))
    }

    @Test func theWrongDayFaultSendsTheNewestList() throws {
        let reply = try get("/wp-json/wp/v2/apod-basic?date_to=261118", with: .wrongDay)

        #expect(try JSONValue(reply).dates == ["2026-11-20", "2026-11-19", "2026-11-18"])
    }

    @Test(arguments: [feed, "/planetary/apod?date=2026-11-20"])
    func thePlaceholderEntryHasTheRequestedDate(path: String) throws {
        let entry = try JSONValue(try get(path, with: .placeholder))

        #expect(entry["title"] == .string("NASA Science"))
        #expect(entry["date"] == .string("2026-11-20"))
    }

    @Test func thePlaceholderOfAFileIsTheLogo() throws {
        let reply = try get(Self.file, with: .placeholder)
        let address = try #require(reply.headers["location"])

        #expect(address.hasSuffix("/nasa-logo@2x.png"))
        #expect(
            try simulator.get(String(address.dropFirst("http://127.0.0.1".count))).status == 200)
    }

    @Test func aHugeBodyHasNoLength() throws {
        let reply = try get(Self.feed, with: .hugeBody(bytes: 1_000_000, of: Array("[1,".utf8)))

        #expect(reply.headers["content-length"] == nil)
        #expect(reply.isWhole)
        #expect(reply.body.count == 1_000_000)
        #expect(reply.text.hasPrefix("[1,[1,[1,"))
    }

    @Test func theVerbatimFaultSendsAnyResponse() throws {
        let fault = Fault.verbatim(
            status: 200, headers: ["Content-Encoding": "gzip"], body: [31, 139])
        let reply = try get(Self.file, with: fault)

        #expect(reply.headers["content-encoding"] == "gzip")
        #expect(reply.body == [31, 139])
    }

    @Test func theFirstMatchingFaultIsAppliedAsOftenAsRequested() throws {
        simulator.inject(.status(500, body: nil), on: .media, times: 2)
        simulator.inject(.status(503, body: nil), on: .any, times: nil)

        #expect(
            try (1...4).map { _ in try simulator.get(Self.file).status } == [500, 500, 503, 503])
        simulator.clearFaults()
        #expect(try simulator.get(Self.file).status == 200)
    }

    static let targets: [(Target, file: Bool, feed: Bool, list: Bool)] = [
        (.any, true, true, true), (.lists, false, true, true), (.media, true, false, false),
        (.day(today), true, true, false), (.day(today.advanced(by: -1)), false, false, false),
        (.mediaOf(today), true, false, false), (.path(file), true, false, false),
    ]

    @Test(arguments: targets)
    func aFaultAppliesToItsTargetOnly(target: Target, file: Bool, feed: Bool, list: Bool) throws {
        simulator.inject(.status(500, body: nil), on: target, times: nil)

        #expect((try simulator.get(Self.file).status == 500) == file)
        #expect((try simulator.get(Self.feed).status == 500) == feed)
        #expect((try simulator.basic("").status == 500) == list)
    }
}

extension Simulator {
    /// Releases until the request continues: it may arrive before its thread waits.
    func releaseUntil(_ isDone: () -> Bool) {
        while !isDone() { release() }
    }
}
