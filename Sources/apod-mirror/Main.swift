import CommandLine
import Platform
import Service

@main enum Main {
    static func main() {
        prepareProcess()
        let environment = processEnvironment()
        runProgram(Command.self, environment: environment) {
            var arguments = try Arguments(ofProcessIn: environment, context: nil)
            try arguments.chooseMirror()
            // Before any thread starts: it would receive the signals. See UnixSignals.
            let isRun = arguments.command == .run
            let isDaemon = try isRun && !arguments.isOn(.once)
            let isPreview = try isRun && arguments.isOn(.dryRun)
            let signals =
                try isRun && !isPreview
                ? UnixSignals(reloads: isDaemon, lateExitCode: isDaemon ? 0 : nil) : nil
            let manager = ServiceManager(environment: environment)
            ServiceManager.withdrawVariables()
            return { [arguments] in try await perform(arguments, signals, manager) }
        } didFail: { error in
            leave(error, environment)
        }
    }

    /// Leaves the error of a service where commands find it; that of a command its user has read.
    private static func leave(_ error: CommandError, _ environment: [String: String]) {
        let words = processArguments().dropFirst()
        // The arguments may be what is wrong.
        guard ServiceManager(environment: environment).isPresent,
            words.first ?? Command.run.rawValue == Command.run.rawValue,
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
