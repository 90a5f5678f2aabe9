/// What the process ends with, so that scripts and systemd can tell what happened.
enum ExitCode: Int32 {
    case done = 0
    case failure = 1
    case usage = 2
    case missing = 3
    case noMirror = 4
    case inUse = 5
    case noSpace = 6
    case unreachable = 7
    case stale = 9
}
