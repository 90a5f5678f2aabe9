/// The version of a file, by the `ETag` or `Last-Modified` that its server sent.
package struct FileVersion: Hashable, Sendable {
    /// The header line that requests any other version, such as `If-None-Match: "3e8"`.
    let header: String

    /// Returns `nil` if there is no usable validator; see RFC 9110, 13.1.
    package init?(etag: String?, lastModified: String?) {
        if let etag, etag.isHeaderValue {
            header = "If-None-Match: \(etag)"
        } else if let lastModified, lastModified.isHeaderValue {
            header = "If-Modified-Since: \(lastModified)"
        } else {
            return nil
        }
    }
}

/// The rest of a file after a response that broke off, such as bytes 600 to 999 of 1000; see RFC 9110, 14.
struct FileRest: Hashable, Sendable {
    private let start: Int
    private let total: Int
    private let validator: String

    /// The rest after the first `start` bytes of the response with `head`; `nil` if its length is unknown, or if nothing
    /// would prove that a later response has the same bytes.
    init?(of head: ResponseHead, from start: Int) {
        guard let total = head.contentLength, 0 < start, start < total,
            let validator = head.strongValidator, validator.isHeaderValue
        else { return nil }
        (self.start, self.total, self.validator) = (start, total, validator)
    }

    /// The header lines that request the rest, or the whole file if it has changed.
    var headers: [String] { ["Range: bytes=\(start)-", "If-Range: \(validator)"] }

    /// Whether the body of the response with `head` is this rest, and not another part.
    func isBody(of head: ResponseHead) -> Bool {
        guard head.status == 206,
            head.headers["content-range"] == "bytes \(start)-\(total - 1)/\(total)"
        else { return false }
        // A rest that comes in chunks has no length.
        if let length = head.contentLength, length != total - start { return false }
        // A cache may ignore If-Range.
        let sentValidator = head.headers[validator.hasPrefix("\"") ? "etag" : "last-modified"]
        return sentValidator == nil || sentValidator == validator
    }
}

extension String {
    /// Whether it is printable ASCII; the record of a day may contain anything.
    fileprivate var isHeaderValue: Bool { !isEmpty && utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}
