import CommandLine
import Service

extension Settings {
    /// Reads options, else variables, else, for commands beside `run`, the settings of the mirror's service or last run,
    /// else defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        self.init(root: arguments.mirror.root)
        let settingsOfMirror = arguments.command == .run ? [:] : arguments.settingsOfMirror
        for setting in Self.all {
            let name = setting.option.name
            if let (source, text) = arguments.text(of: setting.option) {
                // No file has the command of --on-new, which may contain passwords.
                if setting.option != Self.onNew.option {
                    typed[name] = setting.option.printed(text)
                }
                if let problem = setting.read(&self, text) { throw .usage("\(source): \(problem)") }
            } else if let text = settingsOfMirror[name], arguments.command.has(setting) {
                // What is not valid there is no mistake of this command line: no error.
                _ = setting.read(&self, text)
            }
        }
    }
}
