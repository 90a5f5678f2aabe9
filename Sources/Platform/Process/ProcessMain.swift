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
    clinux_limit_memory(2, 1 << 20)
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
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let text = unsafe String(cString: variable)
        if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
            variables[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
        }
        unsafe next += 1
    }
    return variables
}

/// The names of the variables of the process that are not UTF-8.
package func variablesThatAreNotText() -> [String] {
    var names: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        if unsafe String(validatingCString: variable) == nil {
            let text = unsafe String(cString: variable)
            names.append(String(text.prefix { $0 != "=" }))
        }
        unsafe next += 1
    }
    return names
}

/// Returns free memory of malloc(3) to the system, which takes about a millisecond; see malloc_trim(3).
package func returnFreeMemory() {
    clinux_trim()
}
