import APOD
import Mirror
import Platform
import Testing
import Transfer

@testable import Service

@Suite struct ProgressTests {
    private func progress(planned: Int, done: Int, failed: Int) -> Progress {
        var progress = Progress()
        progress.record(.planned(days: planned))
        for _ in 0..<done {
            progress.record(.day(EntryOutcome(.first, .downloaded(path: "p", bytes: 1))))
        }
        for _ in 0..<failed {
            progress.record(
                .day(EntryOutcome(.first, .incomplete(.lost, reason: "…", record: nil))))
        }
        return progress
    }

    @Test func theProgressLineShowsDaysBytesRateTimeLeftAndFailures() {
        let line = progress(planned: 100, done: 24, failed: 1)
            .line(bytes: 50_000_000, elapsed: .seconds(10), width: nil)

        #expect(line == "24 of 100 days  50.0 MB  5.0 MB/s  30 s left  1 without a picture")
    }

    @Test func theProgressLineShowsTheLimitBesideTheRate() {
        let line = progress(planned: 4, done: 2, failed: 0)
            .line(
                bytes: 5_120_000, elapsed: .seconds(10), limit: Bandwidth(bytesPerSecond: 512_000),
                width: nil)

        #expect(line == "2 of 4 days  5.1 MB  512 kB/s (limit 500k)  10 s left")
    }

    @Test(arguments: [0, 1, 10, 20, 40, 60, 80, 120, 300])
    func theProgressLineIsShorterThanTheTerminal(width: Int) {
        let line = progress(planned: 100, done: 50, failed: 0)
            .line(bytes: 1_000_000, elapsed: .seconds(100), width: width)

        #expect(line.count < max(width, 1))
        if width >= 80 { #expect(line.contains("#") && line.contains("-]")) }
    }

    @Test func theTimeLeftIsUnknownAtFirst() {
        let line = progress(planned: 100, done: 0, failed: 0)
            .line(bytes: 0, elapsed: .seconds(9), width: nil)

        #expect(!line.contains("left"))
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
