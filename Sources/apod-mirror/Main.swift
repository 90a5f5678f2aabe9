import Platform

/// Arguments in, exit code out.
@main enum Main {
    static func main() {
        openStandardStreams()
        let environment = processEnvironment()
        eraseVariable(APIKey.variable)
        do {
            let arguments = try {
                var arguments = try Arguments(
                    Array(processArguments().dropFirst()), environment: environment)
                try arguments.takeMirror()
                return arguments
            }()
            // Signals first: a thread that starts before would take them. See UnixSignals.
            let stop = try arguments.verb.isLong ? UnixSignals(15, 2, 1) : nil
            let manager = ServiceManager(environment: environment)
            ServiceManager.withdrawVariables()
            runProcess { await run(arguments, stop, manager) }
        } catch {
            fail(CommandError(error), Log(environment: environment))
        }
    }

    private static func run(
        _ arguments: Arguments, _ signals: UnixSignals?, _ manager: ServiceManager
    ) async -> Int32 {
        do {
            let code = try await perform(arguments, signals, manager)
            if let failure = Output.standard.failure { throw CommandError(failure) }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            Log(environment: arguments.processEnvironment).error("apod-mirror: \(error.message)")
            return error.code.rawValue
        }
    }

    private static func perform(
        _ arguments: Arguments, _ signals: UnixSignals?, _ manager: ServiceManager
    ) async throws -> ExitCode {
        switch arguments.verb {
        case .run: try await RunCommand(arguments, telling: manager).run(signals)
        case .status: try StatusCommand(arguments).run()
        case .favorites: try await FavoritesCommand(arguments).run()
        case .show: try await ShowCommand(arguments).run()
        case .search: try SearchCommand(arguments).run()
        case .doctor: try await DoctorCommand(arguments).run(signals)
        case .demo: try await DemoCommand(arguments).run(signals)
        case .simulate: try await SimulateCommand(arguments).run(signals)
        case .help: try HelpCommand(arguments).run()
        case .version: HelpCommand.version()
        }
    }

    private static func fail(_ error: CommandError, _ log: Log) -> Never {
        runProcess {
            log.error("apod-mirror: \(error.message)")
            return error.code.rawValue
        }
    }
}
