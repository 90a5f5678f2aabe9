internal import Platform

extension Option {
    /// The option `--all` of `help`.
    package static let all = Option(
        "all",
        summary: "also the options of a command that few people need, its variables and exit codes")
}

/// The commands that every program has.
extension ParsedArguments {
    /// Runs `PROGRAM help [--all] [COMMAND]`, or any command with `--help`.
    package func showHelp() throws(CommandError) -> ExitCode {
        let help = HelpText<Command>(style: TerminalStyle(environment: environment))
        let command = try operands.first.map(Self.command(named:))
        let text = try isOn(.all) ? help.full : help.brief
        StandardStream.output.write(styled: command.map(text) ?? help.ofProgram)
        return .done
    }

    /// Runs `PROGRAM version`.
    package static func showVersion() -> ExitCode {
        StandardStream.output.write("\(Command.program) \(Version.current)\n")
        return .done
    }
}
