import CLinux
import Glibc
import ThumbnailProtocol

/// Restricts this process permanently, because a malicious picture may take it over.
///
/// The process gets limited memory and processor time, writes only into files that the daemon opened, makes only the system
/// calls that decoding needs, and ends with the daemon.
struct Sandbox {
    let limits: ThumbnailerLimits

    /// Address space for libraries and the mapped picture, in bytes, beside ``ThumbnailerLimits/memory``.
    private static let maximumMapped = 1 << 30

    /// Enters the sandbox, before the first picture is opened.
    ///
    /// - Returns: `nil` if all restrictions are active; else what the system refused, and a remedy: the process must end.
    func enter() -> String? {
        // The daemon handles the signals of a terminal, and ends this process itself.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        // A response to a daemon that is gone then fails with EPIPE.
        signal(SIGPIPE, SIG_IGN)
        // The crash handlers of the Swift runtime need system calls that are forbidden here.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
        preferAsVictimOfLowMemory()
        // Also gives up the privileges that a program could gain, which the filter requires.
        guard clinux_set_parent_death_signal() == 0 else {
            return Self.refused("it cannot give up its privileges", "allow it prctl(2)")
        }
        guard setLimits() else {
            return Self.refused(
                "it cannot limit its memory and processor time",
                "raise the limits, see “ulimit -Ha”")
        }
        // mutation test: system-call-filter
        guard clinux_install_seccomp_filter() == 0 else {
            return Self.refused(
                "it cannot filter its system calls", "use a kernel with seccomp(2)")
        }
        return nil
    }

    private static func refused(_ what: String, _ remedy: String) -> String {
        let reason = unsafe String(cString: strerror(errno))
        return "\(what): \(reason); \(remedy), or “--thumbnails no”"
    }

    /// Sizes are in bytes; see getrlimit(2).
    private func setLimits() -> Bool {
        [
            // mutation test: memory-limit
            (RLIMIT_DATA, limits.memory),
            (RLIMIT_AS, limits.memory + Self.maximumMapped),
            (RLIMIT_FSIZE, limits.file),
            // Descriptors 0 to 4: the socket, /dev/null twice, picture, thumbnail.
            (RLIMIT_NOFILE, 5),
            (RLIMIT_CORE, 0),
        ].allSatisfy { kind, limit in clinux_limit(CInt(kind.rawValue), UInt(limit)) == 0 }
            // The daemon calls this function, too: it sets this limit again for each picture.
            && clinux_limit_processor(getpid(), UInt(limits.processorSeconds)) == 0
    }

    /// Asks the kernel to kill this process first when memory is low, see proc(5); a failure does no harm.
    private func preferAsVictimOfLowMemory() {
        let file = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, "1000", 4)
        close(file)
    }
}
