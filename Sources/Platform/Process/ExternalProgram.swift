internal import CLinux
internal import Glibc

/// A program of this machine that is run as a child process, without input: a tool, or the command of `--on-new`.
package struct ExternalProgram: Sendable {
    private let path: String
    private let arguments: [String]

    /// Finds the program `name` in the absolute directories of `searchPath`, the value of `PATH`; `nil` if none has it.
    ///
    /// `arguments` are without the name of the program.
    package init?(_ name: String, _ arguments: [String] = [], in searchPath: String?) {
        guard let path = Self.find(name, in: searchPath) else { return nil }
        self.path = path
        self.arguments = arguments
    }

    /// The path of the program `name` in the absolute directories of `searchPath`; `nil` if none has it.
    package static func find(_ name: String, in searchPath: String?) -> String? {
        let directories = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Runs the program as this process would run it, and returns whether it exited with 0; ends it after `limit`.
    package func succeeds(within limit: Duration) async -> Bool {
        // It stays in the process group of this process, because a terminal would stop a program of another group.
        let outcome = try? await run(nil, in: nil, ownGroup: false, outputLimit: 0, within: limit)
        return outcome?.ending == .exit(code: 0)
    }

    /// Runs the program with the variables `environment`, in `directory`; see ``spawn(_:_:_:streams:in:ownGroup:)``.
    ///
    /// If the program still runs after `limit`, or when the task is cancelled, it gets SIGTERM, and after `grace` SIGKILL. If it
    /// has a process group of its own, so do all processes of the group. After twice `grace`, this method no longer waits.
    ///
    /// If the program ends by itself, the processes that it has left in the background go on, and nobody waits for them.
    ///
    /// - Returns: How the program ended, which is `nil` if it did not end by itself, and the first `outputLimit` bytes that it
    ///   printed.
    package func run(
        _ environment: [String: String]?, in directory: String?, ownGroup: Bool, outputLimit: Int,
        within limit: Duration, grace: Duration = .seconds(1)
    ) async throws(SystemError) -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        var ends: [CInt] = [-1, -1]
        try retryingInterrupts("pipe2", path: path) { unsafe clinux_pipe(&ends) }
        let reader = FileDescriptor(owning: ends[0])
        // This end of the pipe stays open until the program has ended. Otherwise the reader would be at the end of the file as
        // soon as the program closes its output, and the event loop would call `readSome` again and again.
        let writer = FileDescriptor(owning: ends[1])
        let output = SharedValue<[UInt8]>([])
        // The loop may call this once more after the end of the registration. The closure keeps the descriptor open until then.
        let readSome: @Sendable () -> Int = {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = unsafe read(reader.rawValue, &buffer, buffer.count)
            output.withLock { $0 += buffer.prefix(max(0, min(count, outputLimit - $0.count))) }
            return count
        }
        Self.reapFormerGroups()
        let child = try await spawn(
            path, arguments, environment,
            streams: ChildStreams(output: writer.rawValue, error: writer.rawValue),
            in: directory, ownGroup: ownGroup)
        let registration = EventLoop.shared.onReadable(reader.rawValue) { _ = readSome() }
        await Self.waitForEnd(of: child, by: .now + limit)
        let ending = reap(child, WNOHANG)
        if ending == nil {
            // The program is ended by a task of its own, because this one may be cancelled.
            await Task(executorPreference: ThreadPoolExecutor.shared) {
                await Self.end(child, andItsGroup: ownGroup, grace: grace)
            }.value
        } else if ownGroup {
            Self.reapFormerGroups(adding: child)
        }
        registration.cancel()
        _ = readSome()
        let printed = output.withLock(\.self)
        let descriptor = reader.rawValue
        // What the program has left in the background may print later: without a reader, SIGPIPE would kill it.
        Task(executorPreference: ThreadPoolExecutor.shared) {
            while readSome() != 0 {
                try await CancellableContinuation().wait(onReadable: descriptor)
            }
        }
        withExtendedLifetime(writer) {}
        return (ending, printed)
    }

    /// The process groups of programs that have ended, but have left children of this process in the background.
    ///
    /// There are such children if this process is the first one of a container, and so the parent of all that lose theirs.
    private static let formerGroups = SharedValue<[pid_t]>([])

    /// Reaps the processes of ``formerGroups`` that have ended, and forgets each group without a child of this process.
    private static func reapFormerGroups(adding group: pid_t? = nil) {
        formerGroups.withLock { groups in
            groups = (groups + [group].compactMap(\.self)).filter { group in
                var result = pid_t()
                repeat { result = waitpid(-group, nil, WNOHANG) } while result > 0
                // An error means that there is no such child. Only while there is one, no other group can get the same ID.
                return result == 0
            }
        }
    }

    /// Ends `child`, and reaps it, see wait(2); not even SIGKILL ends a process that waits for a disk that does not answer.
    private static func end(_ child: Int32, andItsGroup hasGroup: Bool, grace: Duration) async {
        // The ID is safe to use: no other process gets it before the child is reaped.
        let target = hasGroup ? -child : child
        kill(target, SIGTERM)
        await waitForEnd(of: child, by: .now + grace)
        kill(target, SIGKILL)
        let deadline = ContinuousClock.now + grace
        while reap(child, WNOHANG) == nil, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
        }
        // The processes that the child left are reaped, too, if this process is the first one of a container, and so their parent.
        while hasGroup, waitpid(target, nil, WNOHANG) >= 0, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
        }
    }

    /// Waits until `child` has ended, but at most until `deadline` or a cancellation; the child is not reaped.
    private static func waitForEnd(of child: Int32, by deadline: ContinuousClock.Instant) async {
        // A descriptor that can be read once the child has ended, see pidfd_open(2).
        let handle = clinux_pidfd(child)
        guard handle >= 0 else {
            // Old container runtimes refuse the call. After any other error, the caller ends the child at once.
            let isBlocked = [EPERM, ENOSYS].contains(errno)
            while isBlocked, isRunning(child), ContinuousClock.now < deadline, !Task.isCancelled {
                try? await LoopClock().sleep(for: .milliseconds(20))
            }
            return
        }
        let file = FileDescriptor(owning: handle)
        // The error of a cancellation needs no attention: the caller ends the child.
        try? await CancellableContinuation().wait(onReadable: file.rawValue, by: deadline)
        withExtendedLifetime(file) {}
    }

    /// Whether `child` has not ended yet; it is not reaped.
    private static func isRunning(_ child: Int32) -> Bool {
        var information = unsafe siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        return unsafe waitid(P_PID, id_t(child), &information, options) == 0
            && information.si_signo == 0
    }
}
