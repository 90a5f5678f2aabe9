internal import Platform

extension ParsedArguments {
    /// Parses the arguments of this process, which has the variables `environment`.
    ///
    /// - Throws: ``CommandError`` naming the invalid argument, or the argument or variable that is not UTF-8: as
    ///   text it would name another file.
    package init(
        ofProcessIn environment: [String: String], context: Context
    ) throws(CommandError) {
        let words = try Self.texts(of: processArguments().dropFirst())
        try self.init(words, environment: environment, context: context)
        guard command != .help, command != .version else { return }
        try Self.checkText(ofVariables: variablesThatAreNotText(), in: environment)
    }

    private static func texts(
        of words: ArraySlice<[UInt8]>
    ) throws(CommandError) -> [String] {
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw notText(String(decoding: word, as: UTF8.self), after: texts)
            }
            texts.append(text)
        }
        return texts
    }

    private static func notText(_ word: String, after words: [String]) -> CommandError {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        if parts.count == 2, parts[0].hasPrefix("--") { return notText(parts[1], of: parts[0]) }
        if let last = words.last, last.hasPrefix("--"), !last.contains("=") {
            return notText(word, of: last)
        }
        let command = words.first.flatMap { Command(word: $0) }
        return notText(word, of: "argument", command?.substitute(after: words))
    }

    private static func notText(
        _ text: String, of source: String, _ substitute: String? = nil
    ) -> CommandError {
        .usage("\(source): “\(text)” is not UTF-8; use \(substitute ?? Command.anotherName)")
    }

    /// Rejects variables that name directories and are not UTF-8.
    private static func checkText(
        ofVariables names: [String], in environment: [String: String]
    ) throws(CommandError) {
        let directories = [
            "CREDENTIALS_DIRECTORY", "HOME", "STATE_DIRECTORY", "XDG_PICTURES_DIR",
            "XDG_STATE_HOME",
        ]
        for name in names.sorted()
        where name.hasPrefix(Option.variablePrefix) || directories.contains(name) {
            throw notText(environment[name] ?? "", of: name)
        }
    }
}
