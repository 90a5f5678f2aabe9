internal import Platform
internal import Synchronization

/// The place to which ``Exchange`` writes the body of a response: memory or a file.
protocol BodySink: AnyObject, Sendable {
    /// The maximum length of a body in bytes; ``Exchange`` ends a longer response.
    var limit: Int { get }

    /// Begins the body of a successful response, status 200 to 299; the body of an earlier response is discarded.
    ///
    /// Only the sink knows whether a part of a body was requested: it rejects the status 206 if not.
    func begin(_ head: ResponseHead) throws(AttemptFailure)
    /// Receives the next piece of the body; errors name the `address` from which it comes.
    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) throws(AttemptFailure)
    /// Ends the body when the response is complete.
    func finish() throws(AttemptFailure)
}

/// Collects a body in memory.
final class MemorySink: BodySink {
    let limit: Int
    private let collected = Mutex<[UInt8]>([])

    init(limit: Int) { self.limit = limit }

    var body: [UInt8] { collected.withLock(\.self) }

    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        // Partial Content is for a request with `Range`, which a sink in memory never needs.
        guard head.status != 206 else { throw .permanent(head.address, "unexpected status 206") }
        collected.withLock { $0 = [] }
    }

    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) {
        collected.withLock { unsafe $0.append(contentsOf: bytes) }
    }

    func finish() {}
}
