import APOD
import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// The arguments of apod-mirror, with the mirror that ``chooseMirror()`` chose.
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

    /// The settings of the mirror, by the names of their options: those of its service by the file that it reads, else
    /// those of the last run, whose addresses have no key; empty if nothing can be read.
    var settingsOfMirror: [String: String] {
        let lastRun =
            (try? Tree.reading(mirror.root, known: knownMirrors))
            .flatMap { try? MetricsSnapshot.read(from: $0) }?.settings
            // A service that waits, or failed, may have no mirror yet.
            ?? ServiceNote.find(root: mirror.root, environment)?.settings ?? [:]
        let unit = ServiceUnit.serving(mirror.root, environment: environment)
        let ofUnit = Settings.all.map(\.option).compactMap { option in
            Command.variable(of: option).flatMap { unit?.variables[$0] }.map { (option.name, $0) }
        }
        return lastRun.merging(ofUnit) { $1 }
    }

    /// The directories that held a mirror of this user or of the service before.
    var knownMirrors: KnownMirrors {
        KnownMirrors(environment: environment, includesService: true)
    }

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
        guard let waiting = ServiceNote.waiting(environment),
            waiting.note.root == mirror.root || mirror.isFound
        else { return error }
        return Self.error(of: waiting.note, waitingFor: waiting.reason)
    }

    private static func error(of note: ServiceNote, waitingFor reason: String) -> CommandError {
        CommandError(
            "there is no mirror yet: the daemon, process \(note.process), creates that in \(note.root) after"
                + " NASA's first answer: \(reason)", .noMirror)
    }

    /// Checks that no other daemon is about to create the mirror, where this command would create one that nobody named.
    ///
    /// - Throws: ``CommandError`` that has the root of the daemon; also a `TreeError`.
    func checkNoOtherMirrorIsExpected() throws {
        guard mirror.isFound, let waiting = ServiceNote.waiting(environment),
            try previewTree() == nil
        else { return }
        throw Self.error(of: waiting.note, waitingFor: waiting.reason)
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

    /// Checks that root writes to no mirror of another user, who could neither change nor remove the files of root.
    ///
    /// - Throws: ``CommandError`` that has the command line for the owner.
    func checkOwner(of root: String) throws(CommandError) {
        guard Account.effectiveUserID == 0, let owner = Self.owner(of: root),
            let line = commandLineOfOwner(of: root)
        else { return }
        throw CommandError(
            "the mirror in \(root) belongs to \(Account.name(ofUser: owner)), who could not change files of root;"
                + " run “\(line)”", .noMirror)
    }

    /// The command line of this process with the mirror at `root`, for its owner; `nil` if that is this user.
    private func commandLineOfOwner(of root: String) -> String? {
        guard let owner = Self.owner(of: root), owner != Account.effectiveUserID else { return nil }
        let name = Account.name(ofUser: owner)
        // A user of a container may have no account here, see sudo(8).
        let user = name == "user \(owner)" ? "'#\(owner)'" : name
        var words = Array(processArguments().dropFirst())
        // The owner may have another mirror.
        if !isTyped(Settings.directory.option) {
            words.insert(contentsOf: ["--root", root], at: 1)
        }
        return "sudo -u \(user) \(Self.commandLine(words))"
    }

    private static func commandLine(_ words: [String]) -> String {
        (["apod-mirror"] + words.map(\.shellWord)).joined(separator: " ")
    }

    /// The owner of `.apod-mirror/`, or of the directory in which it is to be made.
    ///
    /// - Returns: `nil` if there is no directory, or its owner cannot be read.
    private static func owner(of root: String) -> UInt32? {
        guard let directory = try? Tree.open(root) else { return nil }
        // The directory around may be a mount point of root.
        let folder = (try? directory.folder(Layout.own)) ?? directory
        return try? folder.status().owner
    }

    /// Prints on standard error which mirror is used or made, if it was not named.
    ///
    /// With `--json`, which scripts use, nothing is printed. The daemon logs its mirror; `status` and `doctor` print it.
    func printFoundMirror() throws(CommandError) {
        let (isJSON, isQuiet) = (try isOn(.json), try isOn(Settings.quiet.option))
        // Where there is none, the error of a command that makes none says so.
        let isNew = !mirror.exists
        guard mirror.isFound, !isQuiet, !isJSON, !isNew || command == .run else { return }
        StandardStream.error.write(
            "\(isNew ? "making a mirror" : "using the mirror") in \(mirror.root)\n")
    }
}
