package import FoundationEssentials
internal import Glibc
package import Mirror
internal import Platform

/// What a daemon leaves outside of all trees: which mirror it serves, since when, with which settings, and why it waits
/// or failed.
///
/// `status`, `doctor` and commands that find no mirror read it, also of a service that could not open its mirror. It is
/// `service.json` beside the list of ``KnownMirrors``, one for each user; an error of writing costs only the note.
package struct ServiceNote: Hashable, Codable, Sendable {
    package enum State: Hashable, Codable, Sendable {
        /// It creates its mirror after NASA's first answer, which has not come for this reason.
        case waiting(reason: String)
        /// It writes its mirror, or would but for an obstacle, which a disk may keep it from writing there.
        case running(Obstacle?)
        /// It ended by a signal or a person's command.
        case stopped
        /// It ended by this error, which a person or its next start must end.
        case failed(reason: String)
    }

    private static let fileName = "service.json"

    /// The process of the daemon.
    package let process: Int32
    /// The name of that process, which tells it from a later one of its number; `nil` if it is not known.
    private let processName: String?
    /// Its mirror; empty if it could not read its settings.
    package let root: String
    /// Its settings as they were typed, by the names of their options; nothing in them is secret.
    package let settings: [String: String]
    /// When ``state`` began.
    package let since: Date
    package let state: State

    private init(root: String, settings: [String: String], _ state: State) {
        process = getpid()
        processName = Self.name(of: getpid())
        self.root = root
        self.settings = settings
        since = Date()
        self.state = state
    }

    /// Whether the daemon still runs, and its number is not that of another process since.
    package var isAlive: Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        // Processes of others may be hidden; see hidepid in proc(5).
        return Self.name(of: process).map { $0 == processName } ?? true
    }

    /// Whether another daemon of this user runs, which is the one that people ask for: the lock refuses a second one.
    ///
    /// After a start of the machine, its number may be that of any process.
    private var isOfOtherDaemon: Bool {
        switch state {
        case .waiting, .running:
            process != getpid() && kill(process, 0) == 0
                && Self.name(of: process) == processName
        case .stopped, .failed: false
        }
    }

    private static func name(of process: Int32) -> String? {
        let name = try? Directory(opening: "/proc/\(process)").openToRead("comm")
            .readStart(limit: 64, path: "comm")
        return name.map { String(decoding: $0, as: UTF8.self) }
    }

    /// What keeps all days away, if the daemon runs and met it.
    package var obstacle: Obstacle? {
        if case .running(let obstacle) = state, isAlive { obstacle } else { nil }
    }

    /// Why the daemon failed; `nil` if it did not, or NASA was reached since, as by `run --once` of a timer.
    package func failure(before lastSuccess: Date?) -> String? {
        // The note has whole seconds.
        guard case .failed(let reason) = state, lastSuccess ?? since < since + 1 else { return nil }
        return reason
    }

    // MARK: Writing

    /// Notes the state of this process, the daemon with `settings`, below the state directory of `environment`.
    package static func write(
        _ state: State, _ settings: Settings, _ environment: [String: String]
    ) {
        write(
            ServiceNote(root: settings.root, settings: settings.typed, state), environment)
    }

    /// Notes that this process, a daemon, failed; if it had no settings yet, its mirror is that which variables name.
    package static func writeFailure(_ reason: String, _ environment: [String: String]) {
        let own = KnownMirrors.stateDirectory(environment).flatMap(read)
            .flatMap { $0.process == getpid() ? $0 : nil }
        // STATE_DIRECTORY is a list, see systemd.exec(5).
        let directory = environment["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
        let variables = [environment["APOD_MIRROR_ROOT"], directory]
        let root = own?.root ?? variables.compactMap(\.self).first.map(resolvedPath) ?? ""
        write(
            ServiceNote(root: root, settings: own?.settings ?? [:], .failed(reason: reason)),
            environment)
    }

    private static func write(_ note: ServiceNote, _ environment: [String: String]) {
        guard let path = KnownMirrors.stateDirectory(environment),
            let folder = try? Directory(opening: "/")
                .makeDirectory(String(path.dropFirst()), mode: 0o700)
        else { return }
        if read(path)?.isOfOtherDaemon == true { return }
        try? AtomicFile.publish(note.stateDocument, in: folder, as: fileName, through: folder)
    }

    // MARK: Reading

    /// The note of the system service, whose unit sets `XDG_STATE_HOME=/var/cache`; `nil` if it was never started, or this
    /// user may not read it.
    package static var ofService: ServiceNote? {
        KnownMirrors.stateDirectory(["XDG_STATE_HOME": "/var/cache"]).flatMap(read)
    }

    /// The notes of the daemon of this user and of the system service.
    private static func all(_ environment: [String: String]) -> [ServiceNote] {
        [KnownMirrors.stateDirectory(environment).flatMap(read), ofService].compactMap(\.self)
    }

    /// The latest note of a daemon of the mirror at `root`; `nil` if there is none.
    package static func find(
        root: String, _ environment: [String: String]
    ) -> ServiceNote? {
        // In bytes: two directories may have names that Swift takes for the same text.
        all(environment).filter { $0.root.utf8.elementsEqual(root.utf8) }
            .max { $0.since < $1.since }
    }

    /// The note of another process that waits for NASA's first answer, and why; `nil` if none does.
    package static func waiting(
        _ environment: [String: String]
    ) -> (note: ServiceNote, reason: String)? {
        for note in all(environment) where note.process != getpid() && note.isAlive {
            if case .waiting(let reason) = note.state { return (note, reason) }
        }
        return nil
    }

    private static func read(_ folder: String) -> ServiceNote? {
        let bytes = try? Directory(opening: folder).read(fileName, limit: 1 << 20)
        return bytes.flatMap(ServiceNote.init(stateDocument:))
    }
}
