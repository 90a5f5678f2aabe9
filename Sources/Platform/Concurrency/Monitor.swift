internal import CLinux
internal import Glibc

/// Starts a detached thread whose name, at most 15 bytes, top(1) shows; if there can be none, the process ends
/// with code 1.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(ThreadBody(name: name, body: body))
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 512 << 10)
    defer { unsafe pthread_attr_destroy(&attributes) }

    var thread = pthread_t()
    let code = unsafe pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument = unsafe argument else { return nil }
            let box = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
            unsafe clinux_name_thread(box.name)
            box.body()
            return nil
        }, box.toOpaque())
    // EAGAIN: the limit of threads, see pthread_create(3). The process cannot run without them.
    guard code == 0 else { endWithoutThread(code) }
}

private func endWithoutThread(_ code: CInt) -> Never {
    let name = Installation.program?.split(separator: "/").last ?? "apod-mirror"
    let reason = unsafe String(cString: strerror(code))
    let remedy = "raise the limit of tasks (ulimit -u, TasksMax=)"
    StandardStream.error.write("\(name): cannot start a thread: \(reason); \(remedy)\n")
    _exit(1)
}

private final class ThreadBody: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

/// A value protected by a mutex, with a condition variable to wait for its changes; see
/// pthread_cond_wait(3).
@safe package final class Monitor<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
        self.value = value
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// Blocks this thread until `body` returns a result; ``signal()`` calls `body` again.
    package func wait<Result>(_ body: (inout Value) -> sending Result?) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Blocks this thread until `body` returns a result or `timeout` has passed, which returns `nil`.
    package func wait<Result>(
        atMost timeout: Duration?, _ body: (inout Value) -> sending Result?
    ) -> sending Result? {
        guard let timeout else { return wait(body) }
        let end = monotonicNanoseconds() + Int64(timeout / .nanoseconds(1))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if unsafe clinux_wait(condition, mutex, end) == ETIMEDOUT { return body(&value) }
        }
    }

    /// Wakes one waiting thread.
    package func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Wakes all waiting threads.
    package func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }
}

/// The time of `CLOCK_MONOTONIC`, which stops while the machine is suspended and is never set.
func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}
