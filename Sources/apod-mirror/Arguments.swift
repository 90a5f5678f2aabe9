import APOD
import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The arguments of apod-mirror, with the mirror that ``chooseMirror()`` chose.
typealias Arguments = ParsedArguments<Command, MirrorChoice?>

extension Arguments {
    /// Chooses the mirror of a command that has `--root`; a process of root then acts as the owner of the mirror.
    ///
    /// Must be called before any file of the mirror is opened, and before other threads start.
    mutating func chooseMirror() throws(CommandError) {
        guard command.options.contains(Settings.directory.option) else { return }
        var mirror = try MirrorChoice(self)
        mirror.directory = try MirrorOwner.become(at: mirror.root, &environment)
        context = mirror
    }

    /// The mirror that ``chooseMirror()`` chose.
    var mirror: MirrorChoice {
        guard let context else { preconditionFailure("\(command) has no --root") }
        return context
    }

    /// The directories that held a mirror before.
    var knownMirrors: KnownMirrors { KnownMirrors(environment: environment) }

    /// Opens the mirror for reading.
    ///
    /// - Throws: `TreeError`, also if there is no mirror.
    func openTree() throws -> Tree {
        try Tree.reading(mirror.root, opened: mirror.directory, known: knownMirrors)
    }

    /// Opens the mirror as ``openTreeForWriting()`` would, but for reading; `nil` if there is none to open.
    func previewTree() throws -> Tree? {
        try Tree.previewing(
            mirror.root, opened: mirror.directory, known: knownMirrors)
    }

    /// Opens the mirror for writing, and creates it if there is none.
    func openTreeForWriting() throws -> Tree {
        try Tree.writing(
            mirror.root, opened: mirror.directory, known: knownMirrors)
    }

    /// The value of a `--since` that looks back, or the default of the option.
    ///
    /// - Throws: ``CommandError`` if the value is not valid, or in the future.
    func pastSince(_ option: Option) throws(CommandError) -> Since {
        let typed = try value(
            option, "a number of days (30d), a date such as 2026-11-20 or “all”",
            Since.init(argument:))
        guard let since = typed ?? option.defaultValue.flatMap(Since.init(argument:)) else {
            preconditionFailure("\(option.spelling) has no default")
        }
        if case .day(let day) = since, let absence = DayAbsence(of: day, newest: nil),
            case .future = absence
        {
            throw .usage("\(option.spelling): \(absence)")
        }
        return since
    }

    /// Prints on standard error which mirror is used, if it was found and not named.
    ///
    /// With `--json`, which scripts use, only if another mirror may be meant. The daemon logs its mirror; `status` and
    /// `doctor` have it in their output.
    func printFoundMirror() throws(CommandError) {
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(Settings.quiet.option))
        guard mirror.isFound, !isQuiet, !isJSON || mirror.alternative != nil else { return }
        let other = mirror.alternative.map { "; another one is in \($0): --root names it" } ?? ""
        StandardStream.error.write("using the mirror in \(mirror.root)\(other)\n")
    }
}
