import APOD
import CommandLine
import Maintenance
import Mirror
import Platform
import Service

/// `verify --repair`: repairs the damage that `verify` found, or asks the daemon to.
struct VerifyRepair {
    private let arguments: Arguments
    private let settings: Settings
    private let log: Log

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        settings = try Settings(arguments)
        // Before the verification, which may take hours.
        try arguments.checkOwner(of: settings.root)
        log = Log(threshold: .warning, environment: arguments.environment)
    }

    /// Repairs what was found to be damaged, and the `recorded` damage of earlier verifications.
    ///
    /// `isWhole` says that all bytes of all days were verified. `report` receives each repair as soon as its step is done.
    ///
    /// - Returns: The damage that is left; `nil` if another process uses the mirror: then the daemon is asked to repair.
    /// - Throws: ``CommandError``, with the code of damaged files if nothing can be repaired.
    func run(
        _ damage: [VerifyFinding], recorded: [VerifyState.Damage], isWhole: Bool,
        report: (Repair) -> Void
    ) async throws -> [UnrepairedFinding]? {
        let days = Set(damage.map(\.day) + recorded.map(\.day))
        let tree: Tree
        do {
            tree = try arguments.openTreeForWriting()
        } catch TreeError.locked(_, let pid) {
            try leaveRequest(Set(days.compactMap(\.self)), pid)
            return nil
        } catch let error as TreeError {
            // The exit code is still that of the damage that was found.
            throw CommandError("nothing is repaired: \(error)", .damaged)
        }
        do {
            return try await MirrorWriter(tree, settings).repair(
                damage, of: days, isWhole: isWhole, log: log, report: report
            ) { summary in
                if let message = summary.message { log.error("apod-mirror: \(message)") }
            }
        } catch is VerifyStopped {
            throw CommandError("interrupted", .interrupted)
        }
    }

    /// Asks the daemon, which repairs before its next sync; `pid` is the process that uses the mirror.
    private func leaveRequest(_ days: Set<Day>, _ pid: Int32?) throws {
        do {
            try RepairRequest.leave(days, in: try arguments.openTree())
        } catch {
            throw CommandError(
                "cannot ask the daemon to repair: \(error); run the command as its user",
                .damaged)
        }
        let process = pid.map { "process \($0)" } ?? "another process"
        StandardStream.error.write(
            "\(process) uses the mirror: the daemon is asked to repair; “apod-mirror status” shows the result\n"
        )
    }
}
