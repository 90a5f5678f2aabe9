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
        let outcome = try? await run(ownGroup: false, outputLimit: 0, within: limit)
        return outcome?.ending == .exit(code: 0)
    }

    /// Runs the program to its end; processes that it has left in the background then continue, and nobody waits for them.
    ///
    /// If the program still runs after `limit`, or when the task is cancelled, it gets SIGTERM, and after `grace` SIGKILL. If it
    /// has a process group of its own, so do all processes of the group. After twice `grace`, this method no longer waits.
    ///
    /// - Parameters:
    ///   - environment: The variables of the program; `nil` for those of this process.
    ///   - directory: Its working directory; `nil` for that of this process.
    ///   - ownGroup: Whether it gets a process group of its own.
    ///   - outputLimit: How many bytes of its output and errors are returned.
    ///   - limit: The time after which it is ended.
    ///   - grace: The time from SIGTERM to SIGKILL.
    /// - Returns: How the program ended, which is `nil` if it did not end by itself, and the beginning of what it printed.
    /// - Throws: ``SystemError`` if it cannot be started.
    package func run(
        _ environment: [String: String]? = nil, in directory: String? = nil, ownGroup: Bool,
        outputLimit: Int, within limit: Duration, grace: Duration = .seconds(1)
    ) async throws(SystemError) -> (ending: ChildProcess.Ending?, output: [UInt8]) {
        var ends: [CInt] = [-1, -1]
        try retryingInterrupts("pipe2", path: path) { unsafe clinux_pipe(&ends) }
        let output = ProgramOutput(from: FileDescriptor(owning: ends[0]), limit: outputLimit)
        // This end stays open until the program has ended, as ``ProgramOutput/startReading()`` requires.
        let writer = FileDescriptor(owning: ends[1])
        let streams = ChildStreams(output: writer.rawValue, error: writer.rawValue)
        RunningProgram.reapFormerGroups()
        let processID = try await spawn(
            path, arguments, environment: environment, streams: streams, in: directory,
            ownGroup: ownGroup)

        let reading = output.startReading()
        let program = RunningProgram(processID: processID, hasOwnGroup: ownGroup)
        let ending = await program.end(by: .now + limit, grace: grace)
        reading.cancel()
        output.read()
        let printed = output.beginning
        // What the program has left in the background may print later.
        Task(executorPreference: ThreadPoolExecutor.shared) { try await output.readToEnd() }
        withExtendedLifetime(writer) {}
        return (ending, printed)
    }
}
