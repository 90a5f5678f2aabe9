/// The version of a file that a server names.
package struct FileVersion: Hashable, Sendable {
    /// The header line that asks for any other version.
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

/// What is missing of a file, of which a response that broke off brought the beginning; see RFC 9110, 14.
struct FileRest: Hashable, Sendable {
    private let start: Int
    private let total: Int
    private let validator: String

    /// The rest after `start` bytes of the response with `head`; `nil` if its length is unknown, or if nothing proves
    /// that a later response is of the same bytes.
    init?(of head: ResponseHead, from start: Int) {
        guard let total = head.contentLength, 0 < start, start < total,
            let validator = head.strongValidator, validator.isHeaderValue
        else { return nil }
        (self.start, self.total, self.validator) = (start, total, validator)
    }

    /// The header lines that ask for it, or for all of the file if that has changed.
    var headers: [String] { ["Range: bytes=\(start)-", "If-Range: \(validator)"] }

    /// Whether the body of the response with `head` is this rest, and not another part.
    func isBody(of head: ResponseHead) -> Bool {
        // A cache may ignore If-Range.
        let name = validator.hasPrefix("\"") ? "etag" : "last-modified"
        // A part that comes in chunks has no length.
        return head.status == 206 && (head.contentLength ?? total - start) == total - start
            && (head.headers[name] ?? validator) == validator
            && head.headers["content-range"] == "bytes \(start)-\(total - 1)/\(total)"
    }
}

extension String {
    /// Whether it is printable ASCII: a stored value may contain anything.
    fileprivate var isHeaderValue: Bool { !isEmpty && utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}
