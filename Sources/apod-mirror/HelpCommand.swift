import Platform
import Service

/// `apod-mirror help [COMMAND]`, and `--help` after any command.
struct HelpCommand {
    private let verb: Verb?
    private let text: HelpText

    init(_ arguments: Arguments) throws(CommandError) {
        text = HelpText(Paint(.standard, environment: arguments.processEnvironment))
        guard let word = arguments.operands.first else {
            verb = nil
            return
        }
        guard let verb = Verb(word: word) else { throw Arguments.isNoVerb(word) }
        self.verb = verb
    }

    func run() -> ExitCode {
        Output.standard.write(styled: verb.map(text.text) ?? text.all)
        return .done
    }

    static func version() -> ExitCode {
        Output.standard.write("apod-mirror \(Version.current)\n")
        return .done
    }
}
