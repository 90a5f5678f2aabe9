import CommandLine
import Mirror
import Platform
import Service

extension Settings {
    /// The settings of a command: each from the first place that has it.
    ///
    /// The places are the option, the variable, the settings of the daemon that keeps the mirror, and the default. `run` is the
    /// daemon itself, and does not use the settings of its last run: without `--keep`, it keeps all days, even if the last run
    /// had that option.
    init(_ arguments: Arguments) throws(CommandError) {
        self.init(root: arguments.mirror.root)
        let settingsOfDaemon = arguments.command == .run ? [:] : try arguments.settingsOfDaemon()
        for setting in Self.all {
            if let (source, text) = arguments.text(of: setting.option) {
                try readTyped(setting, from: text, source: source)
            } else if arguments.command.has(setting),
                let text = settingsOfDaemon[setting.option.name]
            {
                // An invalid value is ignored, because it is no mistake of this command line.
                try? setting.read(&self, text)
            }
        }
    }

    /// Reads a value that the user typed, and records it as typed; `source` names its option or variable.
    private mutating func readTyped(
        _ setting: Setting, from text: String, source: String
    ) throws(CommandError) {
        let option = setting.option
        // No file has the command of --on-new, which may contain passwords.
        if option != Self.onNew.option { typed[option.name] = option.printed(text) }
        do {
            try setting.read(&self, text)
        } catch {
            throw .usage("\(source): \(error)")
        }
    }
}

extension Arguments {
    /// The settings of the daemon that keeps the mirror, by the names of their options; empty if there are none.
    ///
    /// Those in the settings file of its service override those that the last run recorded, because only the file has whole
    /// addresses, with the keys in them.
    fileprivate func settingsOfDaemon() throws(CommandError) -> [String: String] {
        var settings = try recordedSettings()
        guard let unit = ServiceUnit.serving(mirror.root, environment: environment) else {
            return settings
        }
        for option in Settings.all.map(\.option) {
            guard let variable = Command.variable(of: option), let text = unit.variables[variable]
            else { continue }
            settings[option.name] = text
        }
        return settings
    }

    /// The settings that the last run of the daemon recorded; empty if this user has no right to read them.
    ///
    /// - Throws: ``CommandError`` if they cannot be read for now: with the defaults instead, a repair could download what the
    ///   user does not want, such as videos.
    private func recordedSettings() throws(CommandError) -> [String: String] {
        do {
            return try readRecordedSettings()
        } catch {
            guard error.mayBeTemporary else { return [:] }
            // `doctor` must go on, and a check of it reports the error; `favorites` uses only the setting `--min-free`.
            if [.doctor, .favorites].contains(command) { return [:] }
            throw CommandError("the settings of the mirror cannot be read: \(error.advice)")
        }
    }

    private func readRecordedSettings() throws(SystemError) -> [String: String] {
        // An error of the mirror is ignored here: the command will open it again, and report the error.
        if let tree = try? Tree.reading(mirror.root, known: knownMirrors),
            let lastRun = try LastRun.read(from: tree)
        {
            return lastRun.settings
        }
        // A service that waits or failed may have no mirror yet.
        return try ServiceNote.find(root: mirror.root, environment)?.settings ?? [:]
    }
}
