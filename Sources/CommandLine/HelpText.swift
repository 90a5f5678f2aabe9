internal import Platform

/// The text of `help` and `--help`, which ``ParsedArguments/showHelp()`` prints.
struct HelpText<Command: CommandProtocol> {
    let style: TerminalStyle

    /// All commands of the program and their exit codes.
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

    /// The common options of `command`, in at most 24 lines; the ``whole(_:)`` help of a command that has none.
    func brief(_ command: Command) -> TerminalText {
        guard !command.commonOptions.isEmpty else { return whole(command) }
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

    /// Everything about `command`: options with variables and default values, examples, exit codes.
    func whole(_ command: Command) -> TerminalText {
        let advanced = command.options.filter { $0.scope == .advancedSetting }
        let ordinary = command.options.filter { $0.scope != .advancedSetting }
        let codes = command.exitCodes.map { ("\($0.rawValue)", command.meaning(of: $0)) }
        return Self.joined([
            start(of: command),
            command.details.flatMap { details in
                table(details.title, details.rows.map { ($0.word, $0.meaning) })
            },
            section("Options", ordinary.map(row)),
            section("Advanced options", advanced.map(row)),
            table("Examples", command.examples.map { ($0, $1) }),
            table("Exit codes", codes),
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

    /// `rows` below a title; `nil` without rows.
    private func section(_ title: String, _ rows: [TerminalText]) -> TerminalText? {
        rows.isEmpty ? nil : "\(style("\(title):", .bold))\n\(rows.joined())"
    }

    private func table(_ title: String, _ rows: [(String, String)]) -> TerminalText? {
        let columns = HelpColumns(beside: rows.map(\.0))
        return section(title, rows.map { columns.row($0, [$1]) })
    }

    private func row(_ option: Option) -> TerminalText {
        let settings = [
            Command.variable(of: option), option.value?.standard.map { "default: \($0)" },
        ].compactMap(\.self)
        return HelpColumns.options.row(
            Self.name(of: option), [option.summary, settings.joined(separator: "; ")])
    }

    private static func name(of option: Option) -> String {
        option.spellings.joined(separator: ", ") + option.valueInHelp
    }
}

/// The columns of a table of the help: `  --since 30d  oldest day to mirror: …`, within 80 characters.
private struct HelpColumns {
    private static let width = 80
    /// The blanks before and between the columns.
    private static let margin = 2
    /// The column at which the sentences start.
    private let start: Int

    /// The columns for options; most of their names are shorter.
    static let options = HelpColumns(start: 25)

    private init(start: Int) { self.start = start }

    /// The narrowest columns for `names`; if the names are very long, the sentences stand below them.
    init(beside names: [String]) {
        let needed = 2 * Self.margin + (names.map(\.count).max() ?? 0)
        self.init(start: needed > 36 ? 6 : needed)
    }

    /// A row with a line for each paragraph; the first paragraph stands below a name that is too long.
    func row(
        _ name: String, shownAs styledName: TerminalText? = nil, _ paragraphs: [String]
    ) -> TerminalText {
        let isTooLong = name.count + 2 * Self.margin > start
        let indent = String(repeating: " ", count: start)
        let space = isTooLong ? "\n\(indent)" : String(indent.dropFirst(name.count + Self.margin))
        let lines = paragraphs.filter { !$0.isEmpty }.map { Self.wrapped($0, indent: start) }
        return "  \(styledName ?? "\(name)")\(space)\(lines.joined(separator: "\n\(indent)"))\n"
    }

    /// Wraps `text` to 80 columns; each line but the first begins with `indent` blanks.
    static func wrapped(_ text: String, indent: Int = 0) -> String {
        text.wrapped(to: width - indent)
            .joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension StringProtocol {
    /// Breaks the text at blanks into lines of at most `width` characters; a longer word has its own line.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        for word in split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

// MARK: Commands

extension Option {
    /// The option of `help`.
    package static let all = Option(
        "all", "also the options of a command that few people need, its variables and exit codes")
}

extension ParsedArguments {
    /// `PROGRAM help [--all] [COMMAND]`, and `--help` after any command.
    package func showHelp() throws(CommandError) -> ExitCode {
        let help = HelpText<Command>(style: TerminalStyle(environment: environment))
        let command = try operands.first.map(Self.command(named:))
        let text = try isOn(.all) ? help.whole : help.brief
        StandardStream.output.write(styled: command.map(text) ?? help.ofProgram)
        return .done
    }

    /// `PROGRAM version`.
    package static func showVersion() -> ExitCode {
        StandardStream.output.write("\(Command.program) \(Version.current)\n")
        return .done
    }
}
