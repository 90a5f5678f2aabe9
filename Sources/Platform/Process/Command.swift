internal import CLinux
internal import Glibc

/// A program of somebody else's that is run to its end, for so long at most.
///
/// It gets this process's environment, nothing to read, and nobody sees what it complains about.
package struct Command: Sendable {
    /// Where what it writes goes.
    package enum Writing: Sendable {
        case toStandardOutput, nowhere
    }

    private let path: String
    private let arguments: [String]
    private let writing: Writing

    /// The program `name` where it is in the first of the absolute directories of `path`.
    ///
    /// - Parameters:
    ///   - name: Without a slash.
    ///   - arguments: Without the name of the program.
    ///   - path: The variable `PATH`; `nil` comes of one that has no such program.
    ///   - writing: Where what it writes goes.
    package init?(
        _ name: String, _ arguments: [String] = [], in path: String?, writing: Writing = .nowhere
    ) {
        let places = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        let programs = places.map { "\($0)/\(name)" }
        guard let program = programs.first(where: Self.isProgram) else { return nil }
        self.path = program
        self.arguments = arguments
        self.writing = writing
    }

    private static func isProgram(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    /// Runs it, and ends it where `limit` is over or the task is cancelled.
    ///
    /// - Returns: Whether it ended by itself and said that it did what it was to.
    package func run(limit: Duration) async -> Bool {
        guard let process = try? spawn() else { return false }
        let handle = clinux_pidfd(process)
        let deadline = ContinuousClock.now + limit
        try? await CancellableContinuation().wait { waiter in
            EventLoop.Interest([
                EventLoop.shared.onReadable(handle) { waiter.finish(.success(())) },
                EventLoop.shared.at(deadline) { waiter.finish(.success(())) },
            ])
        }
        close(handle)
        return Self.end(process)
    }

    /// Takes leave of a process, by force where it still runs.
    private static func end(_ process: Int32) -> Bool {
        var status: Int32 = 0
        guard unsafe waitpid(process, &status, WNOHANG) == 0 else { return status == 0 }
        kill(process, SIGKILL)
        unsafe waitpid(process, &status, 0)
        return false
    }

    /// Starts it, in our process group: a terminal would stop it in another.
    private func spawn() throws(SystemError) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if case .nowhere = writing {
            unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // What this process ignores or blocks is no business of the other.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = unsafe ([path] + arguments).map { unsafe strdup($0) }
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: Int32 = 0
        let code = unsafe posix_spawn(
            &process, path, &actions, &attributes, words + [nil], environ)
        guard code == 0 else { throw SystemError("posix_spawn", path: path, code: code) }
        return process
    }
}
