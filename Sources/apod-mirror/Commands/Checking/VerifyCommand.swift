import APOD
import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// `apod-mirror verify [DAY...]`: compares every file with its record.
struct VerifyCommand {
    /// How many months are verified at the same time: a disk without heads is fastest with several requests.
    private static let concurrentMonths = 6

    private let arguments: Arguments
    private let tree: Tree
    /// The days to verify; all days since ``since`` if it is empty.
    private let days: Set<Day>
    private let since: Since?
    private let isQuick: Bool
    private let isJSON: Bool
    private let isQuiet: Bool
    /// `nil` without `--repair`.
    private let repair: VerifyRepair?
    /// `nil` without `--manifest`.
    private let manifest: OutputFile?
    private let style: TerminalStyle

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        since = try arguments.pastSince(.verifiedSince)
        guard arguments.operands.isEmpty || since == nil else {
            throw CommandError.usage("days and --since cannot be combined")
        }
        isQuick = try arguments.isOn(.quick)
        isJSON = try arguments.isOn(.json)
        isQuiet = try arguments.isOn(.noProgress)
        // A wrong option is reported before the mirror is read, which takes hours.
        repair = try arguments.isOn(.repair) ? VerifyRepair(arguments) : nil
        manifest = try Self.manifest(arguments)
        style = TerminalStyle(environment: arguments.environment)
        let reader = try Reader(arguments)
        tree = reader.tree
        days = Set(
            try arguments.operands.map { word in
                guard let day = try reader.day(word) else {
                    throw reader.missingDayError(nil, typed: word)
                }
                return day
            })
    }

    func run(_ signals: UnixSignals?) async throws -> ExitCode {
        try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            group.addTask { try await verifyAndRepair() }
            group.addTask { await signals?.wait() }
            let first = try await group.next() ?? nil
            group.cancelAll()
            do {
                // Interrupted by a signal: the result so far is still printed.
                _ = try await group.next()
            } catch {
                // The exit code is that of the signal.
                let message = CommandError(error).message
                if !(error is CancellationError) {
                    StandardStream.error.write("apod-mirror: \(message)\n")
                }
            }
            return first ?? .failure
        }
    }

    private func verifyAndRepair() async throws -> ExitCode {
        var report = try await verify()
        report.isRepair = repair != nil
        if let repair, report.isComplete {
            // What was recorded as damaged may be intact by now.
            let recorded = VerifyState.read(from: tree).damage
            if !report.damage.isEmpty || !recorded.isEmpty {
                try await carryOut(repair, of: recorded, &report)
            }
        }
        report.write(isJSON: isJSON)
        if let manifest, report.isComplete { try write(manifest) }
        return report.exitCode
    }

    private static func manifest(_ arguments: Arguments) throws -> OutputFile? {
        guard let path = try arguments.value(.manifest, "a file", { $0.isEmpty ? nil : $0 }) else {
            return nil
        }
        let root = try arguments.mirror().root
        do {
            return try OutputFile(path, beginningWith: Manifest.start, outside: root)
        } catch {
            throw CommandError.usage("--manifest: \(error)")
        }
    }

    /// Writes what the records say now, after a repair.
    private func write(_ manifest: OutputFile) throws {
        let snapshot = try TreeSnapshot(of: tree.root)
        let files = try Manifest(of: tree, snapshot, in: try scope(snapshot))
        try manifest.write(Array(files.text.utf8))
        guard !isJSON else { return }
        StandardStream.output.write(
            "\(counted(files.files.count, "file")) listed in \(manifest.path)\n")
    }

    /// Repairs the damage in `report` and the `recorded` damage of earlier verifications; prints each repair.
    private func carryOut(
        _ repair: VerifyRepair, of recorded: [VerifyState.Damage], _ report: inout VerifyReport
    ) async throws {
        let done = Monitor<[Repair]>([])
        do {
            let hasDamageOfNoDay =
                report.damage.contains { $0.day == nil } || recorded.contains { $0.day == nil }
            let isWhole = days.isEmpty && since == nil && !isQuick && !hasDamageOfNoDay
            report.remaining = try await repair.run(
                report.damage, and: Set(recorded.compactMap(\.day)), isComplete: isWhole,
                hasDamageOfNoDay: hasDamageOfNoDay
            ) { repair in
                done.withLock { $0.append(repair) }
                if !isJSON {
                    StandardStream.output.write(styled: VerifyReport.line(of: repair, style))
                }
            }
        } catch {
            report.write(isJSON: isJSON)
            throw error
        }
        report.repairs = done.withLock(\.self)
        guard !isJSON else { return }
        for path in report.repairedByOthers {
            StandardStream.output.write(styled: VerifyReport.line(ofRepaired: path, style))
        }
    }

    /// Verifies the tree, and prints findings and progress meanwhile.
    private func verify() async throws -> VerifyReport {
        let snapshot = try TreeSnapshot(of: tree.root)
        let scope = try scope(snapshot)
        let verified = snapshot.days.filter { $0.isMirrored && scope.contains($0.day) }
        let report = Monitor(
            VerifyReport(
                root: tree.root.path, isQuick: isQuick, days: verified.count,
                bytes: isQuick ? 0 : verified.lazy.map(\.mediaBytes).saturatingSum()))
        let verifier = TreeVerifier(
            tree, snapshot, expecting: try VerifyExpectations(of: tree), isQuick: isQuick,
            hasWriter: tree.writer != nil
        ) { progress in
            report.withLock { $0.record(progress) }
        }
        let showsProgress = !isQuiet && !isJSON && StandardStream.error.columns != nil
        let begin = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            if showsProgress {
                group.addTask {
                    await ProgressDisplay.draw(on: .error) { width in
                        report.withLock {
                            $0.line(elapsed: begin.duration(to: .now), width: width)
                        }
                    }
                }
            }
            do {
                let isSlow = Mount(of: tree.root)?.isOnRotatingDisk() == true
                try await verifier.run(scope, width: isSlow ? 1 : Self.concurrentMonths) {
                    findings in
                    report.withLock { $0.findings += findings }
                    findings.forEach(show)
                }
                report.withLock { $0.isComplete = true }
            } catch {
                // Interrupted by a signal: the report is not complete.
            }
            group.cancelAll()
        }
        if showsProgress { ProgressDisplay.clear(.error) }
        return report.withLock(\.self)
    }

    /// What the user wants to have verified.
    private func scope(_ snapshot: TreeSnapshot) throws -> VerifyScope {
        guard days.isEmpty else {
            let all = snapshot.days.lazy.filter(\.isMirrored).map(\.day)
            if let day = days.subtracting(all).min() {
                throw Reader(tree).missingDayError(day)
            }
            return .days(days)
        }
        guard let since, since != .all,
            let newest = try Store(reading: tree).newestDay(in: snapshot)
        else { return .all }
        return since.range(newest: newest).map { .range($0) } ?? .days([])
    }

    private func show(_ finding: VerifyFinding) {
        guard !isJSON else { return }
        ProgressDisplay.clear(.error)
        StandardStream.output.write(styled: VerifyReport.line(of: finding, style))
    }
}
