package import FoundationEssentials
internal import Glibc
package import Mirror
internal import Platform

/// What a daemon writes about itself outside of its mirror: which mirror it serves, with which settings, and why it waits or
/// failed.
///
/// `status` and `doctor` read the note, and so do commands that find no mirror, because the note is there even if the daemon
/// cannot open its mirror. ``ServiceNoteFile`` is the file of the note.
package struct ServiceNote: Hashable, Codable, Sendable {
    package typealias Failures = [LastRun.ServiceName: SyncState.Failure]

    /// What the daemon does, or how it ended.
    package enum State: Hashable, Codable, Sendable {
        /// The daemon will create its mirror after NASA's first answer; the reason says why there is no answer yet.
        case waiting(reason: String)
        /// The daemon has its mirror open. The obstacle, if there is one, keeps all days away.
        ///
        /// The failures, `nil` if there are none, are also in the ``LastRun`` in the mirror, unless the disk of the mirror takes no
        /// writes.
        case running(obstacle: Obstacle? = nil, failures: Failures? = nil)
        /// A person or the system ended the daemon.
        case stopped
        case failed(reason: String)

        private enum RunningCodingKeys: String, CodingKey {
            // The name in the files of earlier versions.
            case obstacle = "_0"
            case failures
        }
    }

    /// The ID of the daemon's process.
    package let process: Int32
    /// The name of the process, which distinguishes it from a later process with the same ID; `nil` if the name is not known.
    private let processName: String?
    /// The ID of the daemon's user; `nil` in a note of an earlier version.
    private let user: UInt32?
    /// The path of the mirror; empty if the daemon could not read its settings.
    package let root: String
    /// The settings as the user typed them, without secrets, by the names of their options.
    package let settings: [String: String]
    /// When the daemon wrote the note.
    package let since: Date
    package let state: State

    /// Makes the note of this process.
    init(root: String, settings: [String: String], _ state: State) {
        process = getpid()
        user = Account.effectiveUserID
        processName = OtherProcess.name(of: getpid())
        self.root = root
        self.settings = settings
        since = Date()
        self.state = state
    }

    // MARK: The process

    /// Whether the process of the daemon still runs, as far as this process can see, and is not this one.
    ///
    /// The ID and the name of the process identify it. A daemon in another container is not seen, see ``hasEnded(unlessItIs:)``.
    package var isAlive: Bool { OtherProcess.exists(process, named: processName) }

    /// Whether the daemon has ended; `writer` is the process that has the lock of its mirror, if that is known.
    ///
    /// The lock also shows a daemon in another container. But the lock alone does not suffice, because a restore may have written
    /// another ID into the locked files.
    func hasEnded(unlessItIs writer: FileLock.Holder?) -> Bool {
        switch state {
        case .waiting, .running:
            writer != FileLock.Holder(process: process, role: .daemon) && !isAlive
        case .stopped, .failed: true
        }
    }

    /// Whether the daemon waits for NASA's first answer, and has no mirror yet.
    var waits: Bool { if case .waiting = state { true } else { false } }

    /// Whether a daemon of this user keeps the mirror: one that runs or has failed, but was not stopped.
    var isOfDaemonOfThisUser: Bool { user == Account.effectiveUserID && state != .stopped }

    /// Whether another daemon of this user, not this process, has written the note and still runs.
    var isOfOtherRunningDaemon: Bool {
        switch state {
        case .waiting, .running:
            // The signal 0 only checks whether this user may send one, see kill(2). A process of another user has the ID of an
            // earlier daemon by chance.
            isAlive && kill(process, 0) == 0
        case .stopped, .failed: false
        }
    }

    /// Whether the daemon runs, but lost its mirror: another one is now at the path, `tree`, as after a restore.
    ///
    /// A daemon locks its mirror before it writes that it runs, and keeps the lock until it ends. So if the lock of `tree` is
    /// free, the daemon has locked another mirror. It notices this itself only before its next sync or scan.
    func hasLostMirror(at tree: Tree) -> Bool {
        guard case .running = state, tree.isUnlocked else { return false }
        // Checked last, because a process that ended meanwhile has released its lock.
        return isAlive
    }

    // MARK: What the daemon reports

    /// What keeps all days away, as the running daemon has written; `nil` if nothing does.
    package var obstacle: Obstacle? {
        if case .running(let obstacle, _) = state { obstacle } else { nil }
    }

    /// What the running daemon could not read or write; `nil` if there is nothing.
    package var failures: Failures? {
        if case .running(_, let failures) = state { failures } else { nil }
    }

    /// Why the daemon failed; `nil` if it did not fail, or if another process, such as `run --once`, reached NASA later.
    ///
    /// `lastSuccess` is when NASA was last reached; `nil` if that is not known.
    package func failure(unlessFollowedBySuccessAt lastSuccess: Date?) -> String? {
        guard case .failed(let reason) = state else { return nil }
        // The note has whole seconds: a success within the same second may have come before the failure.
        if let lastSuccess, lastSuccess >= since + 1 { return nil }
        return reason
    }
}
