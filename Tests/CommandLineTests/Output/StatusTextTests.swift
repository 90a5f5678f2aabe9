import CommandLine
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing

@testable import Service
@testable import apod_mirror

/// What `status` prints while a daemon syncs; this process is the daemon.
@Suite(.timeLimit(.minutes(10))) struct StatusTextTests {
    private static let now = Date(timeIntervalSince1970: 1_795_176_000)

    /// A sync that began some seconds ago.
    struct Case: CustomTestStringConvertible {
        let planned: Int
        let done: Int
        let seconds: Double
        /// The row; `nil` if there is none.
        let row: String?
        var testDescription: String { "\(done) of \(planned) days in \(Int(seconds)) s" }
    }

    static let cases = [
        Case(
            planned: 13, done: 4, seconds: 120,
            row: "syncing     4 of 13 days, 2 a minute, 4 minutes left"),
        Case(
            planned: 4334, done: 1000, seconds: 3600,
            row: "syncing     1000 of 4334 days, 17 a minute, 3 hours left"),
        Case(planned: 30, done: 0, seconds: 120, row: "syncing     0 of 30 days"),
        Case(planned: 1, done: 1, seconds: 120, row: "syncing     1 of 1 day"),
        Case(planned: 0, done: 0, seconds: 120, row: nil),
    ]

    @Test(arguments: cases)
    func theRowOfARunningSyncHasDaysRateAndRemainingTime(_ test: Case) async throws {
        try await withTemporaryFolder { path in
            var run = LastRun(process: getpid())
            run.sync = .init(
                start: Self.now - test.seconds, planned: test.planned, done: test.done)

            let rows = try rows(of: run, below: path)

            #expect(rows.first { $0.hasPrefix("syncing") } == test.row, "\(rows)")
        }
    }

    /// The daemon writes the time of a poll without news only twice a day.
    @Test func theRowOfTheLastSyncSaysThatPollsFollowedIt() async throws {
        try await withTemporaryFolder { path in
            var run = LastRun(process: getpid())
            run.lastSuccess = Self.now - 6 * 3600
            run.nextSync = Self.now - 3600

            let rows = try rows(of: run, below: path)

            let row = try #require(rows.first { $0.hasPrefix("last sync   6 hours ago (") })
            #expect(row.hasSuffix("), and without news since"))
        }
    }

    @Test func aPathWithALineBreakTakesOneRow() async throws {
        try await withTemporaryFolder { path in
            let rows = try rows(of: LastRun(process: getpid()), below: "\(path)/a\nb")

            #expect(rows[0].hasPrefix("mirror") && rows[1].hasPrefix("newest"), "\(rows)")
        }
    }

    /// What `status` prints of a mirror in which this process wrote `run`.
    private func rows(of run: LastRun, below path: String) throws -> [String] {
        let tree = try Tree.writing("\(path)/apod", known: KnownMirrors(environment: [:]))
        try Store(tree: tree, minimumFree: 0).write(run, to: Layout.service)
        let report = try StatusReport(of: tree, now: Self.now, built: .distantPast)
        let status = StatusText(
            report: report, style: TerminalStyle(environment: ["TERM": "dumb"]),
            listsAll: false, columns: nil)
        return status.text.text.split(separator: "\n").map(String.init)
    }
}
