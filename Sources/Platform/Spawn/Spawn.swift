internal import CLinux
internal import Glibc

/// The descriptors that become the standard streams of a child; `nil` stands for `/dev/null`.
package struct ChildStreams: Sendable {
    let input: CInt?
    let output: CInt?
    let error: CInt?

    package init(input: CInt? = nil, output: CInt? = nil, error: CInt? = nil) {
        self.input = input
        self.output = output
        self.error = error
    }
}

/// Starts a child of this process, in which signals have their default actions; see posix_spawn(3).
///
/// - Parameters:
///   - path: The path of the program.
///   - arguments: The arguments, without the name of the program.
///   - environment: The variables of the child; `nil` for those of this process.
///   - streams: The only open files of the child.
///   - directory: The working directory of the child; `nil` for that of this process.
///   - ownGroup: Whether the child gets a process group of its own, so that it can be ended with its children.
/// - Returns: The process ID.
/// - Throws: ``SystemError`` if it cannot be started.
package func spawn(
    _ path: String, _ arguments: [String], environment: [String: String]?,
    streams: ChildStreams, in directory: String? = nil, ownGroup: Bool
) async throws(SystemError) -> Int32 {
    // Some children end with the thread that started them, see PR_SET_PDEATHSIG in prctl(2). The loop's thread never ends.
    let result: Result<pid_t, SystemError> = await EventLoop.shared.run {
        let words = unsafe cStrings([path] + arguments)
        let variables = unsafe cStrings(
            (environment ?? processEnvironment()).map { "\($0)=\($1)" })
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        let devNull: CInt = -1
        let descriptors = [streams.input, streams.output, streams.error].map { $0 ?? devNull }
        var process = pid_t()
        let code = unsafe clinux_spawn(
            &process, path, words, variables, descriptors, directory, ownGroup ? 1 : 0)
        guard code == 0 else { return .failure(SystemError("spawn", path: path, code: errno)) }
        return .success(process)
    }
    return try result.get()
}

/// Copies of `texts` as C strings, which the caller must free, and a null pointer after them, as execve(2) wants it.
private func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
}

/// Waits for the end of a child; see waitpid(2).
///
/// - Returns: `nil` if this process has no such child, or with the option `WNOHANG` if it still runs.
package func reap(_ processID: Int32, _ options: Int32 = 0) -> ChildProcess.Ending? {
    var status: CInt = 0
    let result = try? retryingInterrupts("waitpid", path: "\(processID)") {
        unsafe waitpid(processID, &status, options)
    }
    return result == processID ? ChildProcess.Ending(status: status) : nil
}
