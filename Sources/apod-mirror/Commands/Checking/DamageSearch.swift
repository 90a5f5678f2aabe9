import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// The verification of `verify`, which prints each finding at once, and the progress on a terminal.
///
/// `TreeVerifier` compares the files with their records; ``VerifyReport`` counts what it has read and found.
struct DamageSearch {
    let tree: Tree
    let snapshot: TreeSnapshot
    /// Whether only existence and sizes are compared.
    let isQuick: Bool
    /// Whether each finding is printed as a line.
    let printsFindings: Bool
    let showsProgress: Bool
    let style: TerminalStyle

    /// The number of days that are verified at a time: an SSD is fastest with several, a rotating disk with few.
    private static let concurrentDays = 4

    /// Verifies the files of the days in `scope`.
    func run(_ scope: VerifyScope) async throws -> VerifyReport {
        let planned = snapshot.days.filter { $0.record != nil && scope.contains($0.day) }
        let report = SharedValue(
            VerifyReport(
                root: tree.root.path, isQuick: isQuick, plannedDays: planned.count,
                plannedBytes: isQuick ? 0 : planned.lazy.map(\.mediaBytes).saturatingSum()))
        let verifier = try TreeVerifier(tree, snapshot, isQuick: isQuick) { progress in
            report.withLock { $0.record(progress) }
        }
        if scope == .all { report.withLock { $0.absentDays = verifier.absentDays.count } }
        try await withProgress(of: report) {
            try await verifier.run(scope, width: Self.concurrentDays) { findings in
                report.withLock { $0.findings += findings }
                if printsFindings { findings.forEach(printLine(of:)) }
            }
        }
        return report.withLock(\.self)
    }

    private func withProgress(
        of report: SharedValue<VerifyReport>, _ body: () async throws -> Void
    ) async throws {
        guard showsProgress, StandardStream.error.columns != nil else { return try await body() }
        let start = ContinuousClock.now
        try await ProgressDisplay.draw(on: .error) { width in
            report.withLock { $0.progressLine(elapsed: start.duration(to: .now), width: width) }
        } while: {
            try await body()
        }
    }

    private func printLine(of finding: VerifyFinding) {
        ProgressDisplay.clear(.error)
        StandardStream.output.write(styled: VerifyReport.line(of: finding, style))
    }
}
