import CLinux
import Glibc
import ThumbnailProtocol

/// Restricts this process permanently, because a malicious picture may take it over.
///
/// The process gets limited memory and processor time, writes only into files that the daemon opened, makes only the system
/// calls that decoding needs, and ends with the daemon.
struct Sandbox {
    /// What the system refused, and what the user can do about it.
    struct Refusal: Error {
        let reason: String

        /// Says that `restriction` failed, and why: this must be made before another call changes `errno`.
        fileprivate init(_ restriction: String, remedy: String) {
            let error = unsafe String(cString: strerror(errno))
            reason = "\(restriction): \(error); \(remedy), or “--thumbnails no”"
        }
    }

    let limits: ThumbnailerLimits

    /// The bytes of address space for libraries and the mapped picture, beside ``ThumbnailerLimits/memory``.
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
        // mutation test: system-call-filter (see Tests/Mutants)
        guard clinux_install_seccomp_filter() == 0 else {
            throw Refusal(
                "it cannot filter its system calls", remedy: "use a kernel with seccomp(2)")
        }
    }

    /// Sets the limits of sizes, counts and processor time, and returns whether it could set all; see getrlimit(2).
    private func setLimits() -> Bool {
        let sizeLimits = [
            // mutation test: memory-limit
            (RLIMIT_DATA, limits.memory),
            (RLIMIT_AS, limits.memory + Self.maximumMapped),
            (RLIMIT_FSIZE, limits.outputSize),
            // Descriptors 0 to 4: the socket, /dev/null twice, picture, thumbnail.
            (RLIMIT_NOFILE, 5),
            (RLIMIT_CORE, 0),
        ]
        for (resource, limit) in sizeLimits {
            guard clinux_limit(CInt(resource.rawValue), UInt(limit)) == 0 else { return false }
        }
        // The daemon sets this limit again for each picture.
        return clinux_limit_processor(getpid(), UInt(limits.processorSeconds)) == 0
    }

    /// Asks the kernel to kill this process first when memory is low, see proc(5); a failure does no harm.
    private func preferAsVictimOfLowMemory() {
        let file = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let maximumScore = "1000"
        _ = unsafe write(file, maximumScore, maximumScore.utf8.count)
        close(file)
    }
}
