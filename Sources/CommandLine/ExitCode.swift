/// The exit codes of this project's programs, by which scripts and systemd learn how a command ended.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failure = 1
    case usage = 2
    case missing = 3
    case noMirror = 4
    case inUse = 5
    case noSpace = 6
    case unreachable = 7
    case damaged = 8
    case stale = 9
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// The meaning in the help, unless a command has a narrower one: see ``CommandProtocol/meaning(of:)``.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failure: "failure"
        case .usage: "wrong usage"
        case .missing: "some days are missing"
        case .noMirror: "not a mirror, or its disk is not mounted or not writable"
        case .inUse: "another process uses the mirror"
        case .noSpace: "disk full, or --min-free reached"
        case .unreachable: "NASA unreachable"
        case .damaged: "files are damaged or missing"
        case .stale:
            "stale: the newest day is over two days old, or the daemon has ended and a new day is due"
        case .hungUp: "ended by a closed terminal (SIGHUP)"
        case .interrupted: "ended by Ctrl+C (SIGINT)"
        case .terminated: "ended by SIGTERM"
        }
    }
}
