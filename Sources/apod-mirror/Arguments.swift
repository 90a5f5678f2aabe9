import CommandLine
import Platform

/// The arguments of apod-mirror, with the mirror that ``takeMirror()`` chose.
typealias Arguments = ParsedArguments<Command, MirrorChoice?>

extension Arguments {
    /// The mirror that the command is about.
    ///
    /// - Throws: ``CommandError`` where nothing says where it is.
    func mirror() throws(CommandError) -> MirrorChoice {
        if let context { return context }
        return try MirrorChoice(self)
    }

    /// Chooses the mirror and becomes its owner where this is root's process: to be called before
    /// anything in it is opened.
    mutating func takeMirror() throws(CommandError) {
        guard command.options.contains(.root) else { return }
        let mirror = try mirror()
        context = mirror
        try mirror.actAsOwner(&environment)
    }

    /// Says which mirror is used where nobody named one: to be called when the arguments are checked.
    ///
    /// Not where the output is for a program. The daemon, `status` and `doctor` name it anyway.
    func nameFoundMirror() throws(CommandError) {
        let mirror = try mirror()
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(.quiet))
        guard mirror.isFound, !isJSON, !isQuiet else { return }
        StandardStream.error.write("using the mirror in \(mirror.root)\n")
    }
}
