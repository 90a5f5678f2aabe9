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

/// Prepares the process for the program: call this first, before a file is opened and before a thread starts.
package func prepareProcess() {
    limitFreeMemory()
    openMissingStreams()
}

/// Opens `/dev/null` for each standard stream that is closed: else the next file would become that stream, see open(2).
private func openMissingStreams() {
    for descriptor in 0...2 as ClosedRange<CInt> where fcntl(descriptor, F_GETFD) == -1 {
        _ = unsafe open("/dev/null", O_RDWR)
    }
}

/// Ends the process with code 1, because of an error after which it cannot go on.
func endProcess(_ reason: String) -> Never {
    let name = Installation.program?.split(separator: "/").last ?? "apod-mirror"
    StandardStream.error.write("\(name): \(reason)\n")
    _exit(1)
}
