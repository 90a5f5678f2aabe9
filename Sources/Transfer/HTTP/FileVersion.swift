/// The version of a file that the program already has, by the `ETag` or `Last-Modified` that its server sent.
package struct FileVersion: Hashable, Sendable {
    /// The header line that requests any other version, such as `If-None-Match: "3e8"`.
    let header: String

    /// Fails if neither field can be used; see RFC 9110, 13.1.
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
    /// The offset of the first missing byte.
    private let start: Int
    /// The length of the whole file.
    private let total: Int
    /// The `ETag` or `Last-Modified` of the file that broke off.
    private let validator: String

    /// The rest after the first `start` bytes of a response that began with `head`.
    ///
    /// Fails if the length of the file is unknown, or if nothing would prove that a later response has the same file.
    init?(of head: ResponseHead, from start: Int) {
        guard let total = head.contentLength, 0 < start, start < total,
            let validator = head.strongValidator, validator.isHeaderValue
        else { return nil }
        self.start = start
        self.total = total
        self.validator = validator
    }

    /// The header lines that request the rest, or the whole file if it has changed.
    var headers: [String] { ["Range: bytes=\(start)-", "If-Range: \(validator)"] }

    /// Whether the body of the response with `head` is this rest, and not another part of the file or another version.
    func isBody(of head: ResponseHead) -> Bool {
        guard head.status == 206,
            head.headers["content-range"] == "bytes \(start)-\(total - 1)/\(total)"
        else { return false }
        // A rest that comes in chunks has no length.
        if let length = head.contentLength, length != total - start { return false }
        // A cache that ignores If-Range may send a part of another version.
        let sentValidator = head.headers[validator.hasPrefix("\"") ? "etag" : "last-modified"]
        return sentValidator == nil || sentValidator == validator
    }
}

extension String {
    /// Whether the text is printable ASCII, which is checked because a text from the record of a day may contain anything.
    fileprivate var isHeaderValue: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: " ")...UInt8(ascii: "~")).contains($0) }
    }
}
