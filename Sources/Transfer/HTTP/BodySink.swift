internal import Platform

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
    private let received = Monitor<[UInt8]>([])
    private let address: WebURL
    private let limit: Int

    /// Errors name the address that was requested.
    init(_ address: WebURL, limit: Int) {
        self.address = address
        self.limit = limit
    }

    var body: [UInt8] { received.withLock(\.self) }

    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        guard head.status != 206 else {
            throw .permanent(head.address, "unexpected status 206")
        }
        if let length = head.headers.contentLength, length > limit {
            throw AttemptFailure(.tooLong(address: address.redacted, limit: limit))
        }
        received.withLock { $0 = [] }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(AttemptFailure) {
        try received.withLock { body throws(AttemptFailure) in
            // mutation test: list-limit
            guard body.count + bytes.count <= limit else {
                throw AttemptFailure(.tooLong(address: address.redacted, limit: limit))
            }
            unsafe body.append(contentsOf: bytes)
        }
    }

    func finish() throws(AttemptFailure) {}
}
