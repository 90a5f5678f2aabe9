/// The parsed arguments of a program: `PROGRAM COMMAND [OPTION]... [OPERAND]...`.
///
/// An option on the command line overrides its variable. Short options cannot be joined, and a word that begins with a
/// dash is an option unless `--` precedes it. `Context` is what the program adds for its commands.
package struct ParsedArguments<Command: CommandProtocol, Context: Sendable>: Sendable {
    package private(set) var command: Command
    package private(set) var operands: [String] = []
    package var environment: [String: String]
    package var context: Context
    /// The values of the options on the command line, as they were typed.
    private var typed: [Option: String] = [:]
    /// The value of a switch that is typed without one.
    private static var switchedOn: String { "yes" }

    /// Parses `words`, the arguments after the name of the program; an error names the invalid one.
    package init(
        _ words: [String], environment: [String: String], context: Context
    ) throws(CommandError) {
        self.environment = environment
        self.context = context
        var words = words[...]
        let first = words.popFirst() ?? Command.help.rawValue
        command = try Self.command(first)
        try parse(words)
        try checkOperands()
        if command != .help, command != .version { try checkVariables() }
    }

    /// Sorts `words` into options and operands; `--help` among them turns the command into `help`.
    private mutating func parse(_ words: ArraySlice<String>) throws(CommandError) {
        var words = words
        var takesOptions = true
        while let word = words.popFirst() {
            if word == "--", takesOptions {
                takesOptions = false
            } else if takesOptions, ["-h", "--help"].contains(word) {
                (command, operands) = (.help, [command.rawValue])
                return
            } else if takesOptions, word.hasPrefix("-"), word != "-" {
                let (option, value) = try Self.option(word, rest: &words, of: command)
                typed[option] = value
            } else {
                operands.append(word)
            }
        }
    }

    /// The option that `word` names, and its value: what follows `=`, else the first of `rest`, which is removed there.
    private static func option(
        _ word: String, rest: inout ArraySlice<String>, of command: Command
    ) throws(CommandError) -> (Option, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.options.first(where: { $0.spellings.contains(name) }) else {
            let known = command.options.map(\.spelling) + ["--help"]
            let near = suggestion(for: name, among: known)
            throw .usage("unknown option “\(name)” of “\(command.rawValue)”\(near)")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = option.value else { return (option, switchedOn) }
        guard let text = rest.popFirst() else {
            throw .usage("\(name) requires a value: \(value.placeholder)")
        }
        return (option, text)
    }

    private func checkOperands() throws(CommandError) {
        let allowed = command.operands.count
        guard !allowed.contains(operands.count) else { return }
        let extra = operands.dropFirst(allowed.upperBound).first
        let problem =
            extra.map { "unexpected argument “\($0)”" }
            ?? "“\(command.rawValue)” requires an argument"
        throw .usage("\(problem); usage: \(command.usage)")
    }

    /// Rejects misspelled variables, and those of options that have none.
    ///
    /// A variable that resembles no other is accepted: another program or a later version may read it.
    private func checkVariables() throws(CommandError) {
        let prefix = Command.variablePrefix
        let options = Command.allOptions
        let known = options.compactMap(Command.variable).map {
            String($0.dropFirst(prefix.count))
        }
        for name in environment.keys.sorted() where name.hasPrefix(prefix) {
            let word = String(name.dropFirst(prefix.count))
            guard !known.contains(word) else { continue }
            if let option = options.first(where: { $0.variableName(prefix) == name }) {
                throw .usage(
                    "\(name) is no setting of \(Command.program): \(option.spelling) is an option only;"
                        + " remove the variable")
            }
            guard let near = nearest(to: word, among: known) else { continue }
            throw .usage(
                "unknown variable \(name) of \(Command.program) (did you mean “\(prefix)\(near)”?)")
        }
    }

    /// The command that `word` names; an error says what was probably meant.
    static func command(_ word: String) throws(CommandError) -> Command {
        if let command = Command(word: word) { return command }
        let spelling = String(word.prefix { $0 != "=" })
        if let option = Command.allOptions.first(where: { $0.spellings.contains(spelling) }) {
            throw .usage(
                "“\(option.spelling)” must follow a command; usage:"
                    + " \(Command.program) COMMAND \(option.spelling)")
        }
        let near = suggestion(for: word, among: Command.allCases.map(\.rawValue))
        throw .usage("unknown command “\(word)” of \(Command.program)\(near)")
    }
}

// MARK: Values

extension ParsedArguments {
    /// The value of `option`, parsed by `parse`, `nil` if it is not set; an error names the `expected` value.
    package func value<Value>(
        _ option: Option, _ expected: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value? {
        guard let (source, text) = text(of: option) else { return nil }
        guard let value = parse(text) else {
            throw .usage("\(source): “\(text)” is not \(expected)")
        }
        return value
    }

    /// Whether a switch is on; an error if its value is neither yes nor no.
    package func isOn(_ option: Option) throws(CommandError) -> Bool {
        try value(option, Bool.expected, Bool.init(argument:)) ?? false
    }

    /// What the switch of `choices` that is on stands for, else `standard`; it is an error if two are on.
    package func choice<Meaning>(
        _ choices: KeyValuePairs<Option, Meaning>, else standard: Meaning
    ) throws(CommandError) -> Meaning {
        var chosen: [(option: Option, meaning: Meaning)] = []
        for (option, meaning) in choices where try isOn(option) { chosen.append((option, meaning)) }
        guard chosen.count < 2 else {
            throw .usage(
                "\(chosen[0].option.spelling) and \(chosen[1].option.spelling) cannot be combined")
        }
        return chosen.first?.meaning ?? standard
    }

    /// Whether `option` is on the command line itself, rather than in the environment.
    package func isTyped(_ option: Option) -> Bool { typed[option] != nil }

    /// The value of `option` as typed, and its source: the option or its variable; `nil` if it is not set.
    package func text(of option: Option) -> (source: String, text: String)? {
        if let text = typed[option] { return (option.spelling, text) }
        // Variables are set for all commands: those without the setting ignore it.
        guard command.options.contains(where: { $0 == option && $0.isSetting }) else { return nil }
        return Command.variable(of: option).flatMap { name in self[name].map { (name, $0) } }
    }

    /// A variable of the environment; `nil` if it is not set or empty.
    package subscript(variable: String) -> String? {
        environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Bool {
    /// What ``init(argument:)`` accepts, for an error.
    package static var expected: String { "“yes” or “no”" }

    /// Parses the value of a switch.
    package init?(argument text: String) {
        switch text.lowercased() {
        case "yes", "true", "on", "1": self = true
        case "no", "false", "off", "0": self = false
        default: return nil
        }
    }
}
