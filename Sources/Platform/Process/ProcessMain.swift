internal import CLinux
internal import Glibc

/// Runs the program's main task on ``ThreadPoolExecutor`` and exits with the code that it returns.
///
/// The main thread sleeps meanwhile; other threads end with the process. `SIGPIPE` and `SIGXFSZ` are ignored, so that a write
/// fails with `EPIPE` or `EFBIG` instead.
package func runProcess(_ body: @escaping @Sendable () async -> Int32) -> Never {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    let code = Monitor(Int32?.none)
    Task(executorPreference: ThreadPoolExecutor.shared) {
        let result = await body()
        code.withLock { $0 = result }
        code.signal()
    }
    // exit(3) would run destructors of libraries that other threads still use. No output is lost, because all of it was
    // written by write(2).
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

/// Returns free memory of malloc(3) to the system, which takes about a millisecond; see malloc_trim(3).
package func returnFreeMemory() {
    clinux_trim()
}

// MARK: Arguments and variables, in which U+FFFD replaces what is not UTF-8

/// The arguments of the process, its own name first; Swift's own list is empty if some libraries are preloaded.
package func processArguments() -> [String] {
    (0..<clinux_argument_count()).map { unsafe String(cString: clinux_argument($0)) }
}

/// The variables of the process.
package func processEnvironment() -> [String: String] {
    var values: [String: String] = [:]
    var next = unsafe environ
    while let variable = unsafe next.pointee {
        let parts = unsafe String(cString: variable).utf8
            .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        if parts.count == 2 { values[parts[0]] = parts[1] }
        unsafe next += 1
    }
    return values
}
