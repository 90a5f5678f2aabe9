import CommandLine
import Platform
import Service

/// The program `apod-mirror`: parses the arguments, blocks the signals, and runs the command.
@main enum Main {
    static func main() {
        prepareProcess()
        let environment = processEnvironment()
        runProgram(Command.self, environment: environment) {
            var arguments = try Arguments(ofProcessIn: environment, context: nil)
            try arguments.chooseMirror()
            // No thread runs yet: a thread that started before would receive the signals, see UnixSignals.
            let signals = try signals(for: arguments)
            let manager = ServiceManager(environment: environment)
            ServiceManager.withdrawVariables()
            return { [arguments] in try await perform(arguments, signals, manager) }
        } didFail: { error in
            noteFailure(error, environment)
        }
    }

    /// The signals that the command handles; `nil` if each signal may end the process at once.
    private static func signals(for arguments: Arguments) throws -> UnixSignals? {
        guard arguments.command == .run, try !arguments.isOn(.dryRun) else { return nil }
        if try arguments.isOn(.once) { return try UnixSignals() }
        // SIGTERM is the normal end of the daemon, even if it takes long to stop.
        return try UnixSignals(reloads: true, lateExitCode: ExitCode.done.rawValue)
    }

    /// Writes why the daemon of a service failed into its note, because its user reads no terminal.
    private static func noteFailure(_ error: CommandError, _ environment: [String: String]) {
        // The words are not parsed, because one of them may be the error. A service without words was meant to be `run`.
        let words = processArguments().dropFirst()
        let isRun = words.isEmpty || words.first == Command.run.rawValue
        let isOnce = words.contains { $0.hasPrefix(Option.once.spelling) }
        guard isRun, !isOnce, ServiceManager(environment: environment).isPresent else { return }
        try? ServiceNoteFile(environment).writeFailure(error.message)
    }

    private static func perform(
        _ arguments: Arguments, _ signals: UnixSignals?, _ manager: ServiceManager
    ) async throws -> ExitCode {
        switch arguments.command {
        case .run where try arguments.isOn(.dryRun): try DryRun(arguments).run()
        case .run: try await RunCommand(arguments, notifying: manager).run(signals)
        case .status: try await StatusCommand(arguments).run()
        case .verify: try await VerifyCommand(arguments).run()
        case .favorites: try await FavoritesCommand(arguments).run()
        case .show: try ShowCommand(arguments).run()
        case .search: try await SearchCommand(arguments).run()
        case .adopt: try await AdoptCommand(arguments).run()
        case .doctor: try await DoctorCommand(arguments).run()
        case .help: try arguments.showHelp()
        case .version: Arguments.showVersion()
        }
    }
}
