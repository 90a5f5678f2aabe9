internal import CLinux
internal import Glibc

/// A program to run as a child process, in the working directory of this process and without input.
package struct ExternalProgram: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]?
    /// Whether the child inherits standard output and standard error; otherwise they are discarded.
    private let inheritsOutput: Bool

    /// The program at an absolute path.
    ///
    /// The arguments are without the name of the program, which gets the variables of this process if
    /// `environment` is `nil`.
    package init(
        at path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        inheritsOutput: Bool = false
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.inheritsOutput = inheritsOutput
    }

    /// Finds the program `name` in the absolute directories of `path`, the variable `PATH`; `nil` if none
    /// has it.
    package init?(_ name: String, _ arguments: [String] = [], in path: String?) {
        guard let program = Self.find(name, in: path) else { return nil }
        self.init(at: program, arguments)
    }

    /// Returns the path of the program `name` in the absolute directories of `path`.
    package static func find(_ name: String, in path: String?) -> String? {
        let directories = (path ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/\(name)" }.first(where: Installation.isExecutable)
    }

    /// Runs the program; kills it after `limit` or when the task is cancelled.
    ///
    /// - Returns: Whether it exited with code 0.
    package func run(limit: Duration) async -> Bool {
        guard let process = try? await spawn() else { return false }
        if let ending = await end(of: process, within: limit) { return ending == .exit(code: 0) }
        kill(process, SIGKILL)
        _ = reap(process)
        return false
    }

    /// Runs the program to its end; if the task is cancelled, sends SIGTERM, and SIGKILL ten seconds later.
    ///
    /// - Throws: ``SystemError`` if the program cannot be started.
    package func run() async throws(SystemError) -> ChildProcess.Ending {
        let process = try await spawn()
        if let ending = await end(of: process) { return ending }
        kill(process, SIGTERM)
        // This task is cancelled, so that no suspension would wait.
        let handle = clinux_pidfd(process)
        var poll = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        unsafe Glibc.poll(&poll, 1, 10_000)
        close(handle)
        kill(process, SIGKILL)
        return reap(process) ?? .signal(SIGKILL)
    }

    /// Runs the program and waits at most `limit` for its end.
    ///
    /// A program that runs longer gets SIGTERM when this process ends; what it started continues.
    ///
    /// - Returns: `nil` if the program runs longer.
    /// - Throws: ``SystemError`` if the program cannot be started.
    package func start(waiting limit: Duration) async throws(SystemError) -> ChildProcess.Ending? {
        await end(of: try await spawn(), within: limit)
    }

    /// Starts the program; returns its process ID.
    ///
    /// The child stays in the process group of this process: a terminal would stop it in another.
    private func spawn() async throws(SystemError) -> pid_t {
        let streams: [CInt] = inheritsOutput ? [-1, 1, 2] : [-1, -1, -1]
        return try await Platform.spawn(
            path, arguments, environment, streams: streams, ownGroup: false)
    }

    /// Waits for the end of a child; see pidfd_open(2).
    ///
    /// - Returns: `nil` if the child still runs after `limit`, when the task is cancelled, or because this
    ///   process has no free descriptor to wait with.
    private func end(
        of process: pid_t, within limit: Duration? = nil
    ) async -> ChildProcess.Ending? {
        let deadline = limit.map { ContinuousClock.now + $0 }
        let handle = clinux_pidfd(process)
        guard handle >= 0 else { return nil }
        try? await EventLoop.shared.wait(toRead: handle, until: deadline)
        close(handle)
        return reap(process, WNOHANG)
    }
}
