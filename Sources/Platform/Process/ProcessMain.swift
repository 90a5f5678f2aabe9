internal import CLinux
internal import Glibc

/// Runs the program's main task on ``ThreadPoolExecutor`` and exits with the code that it returns.
///
/// The main thread sleeps meanwhile; other threads end with the process. `SIGPIPE` and `SIGXFSZ` are ignored:
/// the write fails with `EPIPE` or `EFBIG`.
package func runProcess(_ body: @escaping @Sendable () async -> Int32) -> Never {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    let code = Monitor(Int32?.none)
    Task(executorPreference: ThreadPoolExecutor.shared) {
        let result = await body()
        code.withLock { $0 = result }
        code.signal()
    }
    // Not exit(3), which runs destructors of libraries that other threads still use. No output is lost:
    // all of it was written by write(2).
    _exit(code.wait { $0 })
}

/// Opens `/dev/null` for each standard stream that is closed, and makes all threads share two heaps.
///
/// Call this before any file is opened, which would become standard output (see open(2)), and before any
/// thread starts, which would have a heap of its own that keeps freed memory. With one heap, threads that
/// build pages of the gallery wait for each other.
package func prepareProcess() {
    clinux_limit_memory(2, 64 << 10, 128 << 10)
    for descriptor in 0...2 as ClosedRange<CInt> where fcntl(descriptor, F_GETFD) == -1 {
        _ = unsafe open("/dev/null", O_RDWR)
    }
}

/// The arguments of the process, its own name first; they need not be UTF-8.
///
/// `CommandLine.arguments` are empty if proc(5) is not mounted.
package func processArguments() -> [[UInt8]] {
    (0..<clinux_argument_count()).compactMap {
        unsafe clinux_argument($0).map { argument in
            unsafe Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument)))
        }
    }
}

/// The variables of the process, each `NAME=VALUE`.
private func processVariables() -> [[UInt8]] {
    var variables: [[UInt8]] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable)))
        variables.append(bytes)
        unsafe next += 1
    }
    return variables
}

/// Erases a secret from the environment, so that no child inherits it and `/proc/PID/environ` does not
/// show it.
///
/// Call this before other threads start; see setenv(3).
package func eraseVariable(_ name: String) {
    guard let value = unsafe getenv(name) else { return }
    unsafe explicit_bzero(value, strlen(value))
    _ = unsafe unsetenv(name)
}

/// The environment of the process; in a value, what is not UTF-8 is replaced by U+FFFD.
package func processEnvironment() -> [String: String] {
    var values: [String: String] = [:]
    for variable in processVariables() {
        guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let name = String(decoding: variable[..<equals], as: UTF8.self)
        values[name] = String(decoding: variable[(equals + 1)...], as: UTF8.self)
    }
    return values
}

package func variablesThatAreNotText() -> [String] {
    processVariables().filter { String(validating: $0, as: UTF8.self) == nil }
        .map { String(decoding: $0.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self) }
}

/// Returns free memory of malloc(3) to the system, which takes about a millisecond; see malloc_trim(3).
package func returnFreeMemory() {
    clinux_trim()
}
