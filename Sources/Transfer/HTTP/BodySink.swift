internal import Platform
internal import Synchronization

/// The place to which ``Exchange`` writes the body of a response: memory or a file.
protocol BodySink: AnyObject, Sendable {
    /// The maximum length of a body in bytes; ``Exchange`` ends a longer response.
    var limit: Int { get }

    /// Begins the body of a successful response, status 200 to 299; the body of an earlier response is discarded.
    func begin(_ head: ResponseHead) throws(AttemptFailure)
    /// Receives the next piece of the body, which comes from `address`.
    func write(_ bytes: UnsafeRawBufferPointer, from address: WebURL) throws(AttemptFailure)
    /// Ends the body when the response is complete.
    func finish() throws(AttemptFailure)
}

/// Collects a body in memory.
final class MemorySink: BodySink {
    let limit: Int
    private let bytes = Mutex<[UInt8]>([])

    init(limit: Int) { self.limit = limit }

    var body: [UInt8] { bytes.withLock(\.self) }

    func begin(_ head: ResponseHead) throws(AttemptFailure) {
        // Partial Content, which was not requested.
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
    /// The values of the header fields by their names, in lower case.
    package let headers: [String: String]
    /// The body; if the server compressed it, decompressed.
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
