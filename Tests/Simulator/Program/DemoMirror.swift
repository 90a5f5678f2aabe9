import APOD
import CommandLine
import Glibc
import Platform

/// The mirror of the demo and its apod-mirror process.
struct DemoMirror: Sendable {
    let root: String
    /// The shell command for apod-mirror.
    let command: String
    private let program: String
    private let settings: [String]
    private let environment: [String: String]

    /// Variables that apod-mirror inherits; not the settings of the user's own mirror.
    private static let inherited: Set = [
        "PATH", "LD_LIBRARY_PATH", "LANG", "LC_ALL", "LC_CTYPE", "TERM", "NO_COLOR", "TZ",
        "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]

    init(_ root: String, of upstream: String, _ environment: [String: String]) throws {
        guard let program = MirrorProgram(searchPath: environment["PATH"]) else {
            throw CommandError(
                "cannot find apod-mirror beside apod-mirror-simulator or in PATH; install it")
        }
        self.root = root
        self.program = program.path
        command = program.command
        settings = [
            "--root", root, "--upstream", upstream, "--feed", "basic", "--pace", "200ms",
            "--min-free", "0", "--videos",
        ]
        // Without HOME, the demo is not added to the list of known mirrors.
        self.environment = environment.filter { Self.inherited.contains($0.key) }
    }

    /// Runs `apod-mirror run --once`.
    ///
    /// - Throws: ``CommandError`` if its exit code is not 0.
    func sync() async throws {
        let ending = try await run(["run", "--once"])
        try Task.checkCancellation()
        guard ending == .exit(code: 0) else { throw try await failure(ending) }
    }

    /// Runs `apod-mirror run` while `body` runs; it has ended when this returns.
    func withDaemon(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: ChildProcess.Ending?.self) { group in
            group.addTask { try await run(["run"]) }
            group.addTask {
                try await body()
                return nil
            }
            defer { group.cancelAll() }
            if let ending = try await group.next() ?? nil {
                try Task.checkCancellation()
                throw try await failure(ending)
            }
        }
    }

    /// Runs apod-mirror to its end, with the output of this process; if the task is cancelled, sends SIGTERM.
    private func run(_ words: [String]) async throws -> ChildProcess.Ending {
        let child = try await spawn(
            program, words + settings, environment: environment,
            streams: ChildStreams(output: STDOUT_FILENO, error: STDERR_FILENO),
            ownGroup: false)
        while !Task.isCancelled {
            if let ending = reap(child, WNOHANG) { return ending }
            try? await LoopClock().sleep(for: .milliseconds(20))
        }
        kill(child, SIGTERM)
        // This task cannot wait any more: its thread does, for the three seconds in which apod-mirror ends.
        return reap(child) ?? .signal(SIGKILL)
    }

    private func failure(_ ending: ChildProcess.Ending) async throws -> CommandError {
        // A terminal sends a signal to both processes: here it cancels this task.
        try await LoopClock().sleep(for: .seconds(1))
        return CommandError("apod-mirror ended with \(ending)")
    }

    // MARK: Files

    func folder(_ name: String) throws -> Directory {
        try Directory(opening: root).makeDirectory(name)
    }

    func has(_ path: String) throws -> Bool { try Directory(opening: root).status(path) != nil }

    /// The names in the root directory.
    func names() throws -> String {
        try Directory(opening: root).textNames().sorted().joined(separator: "  ")
    }

    /// The path of a day's picture below the root, or without a picture, of its video; `nil` if there is none.
    func picture(of day: Day) throws -> String? {
        let date = "\(day)"
        let directory = "pictures/\(date.prefix(4))/\(date.prefix(7))"
        guard let folder = try Directory(opening: root).folder(directory) else { return nil }
        let names = try folder.textNames().filter { $0.hasPrefix("\(date) ") }
        let picture = names.first { !$0.hasSuffix(".mp4") && !$0.hasSuffix(".html") }
        return (picture ?? names.first).map { "\(directory)/\($0)" }
    }

    /// The milliseconds until `condition` holds.
    ///
    /// - Throws: ``CommandError`` after a minute, which is long enough for a busy machine.
    @discardableResult func waited(
        _ what: String, _ condition: () throws -> Bool
    ) async throws -> Int {
        let start = ContinuousClock.now
        while try !condition() {
            guard start.duration(to: .now) < .seconds(60) else {
                throw CommandError("\(what) did not appear within a minute")
            }
            try await LoopClock().sleep(for: .milliseconds(1))
        }
        return Int(start.duration(to: .now) / .milliseconds(1))
    }
}
