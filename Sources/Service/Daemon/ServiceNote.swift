package import FoundationEssentials
internal import Glibc
package import Mirror
internal import Platform

/// What a daemon leaves outside of its mirror: which mirror it serves, since when, with which settings, why it waits or
/// failed.
///
/// `status` and `doctor` read it, and commands that find no mirror. It exists even if the service cannot open its mirror.
/// The note is `service.json` beside the list of ``KnownMirrors``, one for each user. If it cannot be written, the daemon
/// goes on without it.
package struct ServiceNote: Hashable, Codable, Sendable {
    package enum State: Hashable, Codable, Sendable {
        /// The daemon creates its mirror after NASA's first answer, and has none for this reason.
        case waiting(reason: String)
        /// The daemon writes its mirror, unless an obstacle prevents that.
        case running(Obstacle?)
        /// The daemon ended by a signal or a person's command.
        case stopped
        /// The daemon ended with this error.
        case failed(reason: String)
    }

    private static let fileName = "service.json"

    /// The process ID of the daemon.
    package let process: Int32
    /// The name of that process, because a later process may get its ID; `nil` if it is not known.
    private let processName: String?
    /// The path of its mirror; empty if the daemon could not read its settings.
    package let root: String
    /// Its settings as they were typed, without secrets, by the names of their options.
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

    /// Whether the daemon still runs; another process that has its ID since does not count.
    package var isAlive: Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        // The name of another user's process may be hidden, see hidepid in proc(5).
        return Self.name(of: process).map { $0 == processName } ?? true
    }

    /// Whether the note is of another running daemon of this user, so that this process must not replace it.
    ///
    /// This process is a second daemon then, which the lock of the mirror refuses.
    private var isOfOtherDaemon: Bool {
        switch state {
        case .waiting, .running:
            // The name is compared because any process may have the ID since a start of the machine.
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

    /// What keeps all days away, as the running daemon noted; `nil` if nothing does, or no daemon runs.
    package var obstacle: Obstacle? {
        if case .running(let obstacle) = state, isAlive { obstacle } else { nil }
    }

    /// Why the daemon failed; `nil` if it did not, or NASA was reached since, such as by `run --once` of a timer.
    package func failure(before lastSuccess: Date?) -> String? {
        guard case .failed(let reason) = state else { return nil }
        // A success within the same second is no later one, because the note has whole seconds.
        if let lastSuccess, lastSuccess >= since + 1 { return nil }
        return reason
    }

    // MARK: Writing

    /// Notes the state of this process, the daemon with `settings`, in the state directory of `environment`.
    package static func write(
        _ state: State, _ settings: Settings, _ environment: [String: String]
    ) {
        ServiceNote(root: settings.root, settings: settings.typed, state).write(environment)
    }

    /// Notes that this process, a daemon, failed, perhaps before it had its settings.
    package static func writeFailure(_ reason: String, _ environment: [String: String]) {
        let last = KnownMirrors.stateDirectory(environment).flatMap(read(in:))
        let note =
            if let last, last.process == getpid() {
                ServiceNote(root: last.root, settings: last.settings, .failed(reason: reason))
            } else {
                ServiceNote(
                    root: rootInVariables(environment), settings: [:], .failed(reason: reason))
            }
        note.write(environment)
    }

    /// The path of the mirror that variables name; empty if none does.
    private static func rootInVariables(_ environment: [String: String]) -> String {
        if let root = environment["APOD_MIRROR_ROOT"] { return resolvedPath(root) }
        // STATE_DIRECTORY is a list, see systemd.exec(5).
        let first = environment["STATE_DIRECTORY"].map { String($0.prefix { $0 != ":" }) }
        return first.map(resolvedPath) ?? ""
    }

    private func write(_ environment: [String: String]) {
        guard let path = KnownMirrors.stateDirectory(environment),
            let folder = try? Directory(opening: "/")
                .makeDirectory(String(path.dropFirst()), mode: 0o700)
        else { return }
        if Self.read(in: path)?.isOfOtherDaemon == true { return }
        try? AtomicFile.publish(stateDocument, in: folder, as: Self.fileName, through: folder)
    }

    // MARK: Reading

    /// The note of the system service, whose unit sets `XDG_STATE_HOME=/var/cache`; `nil` if it was never started, or this
    /// user may not read it.
    package static var ofService: ServiceNote? {
        KnownMirrors.stateDirectory(["XDG_STATE_HOME": "/var/cache"]).flatMap(read(in:))
    }

    /// The notes of the daemon of this user and of the system service.
    private static func all(_ environment: [String: String]) -> [ServiceNote] {
        [KnownMirrors.stateDirectory(environment).flatMap(read(in:)), ofService]
            .compactMap(\.self)
    }

    /// The latest note of a daemon of the mirror at `root`; `nil` if there is none.
    package static func find(
        root: String, _ environment: [String: String]
    ) -> ServiceNote? {
        // Bytes are compared, because Swift takes the names of two directories for equal if they look alike.
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

    private static func read(in folder: String) -> ServiceNote? {
        let bytes = try? Directory(opening: folder).read(fileName, limit: 1 << 20)
        return bytes.flatMap(ServiceNote.init(stateDocument:))
    }
}
