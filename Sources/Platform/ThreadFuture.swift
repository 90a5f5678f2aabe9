/// What a thread of its own works out, while whoever will want it goes on with something else.
package final class ThreadFuture<Value: Sendable>: Sendable {
    private let result = Monitor(Value?.none)

    /// Begins with `body` at once.
    package init(_ body: @escaping @Sendable () -> Value) {
        let pulse = Heartbeat.current
        startThread("ahead") { [result] in
            let value = Heartbeat.$current.withValue(pulse, operation: body)
            result.withLock { $0 = value }
            result.signal()
        }
    }

    /// Blocks until it is there.
    ///
    /// One thread asks for it.
    package func value() -> Value { result.wait { $0 } }
}
