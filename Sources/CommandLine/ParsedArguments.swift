internal import Platform

/// The parsed arguments of a program: `PROGRAM COMMAND [OPTION]... [OPERAND]...`.
///
/// An option on the command line overrides its environment variable: `--min-free 2GiB` or `--min-free=2GiB` overrides
/// `APOD_MIRROR_MIN_FREE=1GiB`. Short options cannot be joined. A word that begins with a dash is an option, unless `--`
/// precedes it. `Context` is a type of the program for values that all its commands need.
package struct ParsedArguments<Command: CommandProtocol, Context: Sendable>: Sendable {
    /// The command that the first word names, or `help` if `--help` follows it.
    package private(set) var command: Command
    package private(set) var operands: [String] = []
    package let environment: [String: String]
    package var context: Context
    /// The values of the options on the command line, as they were typed.
    private var typedValues: [Option: String] = [:]

    /// Parses `words`, the arguments after the name of the program; an error names the invalid argument.
    package init(
        _ words: [String], environment: [String: String], context: Context
    ) throws(CommandError) {
        self.environment = environment
        self.context = context
        var words = words[...]
        command = try Self.command(named: words.popFirst() ?? Command.help.rawValue)
        try parse(words)
        try checkOperandCount()
        if command != .help, command != .version { try checkVariables() }
    }

    /// Parses the arguments of this process, which has the variables `environment`.
    ///
    /// - Throws: ``CommandError`` for an invalid argument, and for an argument or a path that is not UTF-8, because its text
    ///   in Swift would name another file; also for a service without arguments, which would only print the help.
    package init(ofProcessIn environment: [String: String], context: Context) throws(CommandError) {
        let words = Array(processArguments().dropFirst())
        if words.isEmpty, ServiceManager(environment: environment).isPresent {
            throw .usage("a service needs a command, such as “run”: check ExecStart= of its unit")
        }
        for word in words { try Self.checkIsUTF8(word, "the argument") }
        try self.init(words, environment: environment, context: context)
        guard command != .help, command != .version else { return }
        for (name, value) in environment where Self.mayNamePath(name) {
            try Self.checkIsUTF8(value, "\(name) =")
        }
    }

    // MARK: Parsing

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
                try parseOption(word, followedBy: &words)
            } else {
                operands.append(word)
            }
        }
    }

    /// Parses `--name=value`, or `--name`, whose value is the next word; that word is removed from `words`.
    private mutating func parseOption(
        _ word: String, followedBy words: inout ArraySlice<String>
    ) throws(CommandError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = command.options.first(where: { $0.spellings.contains(name) }) else {
            let known = command.options.map(\.spelling) + ["--help"]
            let suggestion = suggestion(for: name, among: known)
            throw .usage("unknown option “\(name)” of “\(command.rawValue)”\(suggestion)")
        }
        if parts.count == 2 {
            typedValues[option] = String(parts[1])
        } else if let value = option.value {
            guard let text = words.popFirst() else {
                throw .usage("\(name) requires a value: \(value.placeholder)")
            }
            typedValues[option] = text
        } else {
            // A switch without a value is on.
            typedValues[option] = "yes"
        }
    }

    /// Returns the command that `word` names; an error says what the user probably meant.
    static func command(named word: String) throws(CommandError) -> Command {
        if let command = Command(word: word) { return command }
        let spelling = String(word.prefix { $0 != "=" })
        if let option = Command.allOptions.first(where: { $0.spellings.contains(spelling) }) {
            throw .usage(
                "“\(option.spelling)” must follow a command; usage:"
                    + " \(Command.program) COMMAND \(option.spelling)")
        }
        let suggestion = suggestion(for: word, among: Command.allCases.map(\.rawValue))
        throw .usage("unknown command “\(word)” of \(Command.program)\(suggestion)")
    }

    // MARK: Checks

    private func checkOperandCount() throws(CommandError) {
        let allowed = command.operands.count
        guard !allowed.contains(operands.count) else { return }
        let problem =
            if let extra = operands.dropFirst(allowed.upperBound).first {
                "unexpected argument “\(extra)”"
            } else {
                "“\(command.rawValue)” requires an argument"
            }
        throw .usage("\(problem); usage: \(command.usage)")
    }

    /// Rejects environment variables whose names are misspelled, or are made from an option that is no setting.
    ///
    /// `APOD_MIRROR_SINSE` is an error. `APOD_MIRROR_COLOR`, which resembles no variable, may be one of another program.
    private func checkVariables() throws(CommandError) {
        let prefix = Command.variablePrefix
        let options = Command.allOptions
        let known = options.compactMap(Command.variable).map {
            String($0.dropFirst(prefix.count))
        }
        for name in environment.keys.sorted() where name.hasPrefix(prefix) {
            let word = String(name.dropFirst(prefix.count))
            guard !known.contains(word) else { continue }
            if let option = options.first(where: { $0.variableName(prefix: prefix) == name }) {
                throw .usage(
                    "\(name) is no setting of \(Command.program): \(option.spelling) is an option only;"
                        + " remove the variable")
            }
            guard let near = nearestWord(to: word, among: known) else { continue }
            throw .usage(
                "unknown variable \(name) of \(Command.program) (did you mean “\(prefix)\(near)”?)")
        }
    }

    /// Whether the program may take the value of `variable` for a path.
    private static func mayNamePath(_ variable: String) -> Bool {
        let directories = ["HOME", "STATE_DIRECTORY", "XDG_PICTURES_DIR", "XDG_STATE_HOME"]
        return variable.hasPrefix(Command.variablePrefix) || directories.contains(variable)
    }

    /// Checks that `text`, which comes from `source`, was UTF-8: Swift replaces other bytes by U+FFFD.
    private static func checkIsUTF8(_ text: String, _ source: String) throws(CommandError) {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return }
        throw .usage("\(source) “\(text)” is not UTF-8; rename it, or use another")
    }
}

