import CommandLine
import Platform

/// The arguments of apod-mirror, with the mirror that ``chooseMirror()`` chose.
typealias Arguments = ParsedArguments<Command, MirrorChoice?>

extension Arguments {
    /// The mirror that the command uses.
    ///
    /// - Throws: ``CommandError`` if no mirror is named or found.
    func mirror() throws(CommandError) -> MirrorChoice {
        if let context { return context }
        return try MirrorChoice(self)
    }

    /// Chooses the mirror; a process of root becomes its owner.
    ///
    /// Must be called before any file of the mirror is opened.
    mutating func chooseMirror() throws(CommandError) {
        guard command.options.contains(.root) else { return }
        let mirror = try mirror()
        context = mirror
        try mirror.actAsOwner(&environment)
    }

    /// Prints which mirror is used, if it was found and not named.
    ///
    /// Prints nothing with `--json`. The daemon, `status` and `doctor` print it themselves.
    func printFoundMirror() throws(CommandError) {
        let mirror = try mirror()
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(.quiet))
        guard mirror.isFound, !isJSON, !isQuiet else { return }
        StandardStream.error.write("using the mirror in \(mirror.root)\n")
    }
}
