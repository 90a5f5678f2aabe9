import APOD
import Platform
import Simulator
import Testing

@Suite(.timeLimit(.minutes(10))) struct SimulatorTests {
    @Test(arguments: [Fault.hang, .slow(bytesPerSecond: 1)])
    func stoppingDoesNotWaitForHangingRequests(fault: Fault) async throws {
        // Takes longer than any test, a byte a second.
        let bytes = [UInt8](repeating: 7, count: 100_000)
        let large = SimulatedPicture(name: "M31.jpg", source: .bytes(bytes))
        let simulator = try Simulator(.single(.picture(large)))
        simulator.inject(fault, on: .any, times: nil)
        var arrivals = simulator.arrivals().makeAsyncIterator()
        let connections = try (1...8).map { _ in try Connection(simulator) }
        for connection in connections {
            try connection.send(shelf + "M31.jpg")
            _ = await arrivals.next()
        }

        simulator.stop()

        #expect(simulator.requests.count == 8)
        #expect(await arrivals.next() == nil)
        for connection in connections { #expect(!connection.receive().isWhole) }
    }

    @Test func stoppingTwiceIsHarmless() throws {
        let simulator = try Simulator(.small(days: 1))
        simulator.stop()
        simulator.stop()

        #expect(throws: SystemError.self) { try simulator.v1() }
    }

    @Test func theSimulatorStopsWithItsLastReference() throws {
        var simulator: Simulator? = try Simulator(.small(days: 1))
        let port = try #require(simulator?.port)
        let connection = try Connection(try #require(simulator))
        simulator = nil

        #expect(connection.isClosed)
        // The port is free again.
        #expect(try Simulator(.small(days: 1), port: port).port == port)
    }

    @Test func aUsedPortIsAnError() throws {
        let first = try Simulator(.small(days: 1))

        #expect(throws: SystemError("bind", path: "127.0.0.1:\(first.port)", code: 98)) {
            _ = try Simulator(.small(days: 1), port: first.port)
        }
        #expect(try first.v1().status == 200)
    }

    @Test func daysAfterTheNewestAreNotServed() throws {
        let simulator = try Simulator(.small(days: 3))
        simulator.newest = today.advanced(by: -2)
        #expect(try JSONValue(try simulator.basic("")).dates == ["2026-11-18"])
        #expect(try simulator.basic("/261120").status == 404)

        simulator.newest = nil
        #expect(try JSONValue(try simulator.basic("")).dates.count == 3)
    }

    @Test func aDayIsPublishedEditedAndWithdrawn() throws {
        let simulator = try Simulator(.small(days: 3))
        let day = today.advanced(by: 1)
        var entry = SimulatedEntry(day: day, title: "First", explanationHTML: "", media: .lost)

        simulator.publish(entry)
        #expect(try JSONValue(try simulator.v1())["title"] == .string("First"))

        entry.title = "Second"
        simulator.publish(entry)
        #expect(try JSONValue(try simulator.v1())["title"] == .string("Second"))
        #expect(simulator.published.count == 4)

        simulator.withdraw(day)
        #expect(try simulator.basic("/261121").status == 404)
        #expect(simulator.published.last == today)
    }

    @Test func aDayPublishedLaterIsListedInOrder() throws {
        let simulator = try Simulator(.small(days: 3))
        let middle = today.advanced(by: -1)
        let entry = try #require(simulator.entry(of: middle))
        simulator.withdraw(middle)
        simulator.publish(entry)

        #expect(simulator.published == [today.advanced(by: -2), middle, today])
    }

    @Test(arguments: [
        ("/wp-json/wp/v2/apod-basic", SimulatedRequest.Kind.newest, nil),
        ("/wp-json/wp/v2/apod-basic?date_from=261101", .list, nil),
        ("/wp-json/wp/v2/apod-basic/261120", .day, today),
        ("/planetary/apod?date=2026-11-20", .v1, today), ("/planetary/apod", .v1, nil),
        (shelf + "M31.jpg", .media, today), (shelf + "lost.jpg", .media, nil), ("/", .other, nil),
    ])
    func everyRequestIsLogged(target: String, kind: SimulatedRequest.Kind, day: Day?) throws {
        let simulator = try Simulator(.single(.picture(.small)))
        _ = try simulator.get(target, ["User-Agent": "test"])

        let request = try #require(simulator.requests.first)
        #expect(simulator.requests.count == 1)
        #expect(request.kind == kind && request.day == day)
        #expect(target.hasPrefix(request.path) && request.method == "GET")
        #expect(request.headers["user-agent"] == "test")
        simulator.resetLog()
        #expect(simulator.requests.isEmpty)
    }

    @Test func queriesAreLoggedDecoded() throws {
        let simulator = try Simulator(.small(days: 1))
        _ = try simulator.v1("?date=2026%2D11-20&thumbs")

        #expect(simulator.requests.first?.query == ["date": "2026-11-20", "thumbs": ""])
    }

    @Test func concurrentDownloadsAreCounted() async throws {
        let simulator = try Simulator(.single(.picture(.small)))
        simulator.inject(.hang, on: .media, times: nil)
        var arrivals = simulator.arrivals().makeAsyncIterator()
        let connections = try (1...5).map { _ in try Connection(simulator) }
        for connection in connections { try connection.send(shelf + "M31.jpg") }
        for _ in connections { _ = await arrivals.next() }
        #expect(simulator.concurrency == (5, 5))

        simulator.releaseUntil { simulator.concurrency.now == 0 }
        for connection in connections { #expect(connection.receive().text == "0123456789") }

        #expect(simulator.concurrency == (0, 5))
        simulator.resetLog()
        #expect(simulator.concurrency == (0, 0))
    }
}
