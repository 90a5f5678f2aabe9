import APOD
import FoundationEssentials
import Mirror
import Platform
import Testing
import Transfer

@testable import Service

@Suite struct ProgressTests {
    private func line(
        planned: Int, done: Int, failed: Int = 0, bytes: Int, elapsed: Duration = .seconds(10),
        limit: Bandwidth? = nil, width: Int? = nil
    ) -> String {
        var progress = Progress(start: .now)
        progress.record(.planned(days: planned))
        let results =
            Array(repeating: EntryOutcome.Result.downloaded(path: "p", bytes: 1), count: done)
            + Array(
                repeating: EntryOutcome.Result.incomplete(DayProblem(.lost, "…")),
                count: failed)
        for result in results { progress.record(.day(EntryOutcome(.first, result))) }
        return progress.line(bytes: bytes, elapsed: elapsed, limit: limit, width: width)
    }

    @Test func theProgressLineShowsDaysBytesRateTimeLeftAndFailures() {
        #expect(
            line(planned: 100, done: 24, failed: 1, bytes: 50_000_000)
                == "24 of 100 days  50.0 MB  5.0 MB/s  30 s left  1 without a picture")
        #expect(
            line(
                planned: 4, done: 2, bytes: 5_120_000, limit: Bandwidth(bytesPerSecond: 512_000))
                == "2 of 4 days  5.1 MB  512 kB/s (limit 500k)  10 s left")
        // The time left is unknown at first.
        #expect(!line(planned: 100, done: 0, bytes: 0, elapsed: .seconds(9)).contains("left"))
    }

    /// Its picture is here, if only as a reduced copy.
    @Test func aDayThatLacksAnotherFileIsNotWithoutAPicture() {
        var progress = Progress(start: .now)
        progress.record(.planned(days: 1))
        let result = EntryOutcome.Result.partial(DayProblem(.reduced, "…"))
        progress.record(.day(EntryOutcome(.first, result)))

        let line = progress.line(bytes: 0, elapsed: .seconds(1), width: nil)
        #expect(line.hasPrefix("1 of 1 day") && !line.contains("without"), "\(line)")
    }

    @Test(arguments: [0, 1, 10, 20, 40, 60, 80, 120, 300])
    func theProgressLineIsShorterThanTheTerminal(width: Int) {
        let line = line(
            planned: 100, done: 50, bytes: 1_000_000, elapsed: .seconds(100), width: width)

        #expect(line.count < max(width, 1))
        if width >= 80 { #expect(line.contains("#") && line.contains("-]")) }
    }

    /// As a damaged record may claim.
    @Test func theTimeLeftOfAnyNumberOfBytesIsFinite() {
        let line = ProgressLine(finished: 1, planned: .max).text(
            amount: "1 of 2 days", bytes: 1, elapsed: .seconds(100), problems: nil, width: 80)

        #expect(line.contains("h") && line.contains("left"))
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (37_700_000, "37.7 MB"),
        (123_456_789_012, "123 GB"), (1 << 50, "1126 TB"),
    ])
    func bytesAreFormattedForPeople(bytes: Int, text: String) {
        #expect("\(ByteCount(bytes))" == text)
    }
}
