/// The result of a download.
package struct DownloadResult: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// The length of the file.
    package let bytes: Int
    /// 64 lower-case hexadecimal digits.
    package let sha256: String
    /// The type according to the server, unchecked.
    package let contentType: String?
    package let etag: String?
    package let lastModified: String?
}

extension DownloadResult {
    init(_ head: ResponseHead, bytes: Int, sha256: String) {
        self.init(
            address: head.address.text, bytes: bytes, sha256: sha256,
            contentType: head.headers["Content-Type"], etag: head.headers["ETag"],
            lastModified: head.headers["Last-Modified"])
    }
}

/// The version of a file that a server names.
package struct FileVersion: Hashable, Sendable {
    /// The header line that asks for any other version.
    let header: String

    static func isHeader(_ line: String) -> Bool {
        line.hasPrefix("If-None-Match:") || line.hasPrefix("If-Modified-Since:")
    }

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

extension String {
    /// Whether it is printable ASCII: a stored value may contain anything.
    fileprivate var isHeaderValue: Bool { !isEmpty && utf8.allSatisfy { 0x20..<0x7F ~= $0 } }
}

/// A whole response in memory.
package struct BufferedResponse: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// 200 to 299.
    package let status: Int
    package let headers: Headers
    /// Decoded if the server compressed it.
    package let body: [UInt8]
}
