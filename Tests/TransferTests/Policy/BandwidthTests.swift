import Testing

@testable import Transfer

@Suite struct BandwidthTests {
    @Test(arguments: [
        ("1", 1), ("500k", 512_000), ("500K", 512_000), ("2m", 2 << 20), ("1G", 1 << 30),
        ("700b", 700), ("007k", 7168),
    ])
    func aLimitIsReadAsCurlReadsIt(text: String, bytes: Int) {
        #expect(Bandwidth.bytesPerSecond(in: text) == bytes)
    }

    @Test(arguments: ["0", "0k", "00m"]) func zeroIsNoLimit(text: String) {
        #expect(Bandwidth.bytesPerSecond(in: text) == 0)
        #expect(Bandwidth(bytesPerSecond: 0) == nil)
    }

    @Test(arguments: [
        "", "k", "fast", "-1k", "+1k", "1.5k", "1 k", "1kb", "1kB/s", "500KiB",
        "9223372036854775807k",
        "99999999999999999999", "١k",
    ])
    func whatCurlRejectsIsRejected(text: String) {
        #expect(Bandwidth.bytesPerSecond(in: text) == nil)
    }

    @Test(arguments: [1, 1023, 1024, 512_000, 512_001, 3 << 20, 1 << 30])
    func theTextOfALimitIsReadAsTheLimit(bytes: Int) throws {
        let limit = try #require(Bandwidth(bytesPerSecond: bytes))

        #expect(Bandwidth.bytesPerSecond(in: "\(limit)") == bytes)
        #expect(try "\(#require(Bandwidth(bytesPerSecond: 512_000)))" == "500k")
    }

    // MARK: The meter

    private static let start = SuspendingClock().now

    private static func meter(totalReceived: Int) throws -> BandwidthMeter {
        let limit = try #require(Bandwidth(bytesPerSecond: 1000))
        return BandwidthMeter(limit, totalReceived: totalReceived, at: start)
    }

    @Test func bytesArePaidForInTheOrderOfTheirArrival() throws {
        var meter = try Self.meter(totalReceived: 500)

        #expect(meter.pause(after: 500, at: Self.start) == .zero)
        #expect(meter.pause(after: 1500, at: Self.start) == .seconds(1))
        #expect(
            meter.pause(after: 2000, at: Self.start + .milliseconds(250)) == .milliseconds(1250))
        #expect(meter.pause(after: 2000, at: Self.start + .seconds(2)) == .zero)
    }

    /// Otherwise the transfers of an hour could be followed by a burst.
    @Test func ofALongTimeHalfASecondIsMadeUpFor() throws {
        var meter = try Self.meter(totalReceived: 0)

        #expect(meter.pause(after: 0, at: Self.start + .seconds(3600)) == .zero)
        #expect(meter.pause(after: 600, at: Self.start + .seconds(3600)) == .milliseconds(100))
    }

    /// Else a line that gives each of them less would end all of them, again and again.
    @Test func concurrentTransfersShareTheMinimumRate() {
        #expect(RequestLimits.standard.shared(by: 8, within: nil).minimumRate == 1280)
    }

    /// Under a limit, what waits for it is neither slow nor without a connection.
    @Test(arguments: [1, 1000, 20_000, 512_000, 1 << 30])
    func theLimitsOfARequestFollowThatOfAll(bytes: Int) {
        let limits = RequestLimits.standard.shared(
            by: 4, within: Bandwidth(bytesPerSecond: bytes))

        #expect(1...max(1, bytes / 8) ~= limits.minimumRate)
        #expect(limits.minimumRate <= RequestLimits.standard.minimumRate / 4)
        #expect(limits.connectTimeout >= RequestLimits.standard.connectTimeout)
        #expect(limits.listTimeout == limits.fileTimeout)
    }
}
