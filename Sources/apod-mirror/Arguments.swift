import APOD
import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The arguments of apod-mirror, with the mirror that ``chooseMirror()`` chose: all commands open it here.
typealias Arguments = ParsedArguments<Command, MirrorChoice?>

extension Arguments {
    /// Chooses the mirror of a command that has `--root`.
    mutating func chooseMirror() throws(CommandError) {
        guard command.options.contains(Settings.directory.option) else { return }
        context = try MirrorChoice(self)
    }

    /// The mirror that ``chooseMirror()`` chose.
    var mirror: MirrorChoice {
        guard let context else { preconditionFailure("\(command) has no --root") }
        return context
    }

    /// Prints on standard error which mirror is used or made, if it was not named.
    ///
    /// With `--json`, which scripts use, nothing is printed. The daemon logs its mirror; `status` and `doctor` print it.
    func printFoundMirror() throws(CommandError) {
        guard try !isOn(.json), try !isOn(Settings.quiet.option), mirror.isFound else { return }
        if mirror.exists {
            StandardStream.error.write("using the mirror in \(mirror.root)\n")
        } else if command == .run {
            // Other commands make none, and end with an error that says so.
            StandardStream.error.write("making a mirror in \(mirror.root)\n")
        }
    }

    /// The settings of the mirror, by the names of their options: those of its service by the file that it reads, else
    /// those of the last run, whose addresses have no key; empty if nothing can be read.
    var settingsOfMirror: [String: String] {
        var settings = settingsOfLastRun
        guard let unit = ServiceUnit.serving(mirror.root, environment: environment) else {
            return settings
        }
        for option in Settings.all.map(\.option) {
            let variable = Command.variable(of: option)
            if let text = variable.flatMap({ unit.variables[$0] }) { settings[option.name] = text }
        }
        return settings
    }

    private var settingsOfLastRun: [String: String] {
        // What cannot be read is an error of the command where it reads the mirror itself.
        if let tree = try? Tree.reading(mirror.root, known: knownMirrors),
            let lastRun = try? LastRun.read(from: tree)
        {
            return lastRun.settings
        }
        // A service that waits, or failed, may have no mirror yet.
        return ServiceNote.find(root: mirror.root, environment)?.settings ?? [:]
    }

    /// The directories that held a mirror of this user or of the service before.
    var knownMirrors: KnownMirrors {
        KnownMirrors(environment: environment, includesService: true)
    }

    // MARK: Opening the mirror

    /// Opens the mirror for reading.
    ///
    /// - Throws: `TreeError`, also if there is no mirror.
    func openTree() throws -> Tree {
        do throws(TreeError) {
            return try Tree.reading(mirror.root, known: knownMirrors)
        } catch {
            throw explained(error)
        }
    }

    /// Opens the mirror for changes of favorites.
    func openFavorites() async throws -> FavoriteCommands {
        try checkOwner(of: mirror.root)
        do {
            return try await FavoriteCommands.open(
                mirror.root, known: knownMirrors, minimumFree: Settings(self).minimumFree,
                willWait: Self.printWait)
        } catch let error as TreeError {
            throw explained(error)
        }
    }

    /// Says what a command waits for that a person has typed.
    private static func printWait(for holder: FileLock.Holder?) {
        StandardStream.error.write("\(TreeError.wait(for: holder))\n")
    }

    /// The error `error`, or why a daemon did not create the mirror yet: a second one is not wanted then.
    private func explained(_ error: TreeError) -> any Error {
        guard case .notAMirror = error else { return error }
        if let failure = ServiceNote.find(root: mirror.root, environment)?.failure(before: nil) {
            return CommandError(
                "there is no mirror in \(mirror.root) yet: its service has failed: \(failure)",
                .noMirror)
        }
        guard let daemon = ServiceNote.waiting(environment),
            daemon.note.root == mirror.root || mirror.isFound
        else { return error }
        return Self.expectation(of: daemon)
    }

    /// The error that a daemon, which waits for NASA's first answer, has not created its mirror yet.
    private static func expectation(
        of daemon: (note: ServiceNote, reason: String)
    ) -> CommandError {
        CommandError(
            "there is no mirror yet: the daemon, process \(daemon.note.process), creates that in"
                + " \(daemon.note.root) after NASA's first answer: \(daemon.reason)", .noMirror)
    }

    /// Checks that no other daemon is about to create the mirror, where this command would create one that nobody named.
    ///
    /// - Throws: ``CommandError`` that has the root of the daemon; also a `TreeError`.
    func checkNoOtherMirrorIsExpected() throws {
        guard mirror.isFound, let daemon = ServiceNote.waiting(environment),
            try previewTree() == nil
        else { return }
        throw Self.expectation(of: daemon)
    }

    /// Opens the mirror as ``openTreeForWriting(as:willWait:)`` would, but for reading; `nil` if there is none to open.
    func previewTree() throws -> Tree? {
        try Tree.previewing(mirror.root, known: knownMirrors)
    }

    /// Opens the mirror for writing, and creates it if there is none; may wait for another process, see
    /// ``Tree/waitingToWrite(_:known:as:willWait:)``.
    func openTreeForWriting(
        as role: FileLock.Role = .command,
        willWait: (FileLock.Holder?) -> Void = Self.printWait
    ) async throws -> Tree {
        try checkNoOtherMirrorIsExpected()
        try checkOwner(of: mirror.root)
        return try await Tree.waitingToWrite(
            mirror.root, known: knownMirrors, as: role, willWait: willWait)
    }

    /// Opens the mirror as ``openTreeForWriting(as:willWait:)``, for a command that does the daemon's work.
    ///
    /// - Throws: ``CommandError``; beside the service, also for its own user, with the commands that stop and start it.
    func openTreeWithoutDaemon() async throws -> Tree {
        let holder = (try? Tree.open(mirror.root)).flatMap { Tree.writer(in: $0) }
        if let holder, holder.role == .daemon,
            let unit = ServiceUnit.serving(mirror.root, environment: environment)
        {
            let words = Array(processArguments().dropFirst())
            let steps = [
                unit.commandLine("systemctl", "stop", "apod-mirror"),
                commandLineOfOwner(of: mirror.root) ?? Self.commandLine(words),
                unit.commandLine("systemctl", "start", "apod-mirror"),
            ]
            throw CommandError(
                "\(mirror.root) is in use by its service (process \(holder.process)); run “\(steps.joined(separator: "; "))”",
                .inUse)
        }
        return try await openTreeForWriting()
    }
}
