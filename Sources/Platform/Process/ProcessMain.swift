internal import CLinux
internal import Glibc

/// Runs the program's one task on ``ThreadPoolExecutor`` and ends the process with the code it returns.
///
/// The main thread sleeps meanwhile. Threads that still work end in the same moment. Writing to a pipe
/// that is closed is an error, no signal.
package func runProcess(_ body: @escaping @Sendable () async -> Int32) -> Never {
    signal(SIGPIPE, SIG_IGN)
    // A heap would keep what was freed, for a thread that waits most of the time.
    clinux_limit_memory(2, 1 << 20)
    let code = Monitor(Int32?.none)
    Task(executorPreference: ThreadPoolExecutor.shared) {
        let result = await body()
        code.withLock { $0 = result }
        code.signal()
    }
    // Not exit(3), which takes libraries apart beneath the threads that still use them. Nothing is lost
    // by that: all output was write(2).
    _exit(code.wait { $0 })
}

/// Gives standard input, output and error a place to go where the process was started without one.
///
/// To be called first: otherwise the next file that is opened becomes standard output. See open(2).
package func openStandardStreams() {
    for descriptor in 0...2 as ClosedRange<CInt> where fcntl(descriptor, F_GETFD) == -1 {
        _ = unsafe open("/dev/null", O_RDWR)
    }
}

/// The words that the process was started with, its own name first.
///
/// Not `CommandLine.arguments`, which are read from /proc: there are none where that is not mounted.
package func processArguments() -> [String] {
    (0..<clinux_argument_count()).compactMap {
        unsafe clinux_argument($0).map { unsafe String(cString: $0) }
    }
}

/// Takes a secret out of the environment: programs that are started do not inherit it, and it is gone
/// from `/proc/PID/environ`.
///
/// Before there are threads: see setenv(3).
package func eraseVariable(_ name: String) {
    guard let value = unsafe getenv(name) else { return }
    unsafe explicit_bzero(value, strlen(value))
    _ = unsafe unsetenv(name)
}

/// The variables that the process was started with.
package func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let text = unsafe String(cString: variable)
        if let equals = text.firstIndex(of: "=") {
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        unsafe next += 1
    }
    return variables
}
