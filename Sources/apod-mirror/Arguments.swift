import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The arguments of the program `apod-mirror`, and the mirror that they choose, which is `nil` for a command without `--root`.
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
    var knownMirrors: KnownMirrors { KnownMirrors(environment: environment, includesService: true) }

    /// Prints on standard error which mirror the command uses or creates, unless the user named it.
    ///
    /// Nothing is printed with `--json`, because scripts use it. The daemon, `status` and `doctor` do not call this: they say
    /// themselves which mirror it is.
    func printFoundMirror() throws(CommandError) {
        guard try !isOn(.json), try !isOn(Settings.quiet.option), mirror.isFound else { return }
        if mirror.exists {
            StandardStream.error.write("using the mirror in \(mirror.root)\n")
        } else if command == .run, try !isOn(.dryRun) {
            // Other commands create none, nor does a dry run, and end with an error that says so.
            StandardStream.error.write("making a mirror in \(mirror.root)\n")
        }
    }

    /// The resolved path of the file that an operand names; `nil` if it does not exist, or if `word` is a day.
    static func existingFile(_ word: String) -> String? {
        DayArgument.isWord(word) ? nil : realPath(word)
    }
}
