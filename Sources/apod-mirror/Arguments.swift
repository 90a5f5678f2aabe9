import Platform

/// The words of a command line, sorted: `apod-mirror VERB [OPTION]... [OPERAND]...`.
///
/// What is asked of an option is answered by the command line, else by its variable.
struct Arguments {
    private(set) var verb: Verb
    private(set) var operands: [String] = []
    private var given: [Option: String] = [:]
    private(set) var processEnvironment: [String: String]
    /// What ``takeMirror()`` found.
    private var choice: MirrorChoice?

    /// - Parameters:
    ///   - words: Without the name of the program.
    ///   - environment: The variables of the process: each option is one, too.
    /// - Throws: ``CommandError`` naming the word that is not understood.
    init(_ words: [String], environment: [String: String]) throws(CommandError) {
        processEnvironment = environment
        var words = words[...]
        let first = words.popFirst() ?? "help"
        guard let verb = Verb(word: first) else { throw Self.isNoVerb(first) }
        self.verb = verb
        try take(words)
        try checkOperands()
        if ![.help, .version].contains(self.verb) { try checkVariables() }
    }

    private mutating func take(_ words: ArraySlice<String>) throws(CommandError) {
        var words = words
        var takesOptions = true
        while let word = words.popFirst() {
            if word == "--", takesOptions {
                takesOptions = false
            } else if takesOptions, ["-h", "--help"].contains(word) {
                (verb, operands) = (.help, [verb.rawValue])
                return
            } else if takesOptions, word.hasPrefix("-"), word != "-" {
                let (option, value) = try Self.option(word, rest: &words, of: verb)
                given[option] = value
            } else {
                operands.append(word)
            }
        }
    }

    private static func option(
        _ word: String, rest: inout ArraySlice<String>, of verb: Verb
    ) throws(CommandError) -> (Option, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option(spelling: name), verb.options.contains(option) else {
            let known = verb.options.map(\.spelling) + ["--help"]
            throw .usage(
                "“\(name)” is no option of “\(verb.rawValue)”\(suggestion(for: name, among: known))"
            )
        }
        guard let placeholder = option.placeholder else {
            guard parts.count == 1 else { throw .usage("\(name) takes no value") }
            return (option, "yes")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw .usage("\(name) needs a value: \(placeholder)")
        }
        return (option, value)
    }

    private func checkOperands() throws(CommandError) {
        guard !verb.operands.contains(operands.count) else { return }
        let extra = operands.dropFirst(verb.operands.upperBound).first
        throw .usage(
            "“\(verb.rawValue)” \(extra.map { "has no use for “\($0)”" } ?? "needs a word"):"
                + " \(verb.usage)")
    }

    /// A variable that is nearly one of ours is a mistake; others may belong to somebody else.
    private func checkVariables() throws(CommandError) {
        let prefix = Option.variablePrefix
        let known = (Option.allCases.map(\.variable) + [APIKey.variable])
            .map { String($0.dropFirst(prefix.count)) }
        for name in processEnvironment.keys.sorted() where name.hasPrefix(prefix) {
            let word = String(name.dropFirst(prefix.count))
            guard !known.contains(word), let near = nearest(to: word, among: known) else {
                continue
            }
            throw .usage("\(name) is no setting of apod-mirror (did you mean “\(prefix)\(near)”?)")
        }
    }

    static func isNoVerb(_ word: String) -> CommandError {
        if let option = Option(spelling: String(word.prefix { $0 != "=" })) {
            return .usage(
                "“\(option.spelling)” comes after a command: apod-mirror COMMAND \(option.spelling)"
            )
        }
        let near = suggestion(for: word, among: Verb.allCases.map(\.rawValue))
        return .usage("“\(word)” is no command of apod-mirror\(near)")
    }
}

// MARK: The mirror

extension Arguments {
    /// The mirror that the command is about.
    ///
    /// - Throws: ``CommandError`` where nothing says where it is.
    func mirror() throws(CommandError) -> MirrorChoice {
        if let choice { return choice }
        return try MirrorChoice(self)
    }

    /// Chooses the mirror and becomes its owner where this is root's process: to be called before
    /// anything in it is opened.
    mutating func takeMirror() throws(CommandError) {
        guard verb.options.contains(.root) || verb == .demo && !operands.isEmpty else { return }
        let mirror = try mirror()
        choice = mirror
        try mirror.actAsOwner(&processEnvironment)
    }

    /// Says which mirror is used where nobody named one: to be called when the arguments are checked.
    ///
    /// Not where the output is for a program. The daemon, `status` and `doctor` name it anyway.
    func nameFoundMirror() throws(CommandError) {
        let mirror = try mirror()
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(.quiet))
        guard mirror.isFound, !isJSON, !isQuiet else { return }
        Output.error.write("using the mirror in \(mirror.root)\n")
    }
}

// MARK: Values

extension Arguments {
    /// The value of `option`, read by `parse`; `nil` where it is given nowhere.
    ///
    /// - Throws: ``CommandError`` naming where the value came from and what it should be.
    func value<Value>(
        _ option: Option, _ expected: String, _ parse: (String) -> Value?
    ) throws(CommandError) -> Value? {
        guard let (source, text) = text(of: option) else { return nil }
        guard let value = parse(text) else {
            throw .usage("\(source): “\(text)” is not \(expected)")
        }
        return value
    }

    /// Whether `option` was typed, rather than set in the environment.
    func isTyped(_ option: Option) -> Bool { given[option] != nil }

    /// Whether a switch is on.
    ///
    /// - Throws: ``CommandError`` where its variable says neither yes nor no.
    func isOn(_ option: Option) throws(CommandError) -> Bool {
        let answers = [
            "yes": true, "true": true, "on": true, "1": true, "no": false, "false": false,
            "off": false, "0": false,
        ]
        return try value(option, "“yes” or “no”") { answers[$0.lowercased()] } ?? false
    }

    /// Whether `option` is on the command line itself.
    func isGiven(_ option: Option) -> Bool { given[option] != nil }

    /// What names `option` where it was given: the option or its variable.
    func source(of option: Option) -> String { text(of: option)?.source ?? option.spelling }

    private func text(of option: Option) -> (source: String, text: String)? {
        if let text = given[option] { return (option.spelling, text) }
        // What is set for the daemon says nothing to a command that has no such option.
        guard verb.options.contains(option) else { return nil }
        return self[option.variable].map { (option.variable, $0) }
    }

    /// A variable of the environment, `nil` where it is not set or empty.
    subscript(variable: String) -> String? {
        processEnvironment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
}
