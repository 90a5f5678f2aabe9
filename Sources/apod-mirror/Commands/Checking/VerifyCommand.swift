import APOD
import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// `apod-mirror verify [DAY...]`: compares every file with its record, and repairs with `--repair`.
///
/// This command decides which days are verified. ``DamageSearch`` verifies them, and prints findings and progress.
struct VerifyCommand {
    private enum Purpose {
        case findDamage
        /// `--repair`: the mirror is open for writing.
        case repair(DaemonlessSync)
        /// `--manifest`: lists files as the records have them, and verifies nothing.
        case printManifest
    }

    private let purpose: Purpose
    private let store: Store
    /// The days that the user named; if there are none, all days since ``since`` are verified.
    private let days: Set<Day>
    private let since: Since
    private let isQuick: Bool
    private let isJSON: Bool
    private let showsProgress: Bool
    private let style: TerminalStyle
    private let log: Log

    init(_ arguments: Arguments) async throws {
        since =
            try arguments.value(
                .verifiedSince, "a number of days (30d), a date such as 2026-11-20 or “all”",
                Since.init(argument:)) ?? .all
        guard arguments.operands.isEmpty || !arguments.isTyped(.verifiedSince) else {
            throw CommandError.usage("days and --since cannot be combined")
        }
        isQuick = try arguments.isOn(.quick)
        // `choice` rejects both together: a manifest has the one form that sha256sum(1) reads.
        isJSON = try arguments.choice([.json: true, .manifest: false], else: false)
        showsProgress = try !arguments.isOn(.noProgress)
        style = TerminalStyle(environment: arguments.environment)
        log = Log(threshold: .warning, environment: arguments.environment)
        purpose = try await Self.choosePurpose(arguments)
        let store =
            if case .repair(let sync) = purpose { sync.store } else {
                try Store.openForReading(arguments)
            }
        self.store = store
        // Opening may have moved items, even if an argument is wrong.
        defer { warnOfMovedItems(in: store.tree) }
        days = Set(try arguments.operands.map(store.day(named:)))
    }

    private static func choosePurpose(_ arguments: Arguments) async throws -> Purpose {
        let printsManifest = try arguments.choice([.manifest: true, .repair: false], else: false)
        if printsManifest { return .printManifest }
        guard try arguments.isOn(.repair) else { return .findDamage }
        // Opened before the verification, which may take hours: what prevents a repair is reported at once.
        let access = MirrorAccess(arguments)
        return .repair(
            try DaemonlessSync(await access.openInsteadOfDaemon(), Settings(arguments)))
    }

    private var tree: Tree { store.tree }

    /// Verifies, repairs or lists the days that the mirror has, and reports which of the named days it has not.
    func run() async throws -> ExitCode {
        defer { warnOfMovedItems(in: tree) }
        let snapshot = try TreeSnapshot(of: tree.root)
        let absentDays = days.subtracting(snapshot.days.lazy.filter(\.isMirrored).map(\.day))
        var codes = absentDays.sorted().map(report(absent:))
        if days.isEmpty || days != absentDays {
            let scope = try requestedScope(snapshot, without: absentDays)
            codes.insert(try await perform(on: scope, snapshot), at: 0)
        }
        // Damage needs a repair, and an absent day may only be a wrong date.
        if let problem = codes.first(where: { $0 != .done && $0 != .missing }) { return problem }
        return codes.contains(.missing) ? .missing : .done
    }

    /// Prints why a day that the user named is not verified; returns the exit code for that.
    private func report(absent day: Day) -> ExitCode {
        let error: CommandError
        do {
            error = try store.missingDayError(day)
        } catch let diskError {
            error = CommandError(diskError)
        }
        warn(error.message.printableLine)
        return error.code
    }

    /// The days that the command line asks for, without the `absentDays`, which the mirror does not have.
    private func requestedScope(
        _ snapshot: TreeSnapshot, without absentDays: Set<Day>
    ) throws -> VerifyScope {
        guard days.isEmpty else { return .days(days.subtracting(absentDays)) }
        guard since != .all, let newest = try store.newestDay(in: snapshot)
        else { return .all }
        // The range is `nil`, so that no day is verified, if ``since`` is after the newest day.
        let range = since.range(newest: newest)
        return .days(snapshot.days(where: { range?.contains($0.day) == true }))
    }

    private func damageSearch(in snapshot: TreeSnapshot) -> DamageSearch {
        DamageSearch(
            tree: tree, snapshot: snapshot, isQuick: isQuick, printsFindings: !isJSON,
            showsProgress: showsProgress && !isJSON, style: style)
    }

    private func perform(
        on scope: VerifyScope, _ snapshot: TreeSnapshot
    ) async throws -> ExitCode {
        switch purpose {
        case .printManifest: return try printManifest(of: scope, in: snapshot)
        case .findDamage:
            let report = try await damageSearch(in: snapshot).run(scope)
            report.write(isJSON: isJSON, suggestsRepair: true)
            return report.exitCode
        case .repair(let sync):
            var report = try await damageSearch(in: snapshot).run(scope)
            // Even if the repair fails, the findings are printed.
            defer { report.write(isJSON: isJSON, suggestsRepair: false) }
            // Damage that earlier verifications found is repaired, too.
            report.remaining = try await sync.repair(
                report.findings, of: scope, isWhole: scope == .all && !isQuick, log: log
            ) { summary in
                if let message = summary.message { log.error("apod-mirror: \(message)") }
            }
            return report.exitCode
        }
    }

    /// Prints the list of files, and on standard error which files it lacks, so that nobody trusts an incomplete list.
    private func printManifest(
        of scope: VerifyScope, in snapshot: TreeSnapshot
    ) throws -> ExitCode {
        let manifest = try Manifest(of: tree, snapshot, in: scope)
        StandardStream.output.write(manifest.text)
        var problems: [String] = []
        if scope == .all {
            problems = snapshot.unreadable.sorted { $0.key < $1.key }
                .filter { $0.key.hasPrefix(Layout.metadata) }
                .map { "\($0.value.advice); its days are left out" }
        }
        problems += manifest.daysLeftOut.map {
            "the record of \($0) is damaged or cannot be read; its files are left out"
        }
        for problem in problems { warn(problem.printableLine) }
        return problems.isEmpty ? .done : .damaged
    }
}
