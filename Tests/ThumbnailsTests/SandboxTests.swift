import CLinux
import Glibc
import TestSupport
import Testing

@testable import ThumbnailProtocol
@testable import apod_mirror_thumbnailer

/// The decoder process cannot regain dropped privileges.
@Suite(.timeLimit(.minutes(10))) struct SandboxTests {
    /// What a decoder that was taken over may try.
    enum Attempt: CaseIterable, Codable {
        case network, openedFile, process, signal, executableMemory, sharedMapping, sharedMemory
        /// RLIMIT_DATA does not count shared memory and stacks.
        case uncountedMemory, uncountedStack

        /// Whether it fails; `file` is one in memory.
        func fails(_ file: CInt) -> Bool {
            switch self {
            case .network: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) == -1
            case .openedFile: unsafe open("/etc/hostname", O_RDONLY) == -1
            case .process: unsafe posix_spawn(nil, "/bin/true", nil, nil, [nil], [nil]) == EPERM
            case .signal: kill(getppid(), 0) == -1
            case .executableMemory:
                Self.isUnmapped(4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS)
            // A file must not change while the parent checks it.
            case .sharedMapping: Self.isUnmapped(4096, PROT_READ | PROT_WRITE, MAP_SHARED, file)
            case .sharedMemory:
                unsafe clinux_memfd_create("test") == -1 && shmget(IPC_PRIVATE, 4096, 0o600) == -1
            case .uncountedMemory:
                Self.isUnmapped(1 << 29, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS)
            case .uncountedStack:
                Self.isUnmapped(
                    1 << 29, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN)
            }
        }

        private static func isUnmapped(
            _ bytes: Int, _ protection: CInt, _ flags: CInt, _ file: CInt = -1
        ) -> Bool {
            unsafe mmap(nil, bytes, protection, flags, file, 0) == MAP_FAILED
        }
    }

    @Test(arguments: Attempt.allCases)
    func theSandboxPrevents(attempt: Attempt) async {
        await #expect(processExitsWith: .exitCode(7)) { [attempt] in
            let file = unsafe clinux_memfd_create("test")
            guard ftruncate(file, 4096) == 0 else { exit(1) }
            try Sandbox(limits: .defaults).enter()
            exit(attempt.fails(file) && (attempt == .process || errno == EPERM) ? 7 : 2)
        }
    }

    @Test func theSandboxLimitsMemory() async {
        await #expect(processExitsWith: .exitCode(7)) {
            try Sandbox(limits: .init(memory: 64 << 20, processorSeconds: 9)).enter()
            exit(unsafe malloc(80 << 20) == nil ? 7 : 2)
        }
    }

    @Test func aCrashEndsTheProcessAtOnce() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            try Sandbox(limits: .defaults).enter()
            _ = unsafe UnsafePointer<Int>(bitPattern: 8)?.pointee
        }
    }

    @Test func theSandboxLimitsCPUTime() async {
        await #expect(processExitsWith: .signal(SIGXCPU)) {
            try Sandbox(limits: .init(memory: 64 << 20, processorSeconds: 1)).enter()
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
