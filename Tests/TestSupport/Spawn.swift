package import Glibc
package import Platform

/// Starts a program as posix_spawnp(3) does.
///
/// - Parameters:
///   - words: The program, which is searched in `PATH` if it has no slash, and its arguments.
///   - environment: Its variables as `NAME=VALUE`.
///   - streams: The standard input, output and error of the program; `nil` stands for `/dev/null`.
///   - isLeader: Whether it has its own process group, and no signal is blocked or ignored in it.
/// - Returns: The process ID.
/// - Throws: `SystemError` if it cannot be started.
package func spawn(
    _ words: [String], environment: [String],
    _ streams: (input: CInt?, output: CInt?, error: CInt?), isLeader: Bool = false
) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [streams.input, streams.output, streams.error].enumerated() {
        if let stream {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream, CInt(number))
        } else {
            unsafe posix_spawn_file_actions_addopen(
                &actions, CInt(number), "/dev/null", O_RDWR, 0)
        }
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    if isLeader {
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    let texts = unsafe words.map { unsafe strdup($0) }
    let variables = unsafe environment.map { unsafe strdup($0) }
    defer { unsafe (texts + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawnp(
        &process, words[0], &actions, &attributes, texts + [nil], variables + [nil])
    guard code == 0 else { throw SystemError("posix_spawn", path: words[0], code: code) }
    return process
}
