import CLinux
import Glibc
import TestSupport
import Testing

@testable import ThumbnailProtocol
@testable import apod_mirror_thumbnailer

/// The decoder process cannot regain dropped privileges.
@Suite(.timeLimit(.minutes(10))) struct SandboxTests {
    @Test func theSandboxPreventsNetworkAccess() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            exit(socket == -1 && errno == EPERM ? 7 : 2)
        }
    }

    @Test func theSandboxPreventsOpeningFiles() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            let file = unsafe open("/etc/hostname", O_RDONLY)
            exit(file == -1 && errno == EPERM ? 7 : 2)
        }
    }

    @Test func theSandboxPreventsStartingProcesses() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            var process = pid_t()
            let code = unsafe posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
            exit(code == EPERM ? 7 : 2)
        }
    }

    @Test func theSandboxPreventsSignals() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            exit(kill(getppid(), 0) == -1 && errno == EPERM ? 7 : 2)
        }
    }

    @Test func theSandboxPreventsExecutableMemory() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            let memory = unsafe mmap(
                nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            exit(unsafe memory == MAP_FAILED && errno == EPERM ? 7 : 2)
        }
    }

    /// RLIMIT_DATA does not count shared memory and stacks.
    @Test(arguments: [MAP_SHARED | MAP_ANONYMOUS, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN])
    func theSandboxPreventsUncountedMemory(_ flags: CInt) async {
        await #expect(processExitsWith: .exitCode(7)) { [flags] in
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            let memory = unsafe mmap(nil, 1 << 29, PROT_READ | PROT_WRITE, flags, -1, 0)
            exit(unsafe memory == MAP_FAILED && errno == EPERM ? 7 : 2)
        }
    }

    /// A file must not change while the parent checks it.
    @Test func theSandboxPreventsSharedMappings() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let file = unsafe clinux_open_in_memory("test")
            guard ftruncate(file, 4096) == 0, Sandbox(limits: .defaults).enter() == nil else {
                exit(1)
            }
            let memory = unsafe mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            exit(unsafe memory == MAP_FAILED && errno == EPERM ? 7 : 2)
        }
    }

    @Test func theSandboxPreventsSharedMemory() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            let isMade =
                unsafe clinux_open_in_memory("test") != -1 || shmget(IPC_PRIVATE, 4096, 0o600) != -1
            exit(!isMade && errno == EPERM ? 7 : 2)
        }
    }

    @Test func theSandboxLimitsMemory() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Sandbox(limits: .init(memory: 64 << 20, processorSeconds: 9)).enter() == nil
            else {
                exit(1)
            }
            exit(unsafe malloc(80 << 20) == nil ? 7 : 2)
        }
    }

    @Test func aCrashEndsTheProcessAtOnce() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            guard Sandbox(limits: .defaults).enter() == nil else { exit(1) }
            _ = unsafe UnsafePointer<Int>(bitPattern: 8)?.pointee
        }
    }

    @Test func theSandboxLimitsCPUTime() async {
        await #expect(processExitsWith: .signal(SIGXCPU)) {
            guard Sandbox(limits: .init(memory: 64 << 20, processorSeconds: 1)).enter() == nil
            else {
                exit(1)
            }
            while true {}
        }
    }

    /// Only root may raise a hard limit, such as one of “ulimit -t”.
    @Test func noHardLimitIsRaised() async {
        await #expect(processExitsWith: .exitCode(7)) {
            // RLIMIT_CPU in seconds, and RLIMIT_FSIZE in bytes.
            let numbers = [__rlimit_resource_t(0), __rlimit_resource_t(1)]
            for resource in 0...1 as ClosedRange<CInt> {
                let number = numbers[Int(resource)]
                var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
                guard unsafe setrlimit(number, &limit) == 0 else { exit(1) }
                let code =
                    resource == 0
                    ? clinux_limit_processor(getpid(), 2000) : clinux_limit(resource, 2000)
                guard code == 0, unsafe getrlimit(number, &limit) == 0 else { exit(2) }
                guard limit.rlim_max == 1000, limit.rlim_cur == 1000 else { exit(3) }
            }
            guard clinux_limit(1, 500) == 0 else { exit(4) }
            exit(7)
        }
    }

    @Test(
        arguments: [[], ["7"], ["a", "1"], ["1", "0"], ["1", "2"], ["1", "2", "3", "4"]]
            as [[String]])
    func invalidLimitsAreRejected(_ words: [String]) {
        #expect(ThumbnailerLimits(arguments: words) == nil)
        #expect(ThumbnailerLimits(arguments: ThumbnailerLimits.defaults.arguments) == .defaults)
    }
}
