import Glibc
import Platform

/// A program with its arguments, to be run and measured.
///
/// It is started by a process that is small itself, and with an empty environment: what getrusage(2)
/// says of its memory is never less than what the process had that started it.
struct Command {
    /// The word that makes this program the one that starts others.
    static let role = "measure"

    private let words: [String]
    private let log: String
    private let needsSync: Bool
    private let mayFail: Bool

    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - log: The file that gets what the program prints.
    ///   - needsSync: Whether a sync(2) is a part of the work.
    ///   - mayFail: Whether any exit code will do.
    init(_ words: [String], log: String, needsSync: Bool = false, mayFail: Bool = false) {
        self.words = words
        self.log = log
        self.needsSync = needsSync
        self.mayFail = mayFail
    }

    /// Runs the program to its end.
    ///
    /// - Returns: What that cost; memory and processors are the program's alone.
    /// - Throws: ``Failure`` where the program does not end with 0.
    @discardableResult
    func measure() throws -> Usage {
        let twin = try Twin([Self.role, log, needsSync ? "sync" : mayFail ? "any" : ""] + words)
        let answer = try twin.answer()
        if let usage = Usage(answer) { return usage }
        throw Failure("\(words[0]) ended with \(answer)", log: log)
    }

    /// What the other process does: it runs `words`, and says what came of it.
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
        let input = try FileDescriptor(opening: "/dev/null", O_RDONLY)
        let output = try FileDescriptor(opening: log, O_WRONLY | O_CREAT | O_TRUNC)
        return try spawn(
            words[0], Array(words.dropFirst()),
            (input: input.rawValue, output: output.rawValue, error: output.rawValue))
    }
}
