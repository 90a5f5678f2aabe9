internal import Glibc

/// A child process that runs an ``ExternalProgram``: waits for its end, or ends it.
struct RunningProgram: Sendable {
    let processID: pid_t
    /// Whether it leads a process group of its own, which is ended with it.
    let hasOwnGroup: Bool

    /// Waits for the end of the program, but at most until `deadline` or a cancellation, and then stops it.
    ///
    /// - Returns: How it ended; `nil` if it did not end by itself.
    func end(by deadline: ContinuousClock.Instant, grace: Duration) async -> ChildProcess.Ending? {
        await waitForEnd(by: deadline)
        if let ending = reap(processID, WNOHANG) {
            if hasOwnGroup { Self.reapFormerGroups(adding: processID) }
            return ending
        }
        // This is a task of its own, because the caller's may be cancelled.
        await Task(executorPreference: ThreadPoolExecutor.shared) { await stop(grace: grace) }.value
        return nil
    }

    /// Whether it has not ended yet; asking does not reap it.
    private var isRunning: Bool {
        var information = unsafe siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        return unsafe waitid(P_PID, id_t(processID), &information, options) == 0
            && information.si_signo == 0
    }

    /// Waits until the program has ended, but at most until `deadline` or a cancellation; does not reap it.
    private func waitForEnd(by deadline: ContinuousClock.Instant) async {
        while isRunning, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await LoopClock().sleep(for: .milliseconds(10))
        }
    }

    /// Sends SIGTERM, and after `grace` SIGKILL; then reaps the program, but waits for that at most for `grace`.
    ///
    /// Not even SIGKILL ends a process that waits for a disk that does not answer.
    private func stop(grace: Duration) async {
        // The ID is safe to use: no other process gets it before the program is reaped.
        let target = hasOwnGroup ? -processID : processID
        kill(target, SIGTERM)
        await waitForEnd(by: .now + grace)
        kill(target, SIGKILL)
        let deadline = ContinuousClock.now + grace
        while reap(processID, WNOHANG) == nil, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
        }
        // The processes that the program left are reaped, too, if this process is the first one of a container.
        while hasOwnGroup, waitpid(target, nil, WNOHANG) >= 0, ContinuousClock.now < deadline {
            try? await LoopClock().sleep(for: .milliseconds(1))
        }
    }

    // MARK: What programs leave in the background

    /// The process groups of programs that have ended, but whose processes in the background are children of this process.
    ///
    /// That happens if this process is the first one of a container, which becomes the parent of all that lose theirs.
    private static let formerGroups = SharedValue<[pid_t]>([])

    /// Reaps the processes of former programs that have ended, and forgets each group without a child of this process.
    ///
    /// `group` is that of a program that has just ended.
    static func reapFormerGroups(adding group: pid_t? = nil) {
        formerGroups.withLock { groups in
            if let group { groups.append(group) }
            groups.removeAll { group in
                var result = pid_t()
                repeat { result = waitpid(-group, nil, WNOHANG) } while result > 0
                // An error means that there is no such child. The group is forgotten then, because another one may get its ID.
                return result < 0
            }
        }
    }
}
