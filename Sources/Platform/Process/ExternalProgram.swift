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

    /// Runs the program with the variables and in the working directory of this process; returns whether it exited with 0.
    ///
    /// The program is ended after `limit`, or when the task is cancelled.
    package func succeeds(within limit: Duration) async -> Bool {
        // A terminal would stop a program in another process group.
        let outcome = try? await run(nil, in: nil, ownGroup: false, outputLimit: 0, within: limit)
        return outcome?.ending == .exit(code: 0)
    }

    /// Runs the program with the variables `environment` alone, in `directory`; see ``spawn(_:_:_:streams:in:ownGroup:)``.
    ///
    /// After `limit`, and when the task is cancelled, the program gets SIGTERM, and SIGKILL after `grace`. So do the processes of
    /// its own group that are left when it has ended. After twice `grace`, this method no longer waits. The first `outputLimit`
    /// bytes that the program prints are returned. The ending is `nil` if the program did not end by itself.
    package func run(
        _ environment: [String: String]?, in directory: String?, ownGroup: Bool, outputLimit: Int,
        within limit: Duration, grace: Duration = .seconds(1)
    ) async throws(SystemError) -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        var ends: [CInt] = [-1, -1]
        try retryingInterrupts("pipe2", path: path) { unsafe clinux_pipe(&ends) }
        let reader = FileDescriptor(owning: ends[0])
        // It stays open until the program has ended, because the loop would wake up again and again at the end of the file.
        let writer = FileDescriptor(owning: ends[1])
        let output = SharedValue<[UInt8]>([])
        // The loop may call this once more after the end of the registration: the closure keeps the descriptor open.
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
        // This task may be cancelled. The other one, which ends the program, is not.
        let ending = await Task(executorPreference: ThreadPoolExecutor.shared) {
            await Self.end(child, andItsGroup: ownGroup, grace)
        }.value
        registration.cancel()
        readSome()
        withExtendedLifetime(writer) {}
        return (isInTime ? ending : nil, output.withLock(\.self))
    }

    /// Ends and reaps `child`; `nil` if not even SIGKILL ends it, because it waits for a disk that hangs.
    private static func end(
        _ child: Int32, andItsGroup hasGroup: Bool, _ grace: Duration
    ) async -> ChildProcess.Ending? {
        // No other process gets this ID before the child is reaped.
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
        // If this process is the first one of a container, it becomes the parent of what the child left.
        while hasGroup, waitpid(target, nil, WNOHANG) >= 0, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
        }
        return ending
    }

    /// Waits until `child` has ended, which is not reaped, at most until `deadline` or a cancellation.
    private static func waitForEnd(of child: Int32, by deadline: ContinuousClock.Instant) async {
        // It can be read once the child has ended; see pidfd_open(2). Without a free descriptor, the caller ends the child.
        let handle = clinux_pidfd(child)
        guard handle >= 0 else {
            // The filter of an old container runtime refuses the call.
            let isBlocked = [EPERM, ENOSYS].contains(errno)
            while isBlocked, isRunning(child), ContinuousClock.now < deadline, !Task.isCancelled {
                try? await LoopClock().sleep(for: .milliseconds(20))
            }
            return
        }
        let file = FileDescriptor(owning: handle)
        // After a cancellation, too, the caller ends the child.
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
