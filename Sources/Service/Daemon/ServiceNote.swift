package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// What a daemon writes about itself outside of its mirror: which mirror it serves, since when, with which settings, and why
/// it waits or failed.
///
/// `status` and `doctor` read the note, and so do commands that find no mirror: it is there even if the daemon cannot open its
/// mirror. Each user has one note, the file `service.json` beside the list of ``KnownMirrors``. If the note cannot be written,
/// the daemon goes on without it.
package struct ServiceNote: Hashable, Codable, Sendable {
    package enum State: Hashable, Codable, Sendable {
        /// The daemon will create its mirror after NASA's first answer; the reason says why there is no answer yet.
        case waiting(reason: String)
        /// The daemon has its mirror open; the obstacle, if there is one, keeps all days away.
        ///
        /// The failures are those of ``LastRun/failures``, which `service.json` in the mirror does not have if its disk is the
        /// reason.
        case running(Obstacle?, failures: [LastRun.ServiceName: SyncState.Failure]?)
        /// A person or the system ended the daemon.
        case stopped
        case failed(reason: String)
    }

    private static let fileName = "service.json"

    package let process: Int32
    /// The name of the process, which distinguishes it from a later process with the same ID; `nil` if the name is not known.
    private let processName: String?
    /// The ID of its user; `nil` in a note of an earlier version.
    private let user: UInt32?
    /// The path of its mirror; empty if the daemon could not read its settings.
    package let root: String
    /// Its settings as the user typed them, without secrets, by the names of their options.
    package let settings: [String: String]
    package let since: Date
    package let state: State

    private init(root: String, settings: [String: String], _ state: State) {
        process = getpid()
        user = Account.effectiveUserID
        processName = OtherProcess.name(of: getpid())
        self.root = root
        self.settings = settings
        since = Date()
        self.state = state
    }

    /// Whether the daemon still runs: whether there is a process with its ID and its name.
    package var isAlive: Bool {
        OtherProcess.exists(process, named: processName)
    }

    /// Whether the daemon is one of this user, which nobody has stopped: this user is to be able to write to its mirror.
    var isOfOwnDaemon: Bool { user == Account.effectiveUserID && state != .stopped }

    /// Whether another daemon of this user runs and has written the note, so that this process must not replace it.
    ///
    /// This process is then a second daemon, which will fail to open the mirror for writing.
    private var isOfOtherDaemon: Bool {
        switch state {
        case .waiting, .running:
            // Unlike ``isAlive``, a process of another user does not count: it has the ID of an earlier daemon by chance.
            process != getpid() && kill(process, 0) == 0
                && OtherProcess.name(of: process) == processName
        case .stopped, .failed: false
        }
    }

    /// What keeps all days away, as the running daemon has noted it; `nil` if nothing does, or if no daemon runs.
    package var obstacle: Obstacle? {
        if case .running(let obstacle, _) = state, isAlive { obstacle } else { nil }
    }

    /// What the running daemon could not read or write; `nil` if there is nothing, or if no daemon runs.
    package var failures: [LastRun.ServiceName: SyncState.Failure]? {
        if case .running(_, let failures) = state, isAlive { failures } else { nil }
    }

    /// Whether the daemon runs, but no longer has the mirror open that is at its path, `tree`, and notices this only later.
    ///
    /// It notes that it has its mirror open after it has locked it, and keeps the lock until it ends. So if the lock is free,
    /// another mirror or another lock has taken the place, as by a restore.
    func isOfExchangedMirror(_ tree: Tree) -> Bool {
        guard case .running = state, tree.isUnlocked else { return false }
        // Asked last: a process that ended meanwhile has released its lock.
        return isAlive
    }

    /// Why the daemon failed; `nil` if it did not fail, or if another process, such as `run --once`, reached NASA later.
    package func failure(unlessFollowedBySuccessAt lastSuccess: Date?) -> String? {
        guard case .failed(let reason) = state else { return nil }
        // The note has whole seconds: a success within the same second may have come before the failure.
        if let lastSuccess, lastSuccess >= since + 1 { return nil }
        return reason
    }

    /// Writes the note of this process, a daemon with these settings; `environment` says in which directory.
    ///
    /// - Returns: `false` if the note could not be written. The daemon goes on nevertheless.
    @discardableResult
    package static func write(
        _ state: State, _ settings: Settings, _ environment: [String: String]
    ) -> Bool {
        ServiceNote(root: settings.root, settings: settings.typed, state).write(environment)
    }

    /// Writes that this process, a daemon, has failed; it need not have read its settings.
    package static func writeFailure(_ reason: String, _ environment: [String: String]) {
        let last = try? ofUser(environment)
        // If there is none, this process has failed before it read its settings.
        let ownNote = last?.process == getpid() ? last : nil
        ServiceNote(
            root: ownNote?.root ?? rootInVariables(environment),
            settings: ownNote?.settings ?? [:], .failed(reason: reason)
        ).write(environment)
    }

    /// The path of the mirror that variables name; empty if none does.
    private static func rootInVariables(_ environment: [String: String]) -> String {
        if let root = environment["APOD_MIRROR_ROOT"] { return resolvedPath(root) }
        // STATE_DIRECTORY is a list, see systemd.exec(5).
        let first = environment["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
        return first.map(resolvedPath) ?? ""
    }

    @discardableResult
    private func write(_ environment: [String: String]) -> Bool {
        guard let path = KnownMirrors.stateDirectory(environment) else { return true }
        do throws(SystemError) {
            if try Self.read(in: path)?.isOfOtherDaemon == true { return true }
            let folder = try Directory(opening: "/")
                .makeDirectory(String(path.dropFirst()), mode: 0o700)
            try AtomicFile.publish(stateDocument, in: folder, as: Self.fileName, through: folder)
            return true
        } catch {
            // A note that cannot be read for now may be that of another daemon.
            return false
        }
    }

    /// The variable that the unit of the system service sets.
    private static let environmentOfService = ["XDG_STATE_HOME": "/var/cache"]

    /// The note of the system service; `nil` if the service was never started, or if this user may not read the note.
    package static var ofService: ServiceNote? {
        get throws(SystemError) { try ofUser(environmentOfService) }
    }

    private static func ofUser(
        _ environment: [String: String]
    ) throws(SystemError) -> ServiceNote? {
        guard let folder = KnownMirrors.stateDirectory(environment) else { return nil }
        return try read(in: folder)
    }

    private static func all(_ environment: [String: String]) throws(SystemError) -> [ServiceNote] {
        [try ofUser(environment), try ofService].compactMap(\.self)
    }

    /// The latest note of a daemon of the mirror at `root`; `nil` if there is none.
    package static func find(
        root: String, _ environment: [String: String]
    ) throws(SystemError) -> ServiceNote? {
        // Bytes are compared: Swift takes “é” and “e” with an accent for equal, but they name two directories.
        try all(environment).filter { $0.root.utf8.elementsEqual(root.utf8) }
            .max { $0.since < $1.since }
    }

    /// The note of a daemon that waits for NASA's first answer, and the reason why; `nil` if no other process does.
    package static func waiting(
        _ environment: [String: String]
    ) throws(SystemError) -> (note: ServiceNote, reason: String)? {
        for note in try all(environment) where note.process != getpid() && note.isAlive {
            if case .waiting(let reason) = note.state { return (note, reason) }
        }
        return nil
    }

    /// Reads the note in `folder`; `nil` if there is none, or if it is damaged or this user may not read it.
    ///
    /// - Throws: ``SystemError`` if the note cannot be read for now: it may say that a daemon is about to create its mirror.
    private static func read(in folder: String) throws(SystemError) -> ServiceNote? {
        do {
            // A note has a few kilobytes; a larger file is not read.
            let bytes = try Directory(opening: folder).read(fileName, limit: 1 << 20)
            return bytes.flatMap(ServiceNote.init(stateDocument:))
        } catch  where !error.isForNow {
            return nil
        }
    }
}

/// Writes what keeps a running daemon from its work into its ``ServiceNote``, whenever that changes.
package struct ServiceNoteWriter: Sendable {
    private struct Contents: Hashable {
        var obstacle: Obstacle?
        var failures: [LastRun.ServiceName: SyncState.Failure] = [:]
    }

    private struct State {
        var current = Contents()
        /// What the note has; `nil` if that is not known, because the last attempt to write it has failed.
        var written: Contents? = Contents()
    }

    private let settings: Settings
    private let environment: [String: String]
    /// Locked while the note is written, so that an older one never replaces a newer one.
    private let state = SharedValue(State())

    /// `environment` says in which directory the note is.
    package init(_ settings: Settings, _ environment: [String: String]) {
        self.settings = settings
        self.environment = environment
    }

    /// Records what keeps all days away; `nil` if nothing does.
    func record(_ obstacle: Obstacle?) {
        change { $0.obstacle = obstacle?.following($0.obstacle) }
    }

    /// Records why `service` could not read or write its files; `nil` if it could.
    func record(_ failure: SyncState.Failure?, of service: LastRun.ServiceName) {
        change { $0.failures[service] = failure }
    }

    private func change(_ body: (inout Contents) -> Void) {
        state.withLock { state in
            body(&state.current)
            guard state.current != state.written else { return }
            let failures = state.current.failures
            let isWritten = ServiceNote.write(
                .running(state.current.obstacle, failures: failures.isEmpty ? nil : failures),
                settings, environment)
            state.written = isWritten ? state.current : nil
        }
    }
}
