internal import CLinux
internal import Glibc

/// A value that one thread at a time may use, and for whose changes threads can wait; see pthread_cond_wait(3).
///
/// A change wakes no thread by itself: after ``withLock(_:)``, call ``signal()`` or ``broadcast()``. A closure runs with the
/// mutex locked, so it must be short, and must not call the same monitor.
@safe package final class Monitor<Value>: @unchecked Sendable {
    // Pointers, because the address of a mutex must not change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    /// Used only while the mutex is locked.
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

    /// Blocks this thread until `body` returns a result; `body` is called at once, and again after each wake-up.
    package func wait<Result>(_ body: (inout Value) -> sending Result?) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Blocks this thread until `body` returns a result, but at most for `timeout`; if that is `nil`, for any time.
    ///
    /// After the timeout, `body` is called once more, because the value may have changed at the last moment.
    ///
    /// - Returns: `nil` if the last call of `body` returned `nil`, too.
    package func wait<Result>(
        atMost timeout: Duration?, _ body: (inout Value) -> sending Result?
    ) -> sending Result? {
        guard let timeout else { return wait(body) }
        // A longer timeout is cut to about a century, so that the sum fits into `Int64`.
        let nanosecondsInCentury = 3e18
        let nanoseconds = min(timeout / .nanoseconds(1), nanosecondsInCentury)
        let end = monotonicNanoseconds() + Int64(nanoseconds)
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            if unsafe clinux_cond_wait(condition, mutex, end) == ETIMEDOUT { return body(&value) }
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
