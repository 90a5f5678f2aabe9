internal import CLinux
internal import Glibc

/// Why a thread could not be started.
package struct ThreadError: Error, Sendable {
    /// What happened and what to do, as one line for the log.
    package let reason: String

    fileprivate init(code: CInt) {
        let cause = unsafe String(cString: strerror(code))
        reason = "cannot start a thread: \(cause); raise the limit of tasks (ulimit -u, TasksMax=)"
    }
}

/// Starts a thread without which the process is useless: if that fails, the process ends with code 1.
///
/// top(1) shows `name`, which has at most 15 bytes. The thread ends with `body`.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    do {
        try startOptionalThread(name, body)
    } catch {
        endProcess(error.reason)
    }
}

/// Starts a thread as ``startThread(_:_:)`` does, but throws if that fails, because the process can do without it.
package func startOptionalThread(
    _ name: String, _ body: @escaping @Sendable () -> Void
) throws(ThreadError) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    // The threads of this program need far less than the default of 8 MiB.
    let stackSize = 512 << 10
    unsafe pthread_attr_setstacksize(&attributes, stackSize)

    // The new thread releases this object. If there is no thread, this function releases it.
    let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let code = unsafe pthread_create(&thread, &attributes, runThread, start.toOpaque())
    guard code == 0 else {
        unsafe start.release()
        throw ThreadError(code: code)
    }
}

/// What a new thread gets through the one pointer that pthread_create(3) passes on.
private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

/// The function with which each thread begins; `argument` is a retained ``ThreadStart``.
private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { return nil }
    let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    unsafe clinux_name_thread(start.name)
    start.body()
    return nil
}
