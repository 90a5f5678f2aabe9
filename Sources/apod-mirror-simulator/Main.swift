import CommandLine
import Platform

@main enum Main {
    static func main() {
        openStandardStreams()
        let environment = processEnvironment()
        Program(Command.program, environment: environment).run {
            let arguments = try Arguments(
                Array(processArguments().dropFirst()), environment: environment, context: ())
            // Signals first: a thread that starts before would take them. See UnixSignals.
            let signals = try arguments.command.isLong ? UnixSignals(15, 2, 1) : nil
            return { try await perform(arguments, signals) }
        }
    }

    private static func perform(
        _ arguments: Arguments, _ signals: UnixSignals?
    ) async throws -> ExitCode {
        switch arguments.command {
        case .serve: try await ServeCommand(arguments).run(signals)
        case .demo: try await DemoCommand(arguments).run(signals)
        case .help: try arguments.showHelp()
        case .version: Arguments.showVersion()
        }
    }
}
