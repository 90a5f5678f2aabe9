import CommandLine
import Platform

@main enum SimulatorMain {
    static func main() {
        prepareProcess()
        let environment = processEnvironment()
        runProgram(SimulatorCommand.self, environment: environment) {
            let arguments = try SimulatorArguments(ofProcessIn: environment, context: ())
            // Before any thread starts: it would receive the signals. See UnixSignals.
            let signals = try arguments.command.handlesSignals ? UnixSignals() : nil
            return { try await perform(arguments, signals) }
        }
    }

    private static func perform(
        _ arguments: SimulatorArguments, _ signals: UnixSignals?
    ) async throws -> ExitCode {
        switch arguments.command {
        case .serve: try await ServeCommand(arguments).run(signals)
        case .demo: try await DemoCommand(arguments).run(signals)
        case .help: try arguments.showHelp()
        case .version: SimulatorArguments.showVersion()
        }
    }
}
