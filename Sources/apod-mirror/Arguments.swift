/// The words of a command line, sorted: `apod-mirror VERB [OPTION]... [OPERAND]...`.
struct Arguments {
    let verb: Verb
    let operands: [String]
    private let given: [Option: String]
    private let environment: [String: String]

    /// - Parameters:
    ///   - words: Without the name of the program.
    ///   - environment: The variables of the process: each option is one, too.
    /// - Throws: ``CommandError`` naming the word that is not understood.
    init(_ words: [String], environment: [String: String]) throws(CommandError) {
        self.environment = environment
        var words = words[...]
        let first = words.popFirst() ?? "help"
        guard let verb = Verb(word: first) else {
            throw .usage("“\(first)” is no command of apod-mirror\(Verb.suggestion(for: first))")
        }
        self.verb = verb
        var operands: [String] = []
        var given: [Option: String] = [:]
        var takesOptions = true
        while let word = words.popFirst() {
            if word == "--", takesOptions {
                takesOptions = false
            } else if takesOptions, word.hasPrefix("-"), word != "-" {
                let (option, value) = try Self.option(word, rest: &words, of: verb)
                given[option] = value
            } else {
                operands.append(word)
            }
        }
        self.operands = operands
        self.given = given
        guard verb.operands.contains(operands.count) else {
            let extra = operands.dropFirst(verb.operands.upperBound).first
            throw .usage(
                "“\(verb.rawValue)” \(extra.map { "has no use for “\($0)”" } ?? "needs a word"):"
                    + " \(verb.usage)")
        }
    }

    private static func option(
        _ word: String, rest: inout ArraySlice<String>, of verb: Verb
    ) throws(CommandError) -> (Option, String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = Option(spelling: name), verb.options.contains(option) else {
            let known = verb.options.map(\.spelling)
            throw .usage(
                "“\(name)” is no option of “\(verb.rawValue)”\(suggestion(for: name, among: known))"
            )
        }
        guard option.placeholder != nil else {
            guard parts.count == 1 else { throw .usage("\(name) takes no value") }
            return (option, "yes")
        }
        if parts.count == 2 { return (option, String(parts[1])) }
        guard let value = rest.popFirst() else {
            throw .usage("\(name) needs a value: \(option.placeholder ?? "")")
        }
        return (option, value)
    }

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

    /// Whether a switch is on, by option or by a variable other than `0`, `no`, `false` or nothing.
    func isOn(_ option: Option) -> Bool {
        guard let text = text(of: option)?.text else { return false }
        return !["", "0", "no", "false"].contains(text.lowercased())
    }

    private func text(of option: Option) -> (source: String, text: String)? {
        if let text = given[option] { return (option.spelling, text) }
        guard let variable = option.variable, let text = environment[variable], !text.isEmpty
        else { return nil }
        return (variable, text)
    }

    /// A variable of the environment, `nil` where it is not set or empty.
    subscript(variable: String) -> String? {
        environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    var processEnvironment: [String: String] { environment }
}

/// ` (did you mean …?)` where one of `known` is close to `word`.
func suggestion(for word: String, among known: [String]) -> String {
    let nearest = known.min { distance($0, word) < distance($1, word) }
    guard let nearest, distance(nearest, word) <= 2 else { return "" }
    return " (did you mean “\(nearest)”?)"
}

/// How many letters must be added, dropped or replaced to make one of the other.
private func distance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, b) in right.enumerated() {
            let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (a == b ? 0 : 1))
            diagonal = row[j + 1]
            row[j + 1] = cost
        }
    }
    return row[right.count]
}
