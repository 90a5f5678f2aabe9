import Glibc
import Platform
import TestSupport

/// A program that runs as long as this value lives.
struct Child: ~Copyable {
    /// The standard output of the program.
    let output: FileDescriptor
    private let process: pid_t

    init(_ program: String, _ arguments: [String]) throws {
        var ends: [CInt] = [0, 0]
        try retryingInterrupts("pipe", path: program) { unsafe pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let output = FileDescriptor(owning: ends[0])
        let input = FileDescriptor(owning: ends[1])
        process = try spawn(
            [program] + arguments, environment: [],
            (input: nil, output: input.rawValue, error: nil))
        self.output = output
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}
