import Platform

/// Waits until `value` returns something, for states of other programs that no message reports.
///
/// inotify(7) would report each write of a trace, and that a socket has its name, not that its server answers.
func polled<Value>(_ value: () async throws -> Value?) async throws -> Value {
    while true {
        if let value = try await value() { return value }
        try await LoopClock().sleep(for: .milliseconds(5))
    }
}
