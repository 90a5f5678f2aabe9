import Glibc
import Platform

/// Starts a program as posix_spawnp(3) does, with an empty environment.
///
/// - Parameters:
///   - program: Searched in `PATH` if it has no slash.
///   - arguments: Without the name of the program.
///   - descriptors: Standard input, output and error of the new process.
/// - Returns: The process ID.
/// - Throws: ``SystemError`` if it cannot be started.
func spawn(
    _ program: String, _ arguments: [String],
    _ descriptors: (input: CInt, output: CInt, error: CInt)
) throws(SystemError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.output, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptors.error, 2)

    let words = CStrings([program] + arguments)
    let variables = CStrings([])
    var process = pid_t()
    let code = unsafe posix_spawnp(
        &process, program, &actions, nil, words.pointers, variables.pointers)
    guard code == 0 else { throw SystemError("posix_spawn", path: program, code: code) }
    return process
}

/// A null-terminated array of C strings, as for execve(2).
@safe private struct CStrings: ~Copyable {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        unsafe pointers = strings.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        unsafe pointers.forEach { unsafe free($0) }
    }
}
