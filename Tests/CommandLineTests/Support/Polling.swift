import Platform

/// Waits until `value` returns something, for states that no event and no message reports.
func polled<Value>(_ value: () throws -> Value?) async throws -> Value {
    while true {
        if let value = try value() { return value }
        try await LoopClock().sleep(for: .milliseconds(5))
    }
}
