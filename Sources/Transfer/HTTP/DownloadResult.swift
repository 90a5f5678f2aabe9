/// The result of ``Client/download(_:into:path:limit:unless:space:start:progress:)``, a download into a file.
package struct DownloadResult: Hashable, Sendable {
    /// The address after redirects.
    package let address: String
    /// The length of the file.
    package let bytes: Int
    /// The SHA-256 of the file: 64 lower-case hexadecimal digits.
    package let sha256: String
    /// The header fields `ETag` and `Last-Modified` of the response; `nil` if it lacks the field.
    package let etag, lastModified: String?
}

/// A check of the first bytes of a file, by which a download can be rejected before the rest arrives.
package struct StartCheck: Sendable {
    /// Receives the first bytes, and the address from which they come.
    package typealias Check = @Sendable ([UInt8], String) throws(TransferError) -> Void

    /// How many bytes the check receives.
    let length: Int
    let check: Check

    /// Creates a check that receives the first `length` bytes; it is not called for a shorter file.
    package init(length: Int, _ check: @escaping Check) {
        self.length = length
        self.check = check
    }
}
