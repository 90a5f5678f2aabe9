internal import Platform

/// The text of `help` and `--help`, which ``ParsedArguments/showHelp()`` prints: for the program, or for one command.
///
/// It is made from the descriptions of the commands and their options, see ``CommandProtocol``.
struct HelpText<Command: CommandProtocol> {
    let style: TerminalStyle

    /// The help of the program: all commands and exit codes.
    var ofProgram: TerminalText {
        let names = Command.allCases.map { "\(Command.program) \($0.rawValue)" }
        let columns = HelpColumns(beside: names)
        let commands = zip(names, Command.allCases).map { name, command in
            columns.row(name, shownAs: style(name, .bold), [command.summary])
        }
        let codes = Set(Command.allCases.flatMap(\.exitCodes))
        let meanings = ExitCode.allCases.filter(codes.contains).map {
            "\($0.rawValue) \($0.meaning)"
        }
        return """
            \(HelpColumns.wrapped(Command.purpose))

            \(commands.joined())
            \(HelpColumns.wrapped(Command.notes))

            \(HelpColumns.wrapped("Exit codes: \(meanings.joined(separator: "; "))."))

            """
    }

    /// The help of `command` with its common options, which fits a terminal of 24 lines; without such, the ``full(_:)`` help.
    func brief(_ command: Command) -> TerminalText {
        guard !command.commonOptions.isEmpty else { return full(command) }
        let rows = command.commonOptions.map {
            HelpColumns.options.row(Self.name(of: $0), [$0.summary])
        }
        let more =
            "All options, variables, examples and exit codes: "
            + "\(Command.program) \(Command.help.rawValue) \(command.rawValue) \(Option.all.spelling)"
        return Self.joined([
            start(of: command), section("Common options", rows), "\(HelpColumns.wrapped(more))\n",
        ])
    }

    /// The help of `command` with everything: options with variables and default values, examples, exit codes.
    func full(_ command: Command) -> TerminalText {
        let advanced = command.options.filter { $0.scope == .advancedSetting }
        let ordinary = command.options.filter { $0.scope != .advancedSetting }
        let examples = command.examples.map { (word: $0.command, meaning: $0.effect) }
        let codes = command.exitCodes.map {
            (word: "\($0.rawValue)", meaning: command.meaning(of: $0))
        }
        return Self.joined([
            start(of: command),
            command.details.flatMap(table),
            section("Options", ordinary.map(row)),
            section("Advanced options", advanced.map(row)),
            table(HelpTable(title: "Examples", rows: examples)),
            table(HelpTable(title: "Exit codes", rows: codes)),
        ])
    }

    // MARK: Parts

    private static func joined(_ parts: [TerminalText?]) -> TerminalText {
        parts.compactMap(\.self).joined(separator: "\n")
    }

    /// The usage and the purpose of a command.
    private func start(of command: Command) -> TerminalText {
        let options = command.options.isEmpty ? [] : ["[OPTION]..."]
        let usage = [Command.program, command.rawValue] + options + command.operands.words
        return """
            \(HelpColumns.wrapped(usage.joined(separator: " "), indent: 4))

            \(HelpColumns.wrapped(command.summary))

            """
    }

    /// `rows` below a title; `nil` if there are no rows.
    private func section(_ title: String, _ rows: [TerminalText]) -> TerminalText? {
        rows.isEmpty ? nil : "\(style("\(title):", .bold))\n\(rows.joined())"
    }

    private func table(_ table: HelpTable) -> TerminalText? {
        let columns = HelpColumns(beside: table.rows.map(\.word))
        return section(table.title, table.rows.map { columns.row($0.word, [$0.meaning]) })
    }

    private func row(_ option: Option) -> TerminalText {
        let settings = [
            Command.variable(of: option), option.value?.defaultText.map { "default: \($0)" },
        ].compactMap(\.self)
        return HelpColumns.options.row(
            Self.name(of: option), [option.summary, settings.joined(separator: "; ")])
    }

    private static func name(of option: Option) -> String {
        option.spellings.joined(separator: ", ") + option.valueInHelp
    }
}
