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
    /// `arguments` are without the name of the program. Without an `environment`, it gets the variables of this
    /// process.
    package init(
        at path: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        inheritsOutput: Bool = false
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.inheritsOutput = inheritsOutput
    }

    /// Finds the program `name` in the absolute directories of `searchPath`, the variable `PATH`; `nil` if none
    /// has it.
    package init?(_ name: String, _ arguments: [String] = [], in searchPath: String?) {
        guard let program = Self.find(name, in: searchPath) else { return nil }
        self.init(at: program, arguments)
    }

    /// Returns the path of the program `name` in the absolute directories of `searchPath`.
    package static func find(_ name: String, in searchPath: String?) -> String? {
        let directories = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
    }

    /// Runs the program, and kills it after `limit` or when the task is cancelled; returns whether it exited with 0.
    package func succeeds(within limit: Duration) async -> Bool {
        guard let child = try? await start() else { return false }
        if let ending = await child.ending(by: ContinuousClock.now + limit) {
            return ending == .exit(code: 0)
        }
        _ = ChildProcess.end(child.processID)
        return false
    }

    /// Runs the program to its end; if the task is cancelled, sends SIGTERM, and SIGKILL ten seconds later.
    package func run() async throws(SystemError) -> ChildProcess.Ending {
        let child = try await start()
        if let ending = await child.ending() { return ending }
        let processID = child.processID
        kill(processID, SIGTERM)
        let timer = EventLoop.shared.at(.now + .seconds(10)) { _ = kill(processID, SIGKILL) }
        // This task is cancelled and cannot wait: its thread does.
        return withExtendedLifetime(timer) { reap(processID) } ?? .signal(SIGKILL)
    }

    /// Starts the program, in the process group of this process: a terminal would stop it in another.
    private func start() async throws(SystemError) -> RunningChild {
        let null: CInt = -1
        let streams = inheritsOutput ? [null, STDOUT_FILENO, STDERR_FILENO] : [null, null, null]
        let processID = try await spawn(
            path, arguments, environment, streams: streams, ownGroup: false)
        do throws(SystemError) {
            let handle = try retryingInterrupts("pidfd_open", path: path) {
                clinux_pidfd(processID)
            }
            return RunningChild(processID: processID, handle: FileDescriptor(owning: handle))
        } catch {
            // Without a free descriptor its end could not be waited for.
            _ = ChildProcess.end(processID)
            throw error
        }
    }
}

/// A child process that was started and whose end was not seen yet.
private struct RunningChild: ~Copyable, Sendable {
    let processID: pid_t
    /// Can be read once the child has ended; see pidfd_open(2).
    let handle: FileDescriptor

    /// Waits for the end of the child; returns `nil` if it still runs at `deadline` or when the task is cancelled.
    func ending(by deadline: ContinuousClock.Instant? = nil) async -> ChildProcess.Ending? {
        // A cancelled wait has the same result as a late one.
        try? await CancellableContinuation().wait(onReadable: handle.rawValue, by: deadline)
        return reap(processID, WNOHANG)
    }
}
