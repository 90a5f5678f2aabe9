import CLinux
import Glibc
import ThumbnailProtocol

/// Restricts this process permanently, because a malicious picture may take it over.
///
/// The process gets limited memory and processor time, writes only into files that the daemon opened, makes only the system
/// calls that decoding needs, and ends with the daemon. If a line after “mutation test” is changed, a test must fail, see
/// Tests/Mutants.
struct Sandbox {
    /// What the system refused, and what the user can do about it.
    struct Refusal: Error {
        let reason: String

        fileprivate init(_ what: String, remedy: String) {
            let error = unsafe String(cString: strerror(errno))
            reason = "\(what): \(error); \(remedy), or “--thumbnails no”"
        }
    }

    let limits: ThumbnailerLimits

    /// Address space for libraries and the mapped picture, in bytes, beside ``ThumbnailerLimits/memory``.
    private static let maximumMapped = 1 << 30

    /// Enters the sandbox, before the first picture is opened.
    ///
    /// - Throws: ``Refusal`` if a restriction is not active: the process must end.
    func enter() throws(Refusal) {
        // The daemon handles the signals of a terminal, and ends this process itself.
        for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, SIG_IGN) }
        // A response to a daemon that is gone must fail with EPIPE, not end the process.
        signal(SIGPIPE, SIG_IGN)
        // The crash handlers of the Swift runtime need system calls that are forbidden here.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
        preferAsVictimOfLowMemory()
        // The filter of system calls requires a process that cannot gain privileges.
        guard clinux_give_up_privileges() == 0 else {
            throw Refusal("it cannot give up its privileges", remedy: "allow it prctl(2)")
        }
        guard setLimits() else {
            throw Refusal(
                "it cannot limit its memory and processor time",
                remedy: "raise the limits, see “ulimit -Ha”")
        }
        // mutation test: system-call-filter
        guard clinux_install_seccomp_filter() == 0 else {
            throw Refusal(
                "it cannot filter its system calls", remedy: "use a kernel with seccomp(2)")
        }
    }

    /// Sets all limits, with sizes in bytes, and returns whether it could; see getrlimit(2).
    private func setLimits() -> Bool {
        [
            // mutation test: memory-limit
            (RLIMIT_DATA, limits.memory),
            (RLIMIT_AS, limits.memory + Self.maximumMapped),
            (RLIMIT_FSIZE, limits.outputSize),
            // Descriptors 0 to 4: the socket, /dev/null twice, picture, thumbnail.
            (RLIMIT_NOFILE, 5),
            (RLIMIT_CORE, 0),
        ].allSatisfy { kind, limit in clinux_limit(CInt(kind.rawValue), UInt(limit)) == 0 }
            // The daemon sets this limit again for each picture.
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
