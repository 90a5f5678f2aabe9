internal import Platform
internal import Synchronization

/// Receives the bodies of responses, one after the other.
protocol BodySink: AnyObject, Sendable {
    /// Begins a response of status 200 to 299, and discards an earlier one.
    func begin(_ head: ResponseHead) throws(AttemptFailure)
    func write(_ bytes: UnsafeRawBufferPointer) throws(AttemptFailure)
    /// Ends the response.
    func finish() throws(AttemptFailure)
}

/// Collects a body in memory, up to a limit.
final class MemorySink: BodySink {
    private struct State {
        /// Of the latest response, for errors: a redirect may have led to another one than was requested.
        var address: WebURL
        var body: [UInt8] = []
    }

    private let state: Mutex<State>
    private let limit: Int

    init(_ address: WebURL, limit: Int) {
        state = Mutex(State(address: address))
        self.limit = limit
    }

    var body: [UInt8] { state.withLock(\.body) }

    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        guard head.status != 206 else {
            throw .permanent(head.address, "unexpected status 206")
        }
        if let length = head.headers.contentLength, length > limit {
            throw AttemptFailure(.tooLong(address: head.address.redacted, limit: limit))
        }
        state.withLock { $0 = State(address: head.address) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(AttemptFailure) {
        try state.withLock { state throws(AttemptFailure) in
            // mutation test: list-limit
            guard state.body.count + bytes.count <= limit else {
                throw AttemptFailure(.tooLong(address: state.address.redacted, limit: limit))
            }
            unsafe state.body.append(contentsOf: bytes)
        }
    }

    func finish() throws(AttemptFailure) {}
}
