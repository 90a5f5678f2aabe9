internal import Platform
internal import Synchronization

/// Receives the bodies of responses, one after the other.
protocol BodySink: AnyObject, Sendable {
    /// The maximum length of a body in bytes; ``Exchange`` ends a longer one.
    var limit: Int { get }

    /// Begins a response of status 200 to 299, and discards an earlier one.
    func begin(_ head: ResponseHead) throws(AttemptFailure)
    /// Receives the next piece of the response from `address`.
    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) throws(AttemptFailure)
    /// Ends the response.
    func finish() throws(AttemptFailure)
}

/// Collects a body in memory.
final class MemorySink: BodySink {
    let limit: Int
    private let bytes = Mutex<[UInt8]>([])

    init(limit: Int) { self.limit = limit }

    var body: [UInt8] { bytes.withLock(\.self) }

    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        guard head.status != 206 else {
            throw .permanent(head.address, "unexpected status 206")
        }
        bytes.withLock { $0 = [] }
    }

    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) {
        self.bytes.withLock { unsafe $0.append(contentsOf: bytes) }
    }

    func finish() {}
}

/// A successful response in memory: the result of ``Client/get(_:as:limit:)``.
package struct BufferedResponse: Hashable, Sendable {
    /// The header fields; their names are in lower case.
    package let headers: [String: String]
    /// Decoded if the server compressed it.
    package let body: [UInt8]

    package init(headers: [String: String] = [:], body: [UInt8]) {
        self.headers = headers
        self.body = body
    }

    /// The time of the server when it answered, in seconds since 1970: `Date`, plus the `Age` of a cached response.
    package var date: Double? {
        headers["date"].flatMap(httpDate).map {
            $0 + Double(max(0, headers["age"].flatMap { Int($0) } ?? 0))
        }
    }
}
