import Glibc
import Platform
import TestSupport

/// A concurrent apod-mirror in its own process group.
///
/// It is killed with its last reference, which waits for its end, and when the waiting task is cancelled.
package final class Program: Sendable {
    package let pid: Int32
    package let output: Capture
    package let errors: Capture
    private let command: [String]
    private let status: Task<End, Never>
    private let isOver: Monitor<Bool>

    /// The apod-mirror that was built with the tests.
    package static let path = "\(directory)/apod-mirror"
    /// The apod-mirror-simulator that was built with the tests.
    package static let simulator = "\(directory)/apod-mirror-simulator"

    private static let directory: String = {
        let tests = Directory.proc?.target(of: "exe") ?? ""
        return "/" + tests.split(separator: "/").dropLast().joined(separator: "/")
    }()

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - command: The path of an executable, and its arguments.
    ///   - environment: Its variables, except those for sanitizers or the linker.
    ///   - terminal: The destination of its errors; a pipe if `nil`.
    ///   - screen: The destination of its output; a pipe if `nil`.
    /// - Throws: `SystemError` if it cannot be started.
    package init(
        _ command: [String], environment: [String: String], terminal: Pseudoterminal? = nil,
        screen: Pseudoterminal? = nil
    ) throws {
        self.command = command
        let output = try screen.map { Pipe(reader: $0.master, writer: $0.slave) } ?? Pipe()
        let errors = try terminal.map { Pipe(reader: $0.master, writer: $0.slave) } ?? Pipe()
        var inherited = processEnvironment().filter { Self.inherited.contains($0.key) }
        // ThreadSanitizer would delay the end of every program by a second.
        inherited["TSAN_OPTIONS", default: ""] += " atexit_sleep_ms=0"
        let variables = inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }
        defer {
            close(output.writer)
            close(errors.writer)
        }
        pid = try spawn(
            command, environment: variables,
            (input: nil, output: output.writer, error: errors.writer), isLeader: true)
        self.output = Capture(of: output.reader)
        self.errors = Capture(of: errors.reader)
        let isOver = Monitor(false)
        self.isOver = isOver
        status = Task { [pid] in await Self.end(of: pid, isOver) }
    }

    /// A killed process may still finish a system call, and so write into a directory that is to be removed.
    deinit {
        signal(SIGKILL)
        if !isOver.withLock(\.self) { Self.waitForEnd(of: pid) }
    }

    /// Waits until the process has ended, without reaping it; at once if that was done.
    private static func waitForEnd(of pid: Int32) {
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    }

    /// Runs a command, and waits for its end.
    package static func run(
        _ command: [String], environment: [String: String] = [:]
    ) async throws -> Ending {
        try await Program(command, environment: environment).end()
    }

    private static let inherited: Set = [
        "PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]

    /// Sends a signal to the process group of the program, unless it has ended.
    package func signal(_ number: Int32) {
        // Its process ID is not reused until it is reaped.
        isOver.withLock { isOver in
            if !isOver { kill(-pid, number) }
        }
    }

    /// Ends it by SIGTERM.
    package func stop() async throws -> Ending {
        signal(SIGTERM)
        return try await end()
    }

    /// Waits until it has ended and its output is read.
    package func end() async throws -> Ending {
        let end = await withTaskCancellationHandler {
            await status.value
        } onCancel: {
            signal(SIGKILL)
        }
        return Ending(
            of: command, status: end.status, output: try await output.whole(),
            errors: try await errors.whole(), peakMemory: end.peakMemory)
    }

    private struct End {
        let status: Int32
        let peakMemory: Int
    }

    private static func end(of pid: Int32, _ isOver: Monitor<Bool>) async -> End {
        await withCheckedContinuation { continuation in
            startThread("waitpid") {
                waitForEnd(of: pid)
                let end = isOver.withLock { isOver in
                    var status: Int32 = 0
                    var usage = rusage()
                    unsafe wait4(pid, &status, 0, &usage)
                    isOver = true
                    return End(status: status, peakMemory: usage.ru_maxrss << 10)
                }
                continuation.resume(returning: end)
            }
        }
    }
}

extension Directory {
    fileprivate static var proc: Directory? { try? Directory(opening: "/proc/self") }
}

/// A pipe; the program writes to the second descriptor.
private struct Pipe {
    let reader: Int32
    let writer: Int32

    init(reader: Int32, writer: Int32) {
        self.reader = reader
        self.writer = writer
    }

    init() throws(SystemError) {
        var ends: [Int32] = [0, 0]
        // Opened with O_CLOEXEC, so that no other program inherits it.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try retryingInterrupts("socketpair", path: "a program") {
            unsafe socketpair(AF_UNIX, kind, 0, &ends)
        }
        self.init(reader: ends[0], writer: ends[1])
    }
}
