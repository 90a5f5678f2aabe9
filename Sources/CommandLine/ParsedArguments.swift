/// The parsed arguments of a program: `PROGRAM COMMAND [OPTION]... [OPERAND]...`.
///
/// An option on the command line overrides its variable. `Context` is the program's own data for its
/// commands.
package struct ParsedArguments<Command: CommandProtocol, Context: Sendable>: Sendable {
    package typealias Option = Command.Option

    package private(set) var command: Command
    package private(set) var operands: [String] = []
    /// The environment of the process.
    package var environment: [String: String]
    package var context: Context
    private var given: [Option: String] = [:]

    /// Parses `words`, the arguments without the name of the program.
    ///
    /// - Throws: ``CommandError`` naming the invalid argument.
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
                given[option] = value
            } else {
                operands.append(word)
            }
        }
    }

    private static func option(
        _ word: String, rest: inout ArraySlice<String>, of command: Command
    ) throws(CommandError) -> (Option, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option(spelling: name), command.options.contains(option) else {
            let known = command.options.map(\.spelling) + ["--help"]
            let near = suggestion(for: name, among: known)
            throw .usage("unknown option “\(name)” of “\(command.rawValue)”\(near)")
        }
        guard let placeholder = option.placeholder else {
            return (option, parts.count == 2 ? String(parts[1]) : "yes")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw .usage("\(name) requires a value: \(placeholder)")
        }
        return (option, value)
    }

    private func checkOperands() throws(CommandError) {
        guard !command.operands.contains(operands.count) else { return }
        let extra = operands.dropFirst(command.operands.upperBound).first
        let problem =
            extra.map { "unexpected argument “\($0)”" }
            ?? "“\(command.rawValue)” requires an argument"
        throw .usage("\(problem); usage: \(command.usage)")
    }

    /// Rejects misspelled variables, those of earlier versions, and variables of options that have none; other
    /// unknown variables may belong to another program.
    private func checkVariables() throws(CommandError) {
        let prefix = Option.variablePrefix
        let known = (Option.allCases.compactMap(\.variable) + Option.otherVariables)
            .map { String($0.dropFirst(prefix.count)) }
        for name in environment.keys.sorted() where name.hasPrefix(prefix) {
            if Option.formerVariables.contains(name) {
                throw .usage("\(name) is no setting of \(Command.program) any more; remove it")
            }
            if let option = Option.allCases.first(where: {
                !$0.isSetting && $0.variableName == name
            }) {
                throw .usage(
                    "\(name) is no setting of \(Command.program): \(option.spelling) is an option only;"
                        + " remove the variable")
            }
            let word = String(name.dropFirst(prefix.count))
            guard !known.contains(word), let near = nearest(to: word, among: known) else {
                continue
            }
            throw .usage(
                "unknown variable \(name) of \(Command.program) (did you mean “\(prefix)\(near)”?)")
        }
    }

    /// The command named `word`.
    static func command(_ word: String) throws(CommandError) -> Command {
        if let command = Command(word: word) { return command }
        if let option = Option(spelling: String(word.prefix { $0 != "=" })) {
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
    /// The value of `option`, parsed by `parse`; `nil` if it is not set.
    ///
    /// - Throws: ``CommandError`` naming the option or variable and the expected value.
    package func value<Value>(
        _ option: Option, _ expected: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value? {
        guard let (source, text) = text(of: option) else { return nil }
        guard let value = parse(text) else {
            throw .usage("\(source): “\(text)” is not \(expected)")
        }
        return value
    }

    /// Replaces `current` by the value of `option`, parsed by `parse`, if it is set.
    ///
    /// - Throws: ``CommandError``, as ``value(_:_:_:)`` does.
    package func read<Value>(
        _ option: Option, _ expected: String, into current: inout Value,
        _ parse: (String) -> Value?
    ) throws(CommandError) {
        if let value = try value(option, expected, parse) { current = value }
    }

    /// Whether a switch is on.
    ///
    /// - Throws: ``CommandError`` if its value is neither yes nor no.
    package func isOn(
        _ option: Option, default defaultValue: Bool = false
    ) throws(CommandError) -> Bool {
        let values = [
            "yes": true, "true": true, "on": true, "1": true, "no": false, "false": false,
            "off": false, "0": false,
        ]
        return try value(option, "“yes” or “no”") { values[$0.lowercased()] } ?? defaultValue
    }

    /// Whether a switch is on that cannot be combined with `other`.
    ///
    /// - Throws: ``CommandError`` if a value is neither yes nor no, or if both are on.
    package func isOn(_ option: Option, without other: Option) throws(CommandError) -> Bool {
        guard try isOn(option) else { return false }
        guard try !isOn(other) else {
            throw .usage("\(option.spelling) and \(other.spelling) cannot be combined")
        }
        return true
    }

    /// Whether `option` is on the command line itself, rather than in the environment.
    package func isTyped(_ option: Option) -> Bool { given[option] != nil }

    /// The source of the value of `option`: the option or its variable.
    package func source(of option: Option) -> String {
        text(of: option)?.source ?? option.spelling
    }

    private func text(of option: Option) -> (source: String, text: String)? {
        if let text = given[option] { return (option.spelling, text) }
        // Variables are set for all commands: those without the option ignore it.
        guard command.options.contains(option), !command.typedOptions.contains(option) else {
            return nil
        }
        return option.variable.flatMap { name in self[name].map { (name, $0) } }
    }

    /// A variable of the environment; `nil` if it is not set or empty.
    package subscript(variable: String) -> String? {
        environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
