import CommandLine
import Mirror
import Platform
import Service

/// The arguments of apod-mirror, and the mirror that they choose: `nil` for a command without `--root`.
typealias Arguments = ParsedArguments<Command, MirrorChoice?>

extension Arguments {
    /// Chooses the mirror, unless the command has no `--root`; ``mirror`` returns it.
    mutating func chooseMirror() throws(CommandError) {
        guard command.options.contains(Settings.directory.option) else { return }
        context = try MirrorChoice(self)
    }

    /// The mirror that ``chooseMirror()`` chose; only commands with `--root` have one.
    var mirror: MirrorChoice {
        guard let context else { preconditionFailure("\(command) has no --root") }
        return context
    }

    /// The directories that held a mirror of this user or of the service before.
    var knownMirrors: KnownMirrors {
        KnownMirrors(environment: environment, includesService: true)
    }

    /// Prints on standard error which mirror the command uses or creates, unless the user named it.
    ///
    /// Nothing is printed with `--json`, because scripts use it. The daemon logs its mirror; `status` and `doctor`
    /// print it.
    func printFoundMirror() throws(CommandError) {
        guard try !isOn(.json), try !isOn(Settings.quiet.option), mirror.isFound else { return }
        if mirror.exists {
            StandardStream.error.write("using the mirror in \(mirror.root)\n")
        } else if command == .run {
            // Other commands create none, and end with an error that says so.
            StandardStream.error.write("making a mirror in \(mirror.root)\n")
        }
    }

    /// The settings that the mirror's daemon has, by the names of their options; empty if there are none.
    ///
    /// The settings file of its service overrides what the last run recorded, because only that file has the keys in
    /// addresses.
    ///
    /// - Throws: ``SystemError`` if the recorded settings cannot be read: with others, a repair would write or request what the
    ///   user has forbidden.
    fileprivate func settingsOfMirror() throws(SystemError) -> [String: String] {
        var settings: [String: String] = [:]
        do throws(SystemError) {
            settings = try settingsOfLastRun()
        } catch  where !error.isForNow || command == .doctor {
            // A user who may not read it goes on without it. A check of `doctor` reads the same file, and reports the error.
        }
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

    private func settingsOfLastRun() throws(SystemError) -> [String: String] {
        // An error is ignored here: the command will open the mirror again, and report it.
        if let tree = try? Tree.reading(mirror.root, known: knownMirrors),
            let lastRun = try LastRun.read(from: tree)
        {
            return lastRun.settings
        }
        // A service that waits or failed may have no mirror yet.
        return try ServiceNote.find(root: mirror.root, environment)?.settings ?? [:]
    }
}

extension Settings {
    /// Reads each setting from the first place that has it: option, variable, the mirror's own settings, default.
    ///
    /// `run` ignores the mirror's own settings: without `--keep`, it keeps all days, even if the last run had that option.
    init(_ arguments: Arguments) throws(CommandError) {
        self.init(root: arguments.mirror.root)
        let settingsOfMirror = try Self.settingsOfMirror(arguments)
        for setting in Self.all {
            let option = setting.option
            if let (source, text) = arguments.text(of: option) {
                // No file has the command of --on-new, which may contain passwords.
                if option != Self.onNew.option { typed[option.name] = option.printed(text) }
                do {
                    try setting.read(&self, text)
                } catch {
                    throw .usage("\(source): \(error)")
                }
            } else if let text = settingsOfMirror[option.name], arguments.command.has(setting) {
                // An invalid value in the mirror is ignored, because it is no mistake of this command line.
                try? setting.read(&self, text)
            }
        }
    }

    private static func settingsOfMirror(
        _ arguments: Arguments
    ) throws(CommandError) -> [String: String] {
        if arguments.command == .run { return [:] }
        do throws(SystemError) {
            return try arguments.settingsOfMirror()
        } catch {
            throw CommandError("the settings of the mirror cannot be read: \(error.advice)")
        }
    }
}
