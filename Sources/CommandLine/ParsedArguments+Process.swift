internal import Platform

extension ParsedArguments {
    /// Parses the arguments of this process, which has the variables `environment`.
    ///
    /// - Throws: ``CommandError`` naming the invalid argument, or the path that is not UTF-8: as text it would name
    ///   another file.
    package init(ofProcessIn environment: [String: String], context: Context) throws(CommandError) {
        var words: [String] = []
        for bytes in processArguments().dropFirst() {
            guard let word = String(validating: bytes, as: UTF8.self) else {
                let text = String(decoding: bytes, as: UTF8.self)
                throw Self.notText("the argument “\(text)”")
            }
            words.append(word)
        }
        try self.init(words, environment: environment, context: context)
        guard command != .help, command != .version else { return }
        for name in variablesThatAreNotText() where Self.mayNamePath(name) {
            throw Self.notText("\(name) = “\(environment[name] ?? "")”")
        }
        if currentDirectoryIsNotText() { throw Self.notText("the path of the current directory") }
    }

    private static func mayNamePath(_ variable: String) -> Bool {
        let directories = ["HOME", "STATE_DIRECTORY", "XDG_PICTURES_DIR", "XDG_STATE_HOME"]
        return variable.hasPrefix(Command.variablePrefix) || directories.contains(variable)
    }

    private static func notText(_ source: String) -> CommandError {
        .usage("\(source) is not UTF-8; rename it, or use another")
    }
}
