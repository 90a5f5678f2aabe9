import APOD
import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// `apod-mirror verify [DAY...]`: compares every file with its record.
struct VerifyCommand {
    /// How many months are verified at the same time: an SSD is fastest with several requests, a rotating disk with one.
    private static let concurrentMonths = 6

    private let reader: MirrorReader
    /// With `--repair`, the mirror is open for writing from the beginning; else `nil`.
    private let writer: MirrorWriter?
    /// The days to verify; all days since ``since`` if it is empty.
    private let days: Set<Day>
    private let since: Since
    private let isQuick: Bool
    private let isJSON: Bool
    private let showsProgress: Bool
    /// `nil` without `--manifest`.
    private let manifestFile: OutputFile?
    private let style: TerminalStyle
    private let log: Log

    init(_ arguments: Arguments) throws {
        since = try arguments.pastSince(.verifiedSince)
        guard arguments.operands.isEmpty || !arguments.isTyped(.verifiedSince) else {
            throw CommandError.usage("days and --since cannot be combined")
        }
        isQuick = try arguments.isOn(.quick)
        isJSON = try arguments.isOn(.json)
        showsProgress = try !arguments.isOn(.noProgress)
        // What prevents a repair is reported before the mirror is read, which takes hours.
        writer =
            try arguments.isOn(.repair)
            ? MirrorWriter(arguments.openTreeWithoutDaemon(), Settings(arguments))
            : nil
        manifestFile = try Self.manifestFile(arguments)
        style = TerminalStyle(environment: arguments.environment)
        log = Log(threshold: .warning, environment: arguments.environment)
        reader = try writer.map { MirrorReader($0.store.tree) } ?? MirrorReader(arguments)
        days = Set(try arguments.operands.map(reader.day))
    }

    private var tree: Tree { reader.tree }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await runInterruptibly(by: signals) {
            do {
                let report = try await printedReport()
                if let manifestFile, report.isFinished { try writeManifest(to: manifestFile) }
                return report.exitCode
            } catch  where Task.isCancelled && !(error is CancellationError) {
                // After a signal, `runInterruptibly` returns its exit code and prints no error.
                StandardStream.error.write("apod-mirror: \(CommandError(error).message)\n")
                throw error
            }
        }
    }

    /// Verifies, repairs if that is wanted, and prints the report.
    private func printedReport() async throws -> VerifyReport {
        let snapshot = try TreeSnapshot(of: tree.root)
        let scope = try scope(snapshot)
        var report = try await verify(scope, in: snapshot)
        // Prints the findings also if the repair fails, and those so far if a signal ends it.
        defer { report.write(isJSON: isJSON, suggestsRepair: writer == nil) }
        if let writer, report.isFinished {
            try await repair(with: writer, scope, in: &report)
        }
        return report
    }

    private static func manifestFile(_ arguments: Arguments) throws -> OutputFile? {
        guard let path = try arguments.value(.manifest, "a file", { $0.isEmpty ? nil : $0 }) else {
            return nil
        }
        do {
            return try OutputFile(
                path, beginningWith: Manifest.start, outside: arguments.mirror.root)
        } catch {
            throw CommandError.usage("--manifest: \(error)")
        }
    }

    /// Lists what the records say now, which a repair may have changed.
    private func writeManifest(to file: OutputFile) throws {
        let snapshot = try TreeSnapshot(of: tree.root)
        let manifest = try Manifest(of: tree, snapshot, in: try scope(snapshot))
        try file.write(Array(manifest.text.utf8))
        guard !isJSON else { return }
        StandardStream.output.write(
            "\(counted(manifest.files.count, "file")) listed in \(file.path)\n")
    }

    /// Repairs the damage in `report` and that of earlier verifications; prints each repair.
    private func repair(
        with writer: MirrorWriter, _ scope: VerifyScope, in report: inout VerifyReport
    ) async throws {
        report.remaining = try await writer.repair(
            report.findings, of: scope, isWhole: scope == .all && !isQuick, log: log
        ) { step in
            report.repairs.append(step)
            if !isJSON { StandardStream.output.write(styled: VerifyReport.line(of: step, style)) }
        } didSync: { summary in
            if let message = summary.message { log.error("apod-mirror: \(message)") }
        }
        guard !isJSON else { return }
        for path in report.repairedByOthers {
            StandardStream.output.write(styled: VerifyReport.line(ofRepaired: path, style))
        }
    }

    /// Verifies the tree, and prints findings and progress meanwhile.
    private func verify(
        _ scope: VerifyScope, in snapshot: TreeSnapshot
    ) async throws -> VerifyReport {
        let planned = snapshot.days.filter { $0.record != nil && scope.contains($0.day) }
        let report = SharedValue(
            VerifyReport(
                root: tree.root.path, isQuick: isQuick, plannedDays: planned.count,
                plannedBytes: isQuick ? 0 : planned.lazy.map(\.mediaBytes).saturatingSum()))
        let verifier = try TreeVerifier(tree, snapshot, isQuick: isQuick) { progress in
            report.withLock { $0.record(progress) }
        }
        let failure = SharedValue<(any Error)?>(nil)
        let isRotating = Mount(of: tree.root)?.isOnRotatingDisk() == true
        await withProgress(of: report) {
            do {
                try await verifier.run(scope, width: isRotating ? 1 : Self.concurrentMonths) {
                    findings in
                    report.withLock { $0.findings += findings }
                    findings.forEach(show)
                }
                report.withLock { $0.isFinished = true }
            } catch {
                // After a signal the report stays unfinished; else descriptors or memory are used up.
                if !Task.isCancelled { failure.withLock { $0 = error } }
            }
        }
        if let error = failure.withLock(\.self) { throw error }
        return report.withLock(\.self)
    }

    /// Shows the progress of `body` on a terminal.
    private func withProgress(of report: SharedValue<VerifyReport>, _ body: () async -> Void) async
    {
        guard showsProgress, !isJSON, StandardStream.error.columns != nil else {
            return await body()
        }
        let begin = ContinuousClock.now
        await ProgressDisplay.draw(on: .error) { width in
            report.withLock { $0.progressLine(elapsed: begin.duration(to: .now), width: width) }
        } while: {
            await body()
        }
    }

    private func scope(_ snapshot: TreeSnapshot) throws -> VerifyScope {
        guard days.isEmpty else {
            let all = snapshot.days.lazy.filter(\.isMirrored).map(\.day)
            if let day = days.subtracting(all).min() {
                throw reader.missingDayError(day)
            }
            return .days(days)
        }
        // A number of days counts back from the newest one.
        guard since != .all, let newest = try reader.store.newestDay(in: snapshot)
        else { return .all }
        // No day at all if ``since`` is after the newest one.
        let range = since.range(newest: newest)
        return .days(snapshot.recorded.filter { range?.contains($0) == true })
    }

    private func show(_ finding: VerifyFinding) {
        guard !isJSON else { return }
        ProgressDisplay.clear(.error)
        StandardStream.output.write(styled: VerifyReport.line(of: finding, style))
    }
}
