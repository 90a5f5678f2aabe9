import APOD
import Glibc
import Platform
import Simulator
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MediaTests {
    let simulator: Simulator

    init() throws { simulator = try Simulator(.single(.picture(.small))) }

    @Test(arguments: [shelf, dynamicShelf, "/apod/image/2611/"])
    func allURLsOfAFileServeTheSameBytes(folder: String) throws {
        let reply = try simulator.get(folder + "M31.jpg")

        #expect(reply.status == 200)
        #expect(reply.text == "0123456789")
        #expect(reply.headers["content-type"] == "image/jpeg")
        #expect(reply.headers["last-modified"] == "Fri, 20 Nov 2026 12:00:00 GMT")
    }

    @Test func anEditChangesTheVersion() throws {
        let before = try simulator.get(shelf + "M31.jpg").headers
        let picture = SimulatedPicture(name: "M31.jpg", source: .bytes([7]))
        simulator.publish(
            SimulatedEntry(day: today, title: "", explanationHTML: "", media: .picture(picture)))
        let after = try simulator.get(shelf + "M31.jpg")

        #expect(after.body == [7])
        #expect(after.headers["etag"] != before["etag"])
        #expect(after.headers["last-modified"] == "Fri, 20 Nov 2026 13:00:00 GMT")
    }

    @Test func aChangedTagCountsMoreThanAnUnchangedTime() throws {
        let path = shelf + "M31.jpg"
        let modified = try #require(try simulator.get(path).headers["last-modified"])

        let reply = try simulator.get(
            path, ["If-None-Match": "\"other\"", "If-Modified-Since": modified])

        #expect(reply.status == 200 && reply.text == "0123456789")
    }

    @Test func headRequestsReturnHeadersOnly() throws {
        let reply = try simulator.get(shelf + "M31.jpg", method: "HEAD")

        #expect(reply.status == 200)
        #expect(reply.headers["content-length"] == "10")
    }

    @Test func onlyGETAndHEADAreAllowed() throws {
        #expect(try simulator.get(shelf + "M31.jpg", method: "DELETE").status == 405)
        #expect(try simulator.get("/", ["Content-Length": "0"], method: "POST").status == 405)
    }

    @Test func aConnectionServesManyRequests() throws {
        let connection = try Connection(simulator)

        for _ in 1...3 {
            try connection.send(shelf + "M31.jpg")
            #expect(connection.receive().text == "0123456789")
        }
    }

    @Test func filesAreServedFromTheDisk() async throws {
        try await withTemporaryFolder { folder in
            let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            try FileDescriptor(opening: folder + "/M 31.png", O_WRONLY | O_CREAT)
                .write(bytes, path: folder)
            let simulator = try Simulator(.files(folder, newest: today))

            let whole = try simulator.get(shelf + "M%2031.png")

            #expect(whole.body == bytes)
            #expect(try simulator.get(shelf + "other.png").status == 404)
        }
    }

    @Test func dynamicPicturesComeInEverySize() throws {
        let drawing = Drawing(seed: 3, width: 60, height: 40, format: .png)
        let reduced = Drawing(seed: 3, width: 30, height: 20, format: .png)
        let picture = SimulatedPicture(
            name: "M31.png", source: .drawn(drawing), reduced: .drawn(reduced))
        let simulator = try Simulator(.single(.picture(picture)))

        func size(_ path: String) throws -> [UInt8] {
            Array(try simulator.get(path).body[16..<24])
        }

        #expect(try size(shelf + "M31.png") == [0, 0, 0, 60, 0, 0, 0, 40])
        #expect(try size(dynamicShelf + "M31.png") == [0, 0, 0, 30, 0, 0, 0, 20])
        #expect(
            try size(dynamicShelf + "M31.png?w=60&h=40&fit=clip") == [0, 0, 0, 60, 0, 0, 0, 40])
        #expect(try size(dynamicShelf + "M31.png?w=0&h=0") == [0, 0, 0, 60, 0, 0, 0, 40])
        #expect(try size(dynamicShelf + "M31.png?w=15&h=400") == [0, 0, 0, 15, 0, 0, 0, 10])
    }

    @Test func theV1FeedShowsTheReducedCopy() throws {
        let picture = SimulatedPicture(
            name: "big.mov", source: .bytes([1]), reduced: .bytes([2]),
            v1Paths: ["/apod/image/big.mov", "/apod/image/still.jpg "])
        let simulator = try Simulator(.single(.picture(picture)))

        #expect(try simulator.get("/apod/image/big.mov").body == [1])
        #expect(try simulator.get("/apod/image/still.jpg").body == [2])
        #expect(try simulator.get("/apod/image/still.jpg%20").body == [2])
    }

    @Test func filesOfUnpublishedDaysAreNotServed() throws {
        simulator.newest = today.advanced(by: -1)
        #expect(try simulator.get(shelf + "M31.jpg").status == 404)

        simulator.newest = today
        #expect(try simulator.get(shelf + "M31.jpg").status == 200)

        simulator.withdraw(today)
        #expect(try simulator.get(shelf + "M31.jpg").status == 404)
    }
}
