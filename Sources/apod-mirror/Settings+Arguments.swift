import CommandLine
import Service

extension Settings {
    /// Reads options, else variables, else, for commands beside `run`, the settings of the mirror's service or last run,
    /// else defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = arguments.mirror
        self.init(root: mirror.root)
        let settingsOfMirror = arguments.command == .run ? [:] : arguments.settingsOfMirror
        for setting in Self.all {
            guard let (source, text) = arguments.text(of: setting.option) else {
                if let text = settingsOfMirror[setting.option.name], arguments.command.has(setting)
                {
                    // What is not valid there is no mistake of this command line: no error.
                    _ = setting.read(&self, text)
                }
                continue
            }
            if setting.option != Self.onNew.option {
                typed[setting.option.name] = setting.option.printed(text)
            }
            if let problem = setting.read(&self, text) { throw .usage("\(source): \(problem)") }
        }
    }
}
