import Glibc
import Platform

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
        process = try spawn(program, arguments, output: input.rawValue)
        self.output = output
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}

private func spawn(
    _ program: String, _ arguments: [String], output: CInt
) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawn(&process, program, &actions, nil, &words, environ)
    guard code == 0 else { throw SystemError("posix_spawn", path: program, code: code) }
    return process
}