// MARK: Values

extension ParsedArguments {
    /// Returns what `parse` makes of the value of `option`; `nil` if the option is not set.
    ///
    /// - Throws: If `parse` returns `nil`, a ``CommandError`` whose message ends with “is not” and the `expected` value.
    package func value<Value>(
        _ option: Option, _ expected: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value? {
        guard let (source, text) = text(of: option) else { return nil }
        guard let value = parse(text) else {
            throw .usage("\(source): “\(text)” is not \(expected)")
        }
        return value
    }

    /// Whether a switch is on; throws an error if its value is neither yes nor no.
    package func isOn(_ option: Option) throws(CommandError) -> Bool {
        try value(option, Bool.expected, Bool.init(argument:)) ?? false
    }

    /// Returns the meaning of the switch that is on, or `fallback` if none is on; throws an error if two are on.
    package func choice<Meaning>(
        _ choices: KeyValuePairs<Option, Meaning>, else fallback: Meaning
    ) throws(CommandError) -> Meaning {
        var chosen: [(option: Option, meaning: Meaning)] = []
        for (option, meaning) in choices where try isOn(option) { chosen.append((option, meaning)) }
        guard chosen.count < 2 else {
            throw .usage(
                "\(chosen[0].option.spelling) and \(chosen[1].option.spelling) cannot be combined")
        }
        return chosen.first?.meaning ?? fallback
    }

    /// Whether `option` is on the command line itself, rather than in the environment.
    package func isTyped(_ option: Option) -> Bool { typedValues[option] != nil }

    /// The value of `option`, and the option or variable that it comes from, for errors; `nil` if the option is not set.
    package func text(of option: Option) -> (source: String, text: String)? {
        if let text = typedValues[option] { return (option.spelling, text) }
        // Variables are set for all commands: a command without the setting ignores the variable of the setting.
        guard command.options.contains(where: { $0 == option && $0.isSetting }),
            let variable = Command.variable(of: option), let text = self[variable]
        else { return nil }
        return (variable, text)
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
