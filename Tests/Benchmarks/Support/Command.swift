import Glibc
import Platform
import TestSupport

/// A program with its arguments, which is run and measured.
///
/// It is started by a small process, with an empty environment: the memory that getrusage(2)
/// reports is never less than that of the parent at the time of the fork.
struct Command {
    /// The argument that selects this role.
    static let role = "measure"

    private let words: [String]
    private let log: String
    private let needsSync: Bool
    private let mayFail: Bool

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - log: The file for the output of the program.
    ///   - needsSync: Whether a sync(2) is part of the measurement.
    ///   - mayFail: Whether any exit code is accepted.
    init(_ words: [String], log: String, needsSync: Bool = false, mayFail: Bool = false) {
        self.words = words
        self.log = log
        self.needsSync = needsSync
        self.mayFail = mayFail
    }

    /// Runs the program and waits for its end.
    ///
    /// - Returns: The resource usage of the program alone.
    /// - Throws: ``Failure`` if the program does not exit with 0.
    @discardableResult
    func measure() throws -> Usage {
        let helper = try ConnectedProcess(
            ["/proc/self/exe", Self.role, log, needsSync ? "sync" : mayFail ? "any" : ""] + words,
            readsErrors: false)
        let response = try helper.response()
        if let usage = Usage(response) { return usage }
        throw Failure("\(words[0]) ended with \(response)", log: log)
    }

    /// Runs `words` in the helper process, and prints the result.
    static func run(_ words: [String]) throws {
        let command = Command(
            Array(words.dropFirst(2)), log: words[0], needsSync: words[1] == "sync",
            mayFail: words[1] == "any")
        let (status, usage) = try command.run()
        StandardStream.output.write(
            "\(status == 0 || command.mayFail ? usage.description : "\(status)")\n")
    }

    private func run() throws -> (status: Int32, usage: Usage) {
        let began = ContinuousClock.now
        let process = try start()
        var status: Int32 = 0
        var resources = rusage()
        try retryingInterrupts("wait4", path: words[0]) {
            unsafe wait4(process, &status, 0, &resources)
        }
        if needsSync { sync() }
        return (status, Usage(seconds: began.duration(to: .now) / .seconds(1), resources))
    }

    private func start() throws -> pid_t {
        let output = try FileDescriptor(opening: log, O_WRONLY | O_CREAT | O_TRUNC)
        return try spawn(
            words, environment: [],
            (input: nil, output: output.rawValue, error: output.rawValue))
    }
}
