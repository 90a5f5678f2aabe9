internal import CLinux
internal import Glibc

/// Runs the program's main task on ``ThreadPoolExecutor`` and exits with the code that it returns.
///
/// The main thread sleeps meanwhile. The signals `SIGPIPE` and `SIGXFSZ`, which would end the process, are ignored, so that a
/// write fails with `EPIPE` or `EFBIG` instead.
package func runProcess(_ body: @escaping @Sendable () async -> Int32) -> Never {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    let code = Monitor(Int32?.none)
    Task(executorPreference: ThreadPoolExecutor.shared) {
        let result = await body()
        code.withLock { $0 = result }
        code.signal()
    }
    // exit(3) would run destructors of libraries that other threads still use. It would also write buffered output, but this
    // program writes all of its output with write(2).
    _exit(code.wait { $0 })
}

/// Opens `/dev/null` for each standard stream that is closed, and limits the memory that malloc(3) keeps.
///
/// Call this before any file is opened, which would become standard output (see open(2)), and before any thread starts, which
/// would have a heap of its own that keeps freed memory.
package func prepareProcess() {
    // Two heaps: with one, threads that make pages of the gallery would wait for each other. Blocks from 64 KiB on are mapped,
    // and return to the system when they are freed. A heap keeps at most 128 KiB at its end.
    clinux_limit_memory(2, 64 << 10, 128 << 10)
    for descriptor in 0...2 as ClosedRange<CInt> where fcntl(descriptor, F_GETFD) == -1 {
        _ = unsafe open("/dev/null", O_RDWR)
    }
}

/// Returns free memory of malloc(3) to the system, see malloc_trim(3); this takes about a millisecond.
package func returnFreeMemory() {
    clinux_trim()
}

/// Ends the process with code 1, because of an error after which it cannot go on.
func endProcess(_ reason: String) -> Never {
    let name = Installation.program?.split(separator: "/").last ?? "apod-mirror"
    StandardStream.error.write("\(name): \(reason)\n")
    _exit(1)
}

// MARK: Arguments and variables; bytes that are not UTF-8 become U+FFFD

/// The arguments of the process, its own name first; Swift's own list is empty if certain libraries are preloaded.
package func processArguments() -> [String] {
    (0..<clinux_argument_count()).map { unsafe String(cString: clinux_argument($0)) }
}

/// The environment variables of the process.
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
