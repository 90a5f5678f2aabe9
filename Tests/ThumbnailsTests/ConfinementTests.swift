import Glibc
import TestSupport
import Testing
import ThumbnailProtocol

@testable import apod_mirror_thumbnailer

/// What the process that decodes gives up, it has lost.
@Suite(.timeLimit(.minutes(1))) struct ConfinementTests {
    @Test func itTalksToNobody() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Confinement(.usual).enter() else { exit(1) }
            let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            exit(socket == -1 && errno == EPERM ? 7 : 2)
        }
    }

    @Test func itOpensNothing() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Confinement(.usual).enter() else { exit(1) }
            let file = unsafe open("/etc/hostname", O_RDONLY)
            exit(file == -1 && errno == EPERM ? 7 : 2)
        }
    }

    @Test func itStartsNothing() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Confinement(.usual).enter() else { exit(1) }
            var process = pid_t()
            let code = unsafe posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
            exit(code == EPERM ? 7 : 2)
        }
    }

    @Test func itKillsNobody() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Confinement(.usual).enter() else { exit(1) }
            exit(kill(getppid(), 0) == -1 && errno == EPERM ? 7 : 2)
        }
    }

    @Test func itRunsNoMemory() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Confinement(.usual).enter() else { exit(1) }
            let memory = unsafe mmap(
                nil, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            exit(unsafe memory == MAP_FAILED && errno == EPERM ? 7 : 2)
        }
    }

    @Test func itGetsNoMoreMemoryThanItMay() async {
        await #expect(processExitsWith: .exitCode(7)) {
            guard Confinement(.init(memory: 64 << 20, processorSeconds: 9)).enter() else { exit(1) }
            exit(unsafe malloc(80 << 20) == nil ? 7 : 2)
        }
    }

    @Test func aCrashEndsItAtOnce() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            guard Confinement(.usual).enter() else { exit(1) }
            _ = unsafe UnsafePointer<Int>(bitPattern: 8)?.pointee
        }
    }

    @Test func itEndsWithItsProcessorTime() async {
        await #expect(processExitsWith: .signal(SIGXCPU)) {
            guard Confinement(.init(memory: 64 << 20, processorSeconds: 1)).enter() else { exit(1) }
            while true {}
        }
    }

    @Test(arguments: [[], ["7"], ["a", "1"], ["1", "0"], ["1", "2", "3"]] as [[String]])
    func wordsThatAreNoLimitsAreNone(_ words: [String]) {
        #expect(ThumbnailerLimits(words: words) == nil)
        #expect(ThumbnailerLimits(words: ThumbnailerLimits.usual.words) == .usual)
    }
}
