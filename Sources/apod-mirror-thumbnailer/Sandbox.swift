import CLinux
import Glibc
import ThumbnailProtocol

/// What keeps a decoder that went wrong from doing harm: all of it holds until the process ends.
struct Sandbox {
    private let limits: ThumbnailerLimits

    init(_ limits: ThumbnailerLimits) {
        self.limits = limits
    }

    /// Beside its own memory the process maps its libraries and one picture.
    private static let maximumMapped = 1 << 30

    /// - Returns: Whether all of it holds.
    func enter() -> Bool {
        // What stops the daemon, or the whole group of a terminal, is not for this process to act on.
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
        // The handlers of Swift's runtime would try to tell of a crash, which they may not, for ever.
        for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
            signal(number, SIG_DFL)
        }
        sacrificeFirst()
        return clinux_prepare_forgetting() == 0 && clinux_set_parent_death_signal() == 0
            && setLimits()
            && clinux_install_seccomp_filter() == 0
    }

    private func setLimits() -> Bool {
        [
            (RLIMIT_DATA, limits.memory),
            (RLIMIT_AS, limits.memory + Self.maximumMapped),
            (RLIMIT_FSIZE, ThumbnailerLimits.maximumFile),
            // Socket, nowhere twice, picture, thumbnail.
            (RLIMIT_NOFILE, 5),
            (RLIMIT_CORE, 0),
        ].allSatisfy { clinux_limit(CInt($0.0.rawValue), UInt($0.1)) == 0 }
            && clinux_limit_processor(getpid(), UInt(limits.processorSeconds)) == 0
    }

    /// Where memory runs out, this process is the one to go, as far as possible: see proc(5).
    private func sacrificeFirst() {
        let file = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        _ = unsafe write(file, "1000", 4)
        close(file)
    }
}
