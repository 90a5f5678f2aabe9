package import APOD

/// A fault of a response.
package enum Fault: Hashable, Sendable {
    // Before the response.

    /// The connection is closed without a byte.
    case refuse
    /// Nothing is sent until ``Simulator/release()``, then the correct response.
    case hang

    // During a correct response.

    /// Until ``Simulator/release()``.
    case slow(bytesPerSecond: Int)
    /// A correct length, but the connection is closed after that many bytes of the body.
    case truncated(after: Int)
    /// A length larger than the body, and the connection is closed after it.
    case wrongLength
    /// The address of NASA's logo for each picture, under the real titles and texts, in the v1 feed.
    case logo
    /// The list ends at that day, as if no later one were published.
    case ending(at: Day)
    /// About 400 kB of additional headers.
    case hugeHeaders

    // Instead of the response.

    /// An HTML page with status 200.
    case html
    /// The real 404: JSON from feeds, a page for files.
    case notFound
    /// Status 429 with that `Retry-After`, which may be invalid.
    case throttled(retryAfter: String)
    /// A status with that text, or with an HTML page.
    case status(Int, body: String?)
    case redirectLoop
    case redirect(to: String)
    /// Status 200 and that text as JSON.
    case json(String)
    /// Status 200 and an empty body.
    case empty
    /// The entry of another day than requested; for lists and ranges the newest entries.
    case wrongDay
    /// What NASA serves instead of missing entries: its logo, under the title “NASA Science”.
    case placeholder
    /// The answer of the basic feed, which ignores the parameters of v1.
    case newFormat
    /// Status 200 and the repeated pattern, without a length.
    case hugeBody(bytes: Int, of: [UInt8])
    /// Any other response.
    case verbatim(status: Int, headers: [String: String], body: [UInt8])
}
