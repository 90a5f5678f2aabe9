import CommandLine
import Mirror
import Platform
import Service

extension Settings {
    /// Reads each setting of a command from the first place that has it.
    ///
    /// These are the option, the variable, the settings of the daemon that keeps the mirror, and the default. `run` is the
    /// daemon, and ignores the settings of the last run: without `--keep`, it keeps all days, even if that had the option.
    init(_ arguments: Arguments) throws(CommandError) {
        self.init(root: arguments.mirror.root)
        let settingsOfDaemon = arguments.command == .run ? [:] : try arguments.settingsOfDaemon()
        for setting in Self.all {
            if let (source, text) = arguments.text(of: setting.option) {
                try read(setting, from: text, source: source)
            } else if let text = settingsOfDaemon[setting.option.name],
                arguments.command.has(setting)
            {
                // An invalid value in the mirror is ignored, because it is no mistake of this command line.
                try? setting.read(&self, text)
            }
        }
    }

    /// Reads a value that the user typed, in an option or a variable, which `source` names.
    private mutating func read(
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
    /// The settings file of its service overrides what the last run recorded: only that file has whole addresses, with the keys
    /// in them.
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
        do throws(SystemError) {
            // An error is ignored here: the command will open the mirror again, and report it.
            if let tree = try? Tree.reading(mirror.root, known: knownMirrors),
                let lastRun = try LastRun.read(from: tree)
            {
                return lastRun.settings
            }
            // A service that waits or failed may have no mirror yet.
            return try ServiceNote.find(root: mirror.root, environment)?.settings ?? [:]
        } catch {
            // A check of `doctor` reads the same file, and reports the error.
            guard error.isForNow, command != .doctor else { return [:] }
            throw CommandError("the settings of the mirror cannot be read: \(error.advice)")
        }
    }
}
