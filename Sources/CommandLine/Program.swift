internal import Platform

/// A command with its arguments, ready to run.
package typealias PreparedCommand = @Sendable () async throws -> ExitCode

/// Runs the command that `prepare` returns, and ends the process with the exit code of the command.
///
/// `prepare` parses the arguments before other threads start. If it or the command fails, `didFail` receives the error, and
/// the error is printed: `apod-mirror: --json and --path cannot be combined; see “apod-mirror help search”`.
package func runProgram<Command: CommandProtocol>(
    _ commands: Command.Type, environment: [String: String],
    _ prepare: () throws -> PreparedCommand,
    didFail: @escaping @Sendable (CommandError) -> Void = { _ in }
) -> Never {
    let prepared = Result { try prepare() }
    runProcess {
        do {
            let command = try prepared.get()
            let code = try await command()
            // If output was lost, that is an error, even if the command did its work. The output may be on another disk than the
            // mirror, so that the advice for a full disk would be wrong.
            if let failure = StandardStream.output.failure {
                throw CommandError(
                    "\(failure); send the output to another place",
                    failure.isNoSpace ? .noSpace : .failure)
            }
            return code.rawValue
        } catch {
            let error = CommandError(error)
            didFail(error)
            let hint = error.code == .usage ? "; see “\(Command.helpCommandLine)”" : ""
            Log(environment: environment).error("\(Command.program): \(error.message)\(hint)")
            return error.code.rawValue
        }
    }
}

extension CommandProtocol {
    /// The command line that prints the help of the command of this process: `apod-mirror help run`.
    ///
    /// It is `apod-mirror help` if the first argument of this process is no command, or is `help`.
    fileprivate static var helpCommandLine: String {
        let generalHelp = "\(program) \(help.rawValue)"
        guard let word = processArguments().dropFirst().first,
            let command = Self(word: word), command != help
        else { return generalHelp }
        return "\(generalHelp) \(command.rawValue)"
    }
}
