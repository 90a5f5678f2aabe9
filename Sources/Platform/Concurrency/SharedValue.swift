internal import Synchronization

/// A value that the copies of a struct, or several objects, share, protected by a mutex.
///
/// Use a `Mutex` for a value of one object, and a ``Monitor`` for a value for whose changes a thread waits.
package final class SharedValue<Value>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Runs `body` with exclusive access to the value; `body` must not lock the same value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }
}
