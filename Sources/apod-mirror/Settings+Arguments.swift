import CommandLine
import Service

extension Settings {
    /// Reads options, else variables, else, for commands beside `run`, the settings of the last run of the mirror, else
    /// defaults.
    init(_ arguments: Arguments) throws(CommandError) {
        let mirror = arguments.mirror
        self.init(root: mirror.root)
        typedRoot = mirror.typedRoot
        let lastRun = arguments.command == .run ? [:] : arguments.settingsOfLastRun
        for setting in Self.all {
            guard let (source, text) = arguments.text(of: setting.option) else {
                if let text = lastRun[setting.option.name], arguments.command.has(setting) {
                    // Damaged settings are not those of the user, who gets no error.
                    _ = setting.read(&self, text)
                }
                continue
            }
            typed[setting.option.name] = setting.option.printed(text)
            if let problem = setting.read(&self, text) { throw .usage("\(source): \(problem)") }
        }
    }
}
