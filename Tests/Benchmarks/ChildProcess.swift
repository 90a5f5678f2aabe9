import Glibc
import Platform

/// A program with its arguments, to be run and measured.
struct ChildProcess {
    /// What one run of a program came to.
    struct Usage {
        let seconds: Double
        /// Of all processors together, in seconds.
        let processor: Double
        /// The most memory that was resident at once, in bytes.
        ///
        /// Never less than this process had when it started the other: see getrusage(2).
        let peak: Int
    }

    private let program: String
    private let arguments: [String]
    private let environment: [String]
    private let log: String

    /// - Parameters:
    ///   - program: Looked for in `PATH` where it has no slash.
    ///   - arguments: Without the name of the program.
    ///   - environment: `NAME=value`, all there are.
    ///   - log: The file that gets what the program prints.
    init(_ program: String, _ arguments: [String], environment: [String], log: String) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.log = log
    }

    /// Runs the program to its end, and `afterwards` as a part of it.
    ///
    /// - Parameter afterwards: What the program leaves to be done.
    /// - Returns: What both cost; the memory and the processors are the program's alone.
    /// - Throws: ``Failure`` where the program does not end with 0.
    func measure(afterwards: () -> Void = {}) throws -> Usage {
        let began = ContinuousClock.now
        let process = try start()
        var status: Int32 = 0
        var usage = rusage()
        try retryingInterrupts("wait4", path: program) {
            unsafe wait4(process, &status, 0, &usage)
        }
        afterwards()
        let seconds = began.duration(to: .now) / .seconds(1)
        guard status == 0 else { throw Failure(program, status: status, log: log) }
        return Usage(
            seconds: seconds, processor: usage.ru_utime.seconds + usage.ru_stime.seconds,
            peak: usage.ru_maxrss << 10)
    }

    private func start() throws -> pid_t {
        let input = try FileDescriptor(opening: "/dev/null", O_RDONLY)
        let output = try FileDescriptor(opening: log, O_WRONLY | O_CREAT | O_TRUNC)
        return try spawn(
            program, arguments, environment,
            (input: input.rawValue, output: output.rawValue, error: output.rawValue))
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
