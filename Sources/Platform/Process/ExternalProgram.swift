internal import CLinux
internal import Glibc

/// A program to run as a child process, without input.
package struct ExternalProgram: Sendable {
    private let path: String
    private let arguments: [String]

    /// Finds the program `name` in the absolute directories of `searchPath`, the variable `PATH`; `nil` if none
    /// has it.
    ///
    /// `arguments` are without the name of the program.
    package init?(_ name: String, _ arguments: [String] = [], in searchPath: String?) {
        guard let path = Self.find(name, in: searchPath) else { return nil }
        self.path = path
        self.arguments = arguments
    }

    /// Returns the path of the program `name` in the absolute directories of `searchPath`.
    package static func find(_ name: String, in searchPath: String?) -> String? {
        let directories = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Runs the program with the variables and in the working directory of this process; ends it after `limit`, or when the
    /// task is cancelled; returns whether it exited with 0.
    package func succeeds(within limit: Duration) async -> Bool {
        // A terminal would stop it in another group.
        let outcome = try? await run(nil, in: nil, ownGroup: false, outputLimit: 0, within: limit)
        return outcome?.ending == .exit(code: 0)
    }

    /// Runs the program with the variables `environment` alone, in `directory`; see ``spawn(_:_:_:streams:in:ownGroup:)``.
    ///
    /// After `limit`, and when the task is cancelled, it gets SIGTERM, and after `grace` SIGKILL; so does the rest of its own
    /// group when it has ended. After twice `grace`, nothing is waited for. What it prints after `outputLimit` bytes is read
    /// and dropped. The ending is `nil` if it was ended.
    package func run(
        _ environment: [String: String]?, in directory: String?, ownGroup: Bool, outputLimit: Int,
        within limit: Duration, grace: Duration = .seconds(1)
    ) async throws(SystemError) -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        var ends: [CInt] = [-1, -1]
        try retryingInterrupts("pipe2", path: path) { unsafe clinux_pipe(&ends) }
        let reader = FileDescriptor(owning: ends[0])
        // Open until the program has ended: the loop would wake up again and again at the end of the file.
        let writer = FileDescriptor(owning: ends[1])
        let output = SharedValue<[UInt8]>([])
        // May be called once more after the end of its registration, and retains its descriptor.
        let readSome: @Sendable () -> Void = {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = unsafe read(reader.rawValue, &buffer, buffer.count)
            output.withLock { $0 += buffer.prefix(max(0, min(count, outputLimit - $0.count))) }
        }
        let child = try await spawn(
            path, arguments, environment,
            streams: ChildStreams(output: writer.rawValue, error: writer.rawValue),
            in: directory, ownGroup: ownGroup)
        let deadline = ContinuousClock.now + limit
        let registration = EventLoop.shared.onReadable(reader.rawValue, readSome)
        await Self.waitForEnd(of: child, by: deadline)
        let isInTime = !Task.isCancelled && ContinuousClock.now < deadline
        // In a task of its own, which is not cancelled.
        let ending = await Task(executorPreference: ThreadPoolExecutor.shared) {
            await Self.end(child, andItsGroup: ownGroup, grace)
        }.value
        registration.cancel()
        readSome()
        withExtendedLifetime(writer) {}
        return (isInTime ? ending : nil, output.withLock(\.self))
    }

    /// Ends and reaps `child`; returns `nil` if it is in a system call that not even SIGKILL interrupts, as on a disk that hangs.
    private static func end(
        _ child: Int32, andItsGroup hasGroup: Bool, _ grace: Duration
    ) async -> ChildProcess.Ending? {
        // The number stays reserved until the child is reaped.
        let target = hasGroup ? -child : child
        kill(target, SIGTERM)
        await waitForEnd(of: child, by: .now + grace)
        kill(target, SIGKILL)
        let deadline = ContinuousClock.now + grace
        var ending = reap(child, WNOHANG)
        while ending == nil, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
            ending = reap(child, WNOHANG)
        }
        // What it left becomes a child of this process if that is the first of a container.
        while hasGroup, waitpid(target, nil, WNOHANG) >= 0, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
        }
        return ending
    }

    /// Waits until `child` has ended, which is not reaped, at most until `deadline` or a cancellation.
    private static func waitForEnd(of child: Int32, by deadline: ContinuousClock.Instant) async {
        // Can be read once the child has ended; see pidfd_open(2). Without a free descriptor, the child is ended.
        let handle = clinux_pidfd(child)
        guard handle >= 0 else {
            // Refused by the filter of an old container runtime.
            let isBlocked = [EPERM, ENOSYS].contains(errno)
            while isBlocked, isRunning(child), ContinuousClock.now < deadline, !Task.isCancelled {
                try? await LoopClock().sleep(for: .milliseconds(20))
            }
            return
        }
        let file = FileDescriptor(owning: handle)
        // A cancelled wait has the same result as a late one.
        try? await CancellableContinuation().wait(onReadable: file.rawValue, by: deadline)
        withExtendedLifetime(file) {}
    }

    /// Whether `child` has not ended; it is not reaped.
    private static func isRunning(_ child: Int32) -> Bool {
        var information = unsafe siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        return unsafe waitid(P_PID, id_t(child), &information, options) == 0
            && information.si_signo == 0
    }
}
