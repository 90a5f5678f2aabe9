internal import CLinux
internal import Glibc

/// A value protected by a mutex, with a condition variable to wait for its changes; see pthread_cond_wait(3).
///
/// A change wakes no thread by itself: after ``withLock(_:)`` call ``signal()`` or ``broadcast()``. A closure runs with the
/// mutex locked, so it must be short, and must not call the same monitor.
@safe package final class Monitor<Value>: @unchecked Sendable {
    // The address of a mutex must not change. All accesses to the value hold the mutex.
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

    /// Blocks this thread until `body`, which is called again whenever this thread wakes up, returns a result.
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
        // A century, 3e18, keeps the sum within `Int64`.
        let end = monotonicNanoseconds() + Int64(min(timeout / .nanoseconds(1), 3e18))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if unsafe clinux_wait(condition, mutex, end) == ETIMEDOUT { return body(&value) }
        }
    }

    /// Wakes one waiting thread, if there is one.
    package func signal() {
        unsafe pthread_cond_signal(condition)
    }

    /// Wakes all waiting threads.
    package func broadcast() {
        unsafe pthread_cond_broadcast(condition)
    }
}
