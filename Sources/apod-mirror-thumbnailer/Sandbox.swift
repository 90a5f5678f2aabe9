import CLinux
import Glibc
import ThumbnailProtocol

/// Restricts this process permanently, against malicious pictures.
struct Sandbox {
    let limits: ThumbnailerLimits

    /// Address space for libraries and one mapped picture, in bytes.
    private static let maximumMapped = 1 << 30

    /// Enters the sandbox.
    ///
    /// - Returns: What the system refused, and a remedy; `nil` if all restrictions are active.
    func enter() -> String? {
        // The daemon handles these signals and ends this process itself.
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
        // The crash handlers of the Swift runtime need system calls that are forbidden here.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
        sacrificeFirst()
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

    private func setLimits() -> Bool {
        [
            // mutation test: memory-limit
            (RLIMIT_DATA, limits.memory),
            (RLIMIT_AS, limits.memory + Self.maximumMapped),
            (RLIMIT_FSIZE, limits.file),
            // Socket, /dev/null twice, picture, thumbnail.
            (RLIMIT_NOFILE, 5),
            (RLIMIT_CORE, 0),
        ].allSatisfy { kind, limit in clinux_limit(CInt(kind.rawValue), UInt(limit)) == 0 }
            && clinux_limit_processor(getpid(), UInt(limits.processorSeconds)) == 0
    }

    /// Lets the kernel kill this process first when memory is low: see proc(5).
    private func sacrificeFirst() {
        let file = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        _ = unsafe write(file, "1000", 4)
        close(file)
    }
}
