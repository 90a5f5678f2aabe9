internal import Platform

extension ParsedArguments {
    /// Parses the arguments of this process, which has the variables `environment`.
    ///
    /// - Throws: ``CommandError`` naming the invalid argument, or the path that is not UTF-8: as text it would name
    ///   another file; also if a service manager waits for a process without arguments, which would print its help.
    package init(ofProcessIn environment: [String: String], context: Context) throws(CommandError) {
        let words = Array(processArguments().dropFirst())
        if words.isEmpty, ServiceManager(environment: environment).isPresent {
            throw .usage("a service needs a command, such as “run”: check ExecStart= of its unit")
        }
        for word in words { try Self.checkIsText(word, "the argument") }
        try self.init(words, environment: environment, context: context)
        guard command != .help, command != .version else { return }
        for (name, value) in environment where Self.mayNamePath(name) {
            try Self.checkIsText(value, "\(name) =")
        }
    }

    /// Whether the program may take the value of `variable` for a path.
    private static func mayNamePath(_ variable: String) -> Bool {
        let directories = ["HOME", "STATE_DIRECTORY", "XDG_PICTURES_DIR", "XDG_STATE_HOME"]
        return variable.hasPrefix(Command.variablePrefix) || directories.contains(variable)
    }

    /// Checks that `text`, which comes from `source`, was UTF-8: Swift has put U+FFFD in place of what was not.
    private static func checkIsText(_ text: String, _ source: String) throws(CommandError) {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return }
        throw .usage("\(source) “\(text)” is not UTF-8; rename it, or use another")
    }
}
