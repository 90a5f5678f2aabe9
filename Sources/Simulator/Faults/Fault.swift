/// What goes wrong with an answer.
package enum Fault: Hashable, Sendable {
    // Before the answer.

    /// The connection is closed without a byte.
    case refuse
    /// Nothing comes until ``Simulator/release()``; then the answer as it should be.
    case hang

    // In the way of a true answer.

    case slow(bytesPerSecond: Int)
    /// An honest length, and the connection is cut after that many bytes of the body.
    case truncated(after: Int)
    /// Headers and that many bytes of the body, then nothing until ``Simulator/release()``.
    case stalled(after: Int)
    /// A length larger than the body, and the connection is closed after it.
    case wrongLength
    /// Half a megabyte of headers, nearly, before the answer.
    case hugeHeaders
    /// The whole where a part was asked for.
    case ignoreRange
    /// A part that is said to begin elsewhere than asked for.
    case wrongRange

    // In place of the answer.

    /// A page with status 200.
    case html
    /// The true 404: JSON from feeds, a page for files.
    case notFound
    /// Status 429; the text is sent as it is, seconds or date or nonsense.
    case throttled(retryAfter: String)
    /// A status with that text, or with the usual page.
    case status(Int, body: String?)
    case redirectLoop
    case redirect(to: String)
    /// Status 200 and that text as JSON.
    case json(String)
    /// Status 200 and no byte.
    case empty
    /// Another day's entry than the one asked for; of lists and ranges the newest there are.
    case wrongDay
    /// What NASA sends where it has nothing: its logo, under the title "NASA Science".
    case placeholder
    /// Status 200 and the pattern again and again, without a length.
    case hugeBody(bytes: Int, of: [UInt8])
    /// Anything else.
    case verbatim(status: Int, headers: [String: String], body: [UInt8])

    /// Nothing comes until ``Simulator/release()``; then the answer as it should be.
    package static var hold: Fault { .hang }
}
