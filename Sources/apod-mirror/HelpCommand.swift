import Platform

/// `apod-mirror help [COMMAND]`.
struct HelpCommand {
    private let verb: Verb?

    init(_ arguments: Arguments) throws(CommandError) {
        guard let word = arguments.operands.first else {
            verb = nil
            return
        }
        guard let verb = Verb(word: word) else {
            throw .usage("“\(word)” is no command of apod-mirror\(Verb.suggestion(for: word))")
        }
        self.verb = verb
    }

    func run() -> ExitCode {
        Output.standard.write(verb.map(HelpText.of) ?? HelpText.all)
        return .done
    }

    static func version() -> ExitCode {
        Output.standard.write("apod-mirror \(HelpText.version)\n")
        return .done
    }
}
