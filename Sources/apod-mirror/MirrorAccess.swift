import CommandLine
import Favorites
import Mirror
import Platform
import Service

/// Opens the mirror of a command; each method is for one purpose, and its error says what the user can do.
///
/// | method | who calls it | without a mirror | waits for another writer |
/// | --- | --- | --- | --- |
/// | ``openForReading()`` | `status`, `show`, `search`, … | error | no |
/// | ``openIfPresent()`` | a dry run | `nil` | no |
/// | ``openFavorites(minimumFree:)`` | `favorites` | error | yes, but not for a daemon |
/// | ``openForWriting(as:willWait:)`` | `run` | creates it | yes |
/// | ``openInsteadOfDaemon()`` | `adopt`, `verify --repair` | creates it | yes, but not for a service |
struct MirrorAccess {
    private let mirror: MirrorChoice
    private let known: KnownMirrors
    private let environment: [String: String]
    private let owner: MirrorOwner

    init(_ arguments: Arguments) {
        mirror = arguments.mirror
        known = arguments.knownMirrors
        environment = arguments.environment
        owner = MirrorOwner(
            root: mirror.root, isRootTyped: arguments.isTyped(Settings.directory.option))
    }

    // MARK: Reading

    func openForReading() throws -> Tree {
        do throws(TreeError) {
            return try Tree.reading(mirror.root, known: known)
        } catch {
            throw try explained(error)
        }
    }

    /// Opens the mirror for reading; `nil` where ``openForWriting(as:willWait:)`` would create one.
    func openIfPresent() throws -> Tree? {
        try Tree.previewing(mirror.root, known: known)
    }

    // MARK: Writing

    func openFavorites(minimumFree: Int) async throws -> FavoriteCommands {
        try owner.check()
        do {
            return try await FavoriteCommands.open(
                mirror.root, known: known, minimumFree: minimumFree, willWait: Self.printWait)
        } catch let error as TreeError {
            throw try explained(error)
        }
    }

    /// Opens the mirror for writing, and creates it if there is none.
    ///
    /// `willWait` is called before this waits for another process that has the mirror open for writing, see
    /// ``Tree/waitingToWrite(_:known:as:willWait:)``.
    func openForWriting(
        as role: FileLock.Role = .command,
        willWait: (FileLock.Holder?) -> Void = Self.printWait
    ) async throws -> Tree {
        try checkNoOtherMirrorIsExpected()
        try owner.check()
        return try await Tree.waitingToWrite(
            mirror.root, known: known, as: role, willWait: willWait)
    }

    /// Opens the mirror for writing for a command that does the work of the daemon.
    ///
    /// It waits for a command or a daemon that a person started, but not for the daemon of a service, which never ends.
    func openInsteadOfDaemon() async throws -> Tree {
        try checkNoServiceHasMirror()
        return try await openForWriting()
    }

    /// - Throws: ``CommandError`` if a service has the mirror open; the message says how to stop and start the service.
    private func checkNoServiceHasMirror() throws(CommandError) {
        let holder = (try? Tree.open(mirror.root)).flatMap { Tree.writer(in: $0) }
        guard let holder, holder.role == .daemon,
            let unit = ServiceUnit.serving(mirror.root, environment: environment),
            unit.runs(holder.process)
        else { return }
        let steps = [
            unit.commandLine("systemctl", "stop", "apod-mirror"), owner.repeatedCommand,
            unit.commandLine("systemctl", "start", "apod-mirror"),
        ]
        let process = holder.knownProcess.map { " (process \($0))" } ?? ""
        throw CommandError(
            "\(mirror.root) is in use by its service\(process); run “\(steps.joined(separator: "; "))”",
            .inUse)
    }

    private static func printWait(for holder: FileLock.Holder?) {
        StandardStream.error.write("\(TreeError.wait(for: holder))\n")
    }

    // MARK: A mirror that a daemon has not created yet

    /// Checks that this command does not create a second mirror while a daemon is about to create its own.
    ///
    /// A daemon creates its mirror after NASA's first answer. Until then, a command whose user named no mirror finds none.
    ///
    /// - Throws: ``CommandError`` that names the mirror of the daemon; `TreeError` if the mirror cannot be read.
    func checkNoOtherMirrorIsExpected() throws {
        guard mirror.isFound, let daemon = try ServiceNote.waiting(environment),
            try openIfPresent() == nil
        else { return }
        throw Self.notCreatedYet(by: daemon.note, because: daemon.reason)
    }

    /// Returns `error`, or if there is no mirror yet, because its daemon failed or still waits, an error that says so.
    ///
    /// - Throws: ``SystemError`` if the note of the daemon cannot be read.
    private func explained(_ error: TreeError) throws(SystemError) -> any Error {
        guard case .notAMirror = error else { return error }
        let note = try ServiceNote.find(root: mirror.root, environment)
        if let failure = note?.failure(unlessFollowedBySuccessAt: nil) {
            return CommandError(
                "there is no mirror in \(mirror.root) yet: its service has failed: \(failure)",
                .noMirror)
        }
        guard let daemon = try ServiceNote.waiting(environment),
            daemon.note.root == mirror.root || mirror.isFound
        else { return error }
        return Self.notCreatedYet(by: daemon.note, because: daemon.reason)
    }

    private static func notCreatedYet(
        by daemon: ServiceNote, because reason: String
    ) -> CommandError {
        CommandError(
            "there is no mirror yet: the daemon, process \(daemon.process), creates it in"
                + " \(daemon.root) after NASA's first answer: \(reason)", .noMirror)
    }
}
