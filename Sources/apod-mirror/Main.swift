import CommandLine
import Platform
import Service

/// The program: parses the arguments, blocks the signals, and runs the command.
@main enum Main {
    static func main() {
        prepareProcess()
        let environment = processEnvironment()
        runProgram(Command.self, environment: environment) {
            var arguments = try Arguments(ofProcessIn: environment, context: nil)
            try arguments.chooseMirror()
            // Before any thread starts: it would receive the signals. See UnixSignals.
            let signals = try signals(for: arguments)
            let manager = ServiceManager(environment: environment)
            ServiceManager.withdrawVariables()
            return { [arguments] in try await perform(arguments, signals, manager) }
        } didFail: { error in
            leave(error, environment)
        }
    }

    /// The signals that the command handles; `nil` if they just end it, as it leaves nothing unfinished.
    private static func signals(for arguments: Arguments) throws -> UnixSignals? {
        guard arguments.command == .run, try !arguments.isOn(.dryRun) else { return nil }
        // A signal is the normal end of the daemon, also if that takes long.
        return try arguments.isOn(.once)
            ? UnixSignals() : UnixSignals(reloads: true, lateExitCode: ExitCode.done.rawValue)
    }

    /// Leaves the error of a service where commands find it; that of a command its user has read.
    private static func leave(_ error: CommandError, _ environment: [String: String]) {
        // The arguments may be what is wrong: they are not parsed here. A service without a command was to be `run`.
        let words = processArguments().dropFirst()
        guard ServiceManager(environment: environment).isPresent,
            [nil, Command.run.rawValue].contains(words.first),
            !words.contains(where: { $0.hasPrefix(Option.once.spelling) })
        else { return }
        ServiceNote.writeFailure(error.message, environment)
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
