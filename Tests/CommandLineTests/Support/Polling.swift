import Platform
import Testing

/// Waits until `value` returns something, for states of other programs that no message reports.
///
/// inotify(7) would report each write of a trace, and that a socket has its name, not that its server answers.
/// A time limit of the test that ends the waiting is an issue at the line that waited.
func polled<Value>(
    at place: SourceLocation = #_sourceLocation, _ value: () async throws -> Value?
) async throws -> Value {
    do {
        while true {
            if let value = try await value() { return value }
            try await LoopClock().sleep(for: .milliseconds(5))
        }
    } catch let error as CancellationError {
        Issue.record("This was waited for, and did not come.", sourceLocation: place)
        throw error
    }
}
