import APOD
import CommandLine
import Mirror
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

    /// The directories that held a mirror before.
    var known: KnownMirrors { KnownMirrors(environment: environment) }

    /// Opens the mirror for reading.
    func openTree() throws -> Tree {
        let mirror = try mirror()
        return try Tree.reading(mirror.root, opened: mirror.directory, known: known)
    }

    /// Whether ``openTreeForWriting(isNew:)`` would create a mirror.
    func isNewMirror(isNew: Bool) throws -> Bool {
        let mirror = try mirror()
        return try Tree.previewing(
            mirror.root, opened: mirror.directory, known: known, isNew: isNew) == nil
    }

    /// Opens the mirror for writing, and creates it if there is none.
    func openTreeForWriting(isNew: Bool = false) throws -> Tree {
        let mirror = try mirror()
        return try Tree.writing(
            mirror.root, opened: mirror.directory, known: known, isNew: isNew)
    }

    /// Chooses the mirror; a process of root becomes its owner.
    ///
    /// Must be called before any file of the mirror is opened. Its directory is opened before, with root's rights.
    mutating func chooseMirror() throws(CommandError) {
        guard command.options.contains(.root) else { return }
        var mirror = try mirror()
        try mirror.actAsOwner(&environment)
        context = mirror
    }

    /// Prints which mirror is used, if it was found and not named.
    ///
    /// Prints nothing with `--json`, unless there are two. The daemon, `status` and `doctor` print it themselves.
    func printFoundMirror() throws(CommandError) {
        let mirror = try mirror()
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(.quiet))
        guard mirror.isFound, !isQuiet, !isJSON || mirror.other != nil else { return }
        let other = mirror.other.map { "; another one is in \($0): --root names it" } ?? ""
        StandardStream.error.write("using the mirror in \(mirror.root)\(other)\n")
    }
}

extension Day {
    /// Parses a day, such as `2026-11-20` or `261120`.
    ///
    /// - Throws: ``CommandError`` if `word` is not a day.
    init(argument word: String) throws(CommandError) {
        guard let day = Day(iso: word) ?? Day(compact: word) else {
            throw .usage("“\(word)” is not a day; use a date such as 2026-11-20")
        }
        self = day
    }
}

extension Duration {
    /// Parses a time of at most ten years, such as `500ms`, `90s`, `30m`, `12h` or `2d`.
    ///
    /// A number alone is one of seconds.
    init?(argument text: String) {
        let units = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
        let (suffix, unit) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
        guard let count = Double(decimal: text.dropLast(suffix.count)),
            count * unit <= 3650 * 86_400
        else { return nil }
        self = .milliseconds(Int((count * unit * 1000).rounded()))
    }
}
