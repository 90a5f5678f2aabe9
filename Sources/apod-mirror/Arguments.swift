import APOD
import CommandLine
import Favorites
import Mirror
import Platform
import Service
import Views

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

    /// The directories that held a mirror before.
    var known: KnownMirrors { KnownMirrors(environment: environment) }

    func openTree() throws -> Tree {
        let mirror = try mirror()
        return try Tree.reading(mirror.root, opened: mirror.directory, known: known)
    }

    /// Whether ``openTreeForWriting()`` would create a mirror.
    func isNewMirror() throws -> Bool {
        let mirror = try mirror()
        return try Tree.previewing(
            mirror.root, opened: mirror.directory, known: known, owned: allViews.ownedPaths) == nil
    }

    /// Opens the mirror for writing, and creates it if there is none.
    func openTreeForWriting() throws -> Tree {
        let mirror = try mirror()
        return try Tree.writing(
            mirror.root, opened: mirror.directory, known: known, owned: allViews.ownedPaths)
    }

    /// The value of a `--since` that looks back; `nil` if it is not set.
    ///
    /// - Throws: ``CommandError`` if the value is not valid, or in the future.
    func pastSince(_ option: Option) throws(CommandError) -> Since? {
        let since = try value(
            option, "a number of days (30d), a date such as 2026-11-20 or “all”",
            Since.init(argument:))
        if case .day(let day) = since,
            case .future(let day) = DayAbsence(of: day, newest: nil)
        {
            throw .usage("\(option.spelling): \(DayAbsence.future(day))")
        }
        return since
    }

    /// Chooses the mirror; a process of root becomes its owner.
    ///
    /// Must be called before any file of the mirror is opened.
    mutating func chooseMirror() throws(CommandError) {
        guard command.options.contains(Settings.directory.option) else { return }
        var mirror = try mirror()
        try mirror.actAsOwner(&environment)
        context = mirror
    }

    /// Prints which mirror is used, if it was found and not named.
    ///
    /// With `--json` only if there is a second mirror. The daemon, `status` and `doctor` print it themselves.
    func printFoundMirror() throws(CommandError) {
        let mirror = try mirror()
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(Settings.quiet.option))
        guard mirror.isFound, !isQuiet, !isJSON || mirror.other != nil else { return }
        let other = mirror.other.map { "; another one is in \($0): --root names it" } ?? ""
        StandardStream.error.write("using the mirror in \(mirror.root)\(other)\n")
    }
}
