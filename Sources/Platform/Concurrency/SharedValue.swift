internal import Synchronization

/// A value that the copies of a struct, or several objects, refer to together, protected by a mutex.
///
/// A value of one object alone needs only a `Mutex`, and one for whose changes a thread waits a ``Monitor``.
package final class SharedValue<Value>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with exclusive access to the value; it does not call the same value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
