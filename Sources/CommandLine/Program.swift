internal import Platform

/// Runs a program: carries out its command, prints an error, and ends the process with the exit code.
///
/// `prepare` parses the arguments before other threads start, and returns what the command does; `didFail` is called
/// with the error that ends it.
package func runProgram<Command: CommandProtocol>(
    _ commands: Command.Type, environment: [String: String],
    _ prepare: () throws -> @Sendable () async throws -> ExitCode,
    didFail: @escaping @Sendable (CommandError) -> Void = { _ in }
) -> Never {
    // An error in the arguments is printed like one of the command.
    let command = Result { try prepare() }
    runProcess {
        do {
            let code = try await command.get()()
            if let failure = StandardStream.output.failure {
                throw CommandError(output: failure)
            }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            didFail(error)
            let help = error.code == .usage ? "; see “\(Command.helpCommandLine)”" : ""
            Log(environment: environment).error("\(Command.program): \(error.message)\(help)")
            return error.code.rawValue
        }
    }
}

extension CommandProtocol {
    /// What prints the help for the command of this process: `apod-mirror help run`.
    fileprivate static var helpCommandLine: String {
        let general = "\(program) \(help.rawValue)"
        guard let word = processArguments().dropFirst().first,
            let command = Self(word: word), command != help
        else { return general }
        return "\(general) \(command.rawValue)"
    }
}
