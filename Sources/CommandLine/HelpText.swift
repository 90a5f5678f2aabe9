internal import Platform

/// The text of `help` and `--help`, 80 columns wide.
struct HelpText<Command: CommandProtocol> {
    let style: TerminalStyle

    /// The help of the program: all commands and exit codes.
    var all: TerminalText {
        let names = Command.allCases.map { "\(Command.program) \($0.rawValue)" }
        let column = Self.column(beside: names)
        let commands = zip(names, Command.allCases).map { name, command in
            row(name, [command.summary], at: column, .bold)
        }
        let codes = Set(Command.allCases.flatMap(\.exitCodes))
        let meanings = ExitCode.allCases.filter(codes.contains).map {
            "\($0.rawValue) \($0.meaning)"
        }
        return """
            \(Self.wrapped(Command.purpose))

            \(commands.joined())
            \(Self.wrapped(Command.notes))

            \(Self.wrapped("Exit codes: \(meanings.joined(separator: "; "))."))

            """
    }

    /// The help of a command in at most 24 lines, where it has common options; else the whole.
    func summary(of command: Command) -> TerminalText {
        guard !command.commonOptions.isEmpty else { return text(of: command) }
        let rows = command.commonOptions.map {
            row(Self.name(of: $0), [$0.summary], at: Self.optionColumn)
        }
        let more =
            "\(Command.program) \(Command.help.rawValue) \(command.rawValue) \(Option.all.spelling)"
        return [
            start(of: command), heading("Common options") + rows.joined(),
            "\(Self.wrapped("All options, variables, examples and exit codes: \(more)"))\n",
        ].joined(separator: "\n")
    }

    /// The usage and the purpose of a command.
    private func start(of command: Command) -> TerminalText {
        var synopsis = [Command.program, command.rawValue]
        if !command.options.isEmpty { synopsis.append("[OPTION]...") }
        let usage = (synopsis + command.words).joined(separator: " ")
        return "\(Self.wrapped(usage, indent: 4))\n\n\(Self.wrapped(command.summary))\n"
    }

    /// The help of a command: options with variables and default values, examples, exit codes.
    func text(of command: Command) -> TerminalText {
        var parts = [start(of: command)]
        if let details = command.details { parts.append(section(details.title, details.rows)) }
        for (title, isAdvanced) in [("Options", false), ("Advanced options", true)] {
            let rows = command.options.filter { $0.isAdvanced == isAdvanced }.map(row)
            if !rows.isEmpty { parts.append("\(heading(title))\(rows.joined())") }
        }
        if !command.examples.isEmpty {
            parts.append(section("Examples", command.examples.map { ($0, $1) }))
        }
        let codes = command.exitCodes.map { ("\($0.rawValue)", command.meaning(of: $0)) }
        parts.append(section("Exit codes", codes))
        return parts.joined(separator: "\n")
    }

    // MARK: Layout

    // Computed, because a generic type has no stored static properties.

    private static var width: Int { 80 }
    /// The blanks before and between the columns.
    private static var margin: Int { 2 }
    /// The maximum start of the second column; in a table that needs more, each row has two lines.
    private static var lastColumn: Int { 36 }
    /// The start of the second column where rows have two lines.
    private static var narrowColumn: Int { 6 }
    /// The start of the second column of options; most have shorter names.
    private static var optionColumn: Int { 25 }

    /// The start of a second column beside these texts.
    private static func column(beside left: [String]) -> Int {
        2 * margin + (left.map(\.count).max() ?? 0)
    }

    private func heading(_ text: String) -> TerminalText { "\(style("\(text):", .bold))\n" }

    private func section(_ title: String, _ rows: [(String, String)]) -> TerminalText {
        let needed = Self.column(beside: rows.map(\.0))
        let column = needed > Self.lastColumn ? Self.narrowColumn : needed
        return heading(title) + rows.map { row($0, [$1], at: column) }.joined()
    }

    private static func name(of option: Option) -> String {
        option.spellings.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? "")
    }

    private func row(_ option: Option) -> TerminalText {
        let value = option.defaultValue.map { "default: \($0)" }
        let settings = [Command.variable(of: option), value].compactMap(\.self)
        let right = [option.summary, settings.joined(separator: "; ")]
        return row(Self.name(of: option), right, at: Self.optionColumn)
    }

    /// A row of two columns; each paragraph of the right one begins a line, the first one below a wide `left`.
    private func row(
        _ left: String, _ right: [String], at column: Int, _ style: TerminalStyle.Style? = nil
    ) -> TerminalText {
        let isWide = left.count + 2 * Self.margin > column
        let space = String(
            repeating: " ", count: isWide ? column : column - left.count - Self.margin)
        let name: TerminalText = style.map { self.style(left, $0) } ?? "\(left)"
        let paragraphs = right.filter { !$0.isEmpty }.map { Self.wrapped($0, indent: column) }
            .joined(separator: "\n" + String(repeating: " ", count: column))
        return "  \(name)\(isWide ? "\n" : "")\(space)\(paragraphs)\n"
    }

    /// Wraps `text` at spaces to 80 columns; indents all lines but the first.
    private static func wrapped(_ text: String, indent: Int = 0) -> String {
        text.wrapped(to: width - indent)
            .joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension StringProtocol {
    /// The words in lines of at most `width` characters; a longer word has a line of its own.
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
    /// Of `help`.
    package static let all = Option(
        "all", "also the options of a command that few people need, its variables and exit codes")
}

extension ParsedArguments {
    /// `PROGRAM help [--all] [COMMAND]`, and `--help` after any command.
    package func showHelp() throws(CommandError) -> ExitCode {
        let help = HelpText<Command>(style: TerminalStyle(environment: environment))
        let command = try operands.first.map(Self.command)
        let text = try isOn(.all) ? help.text : help.summary
        StandardStream.output.write(styled: command.map(text) ?? help.all)
        return .done
    }

    /// `PROGRAM version`.
    package static func showVersion() -> ExitCode {
        StandardStream.output.write("\(Command.program) \(Version.current)\n")
        return .done
    }
}
