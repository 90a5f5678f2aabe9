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

/// A whole response in memory.
package struct Answer: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// 200 to 299.
    package let status: Int
    package let headers: Headers
    /// Decoded if the server compressed it.
    package let body: [UInt8]
}
