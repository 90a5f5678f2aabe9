internal import CNettle

/// Computes the SHA-256 of bytes that come in pieces, with the library nettle: what sha256sum(1) prints.
package struct SHA256: Sendable {
    private var context = sha256_ctx()

    package init() {
        unsafe nettle_sha256_init(&context)
    }

    /// The first `count` hexadecimal digits of the digest of `bytes`.
    package static func digits(_ count: Int, of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return String(hash.hexDigest().prefix(count))
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe nettle_sha256_update(
            &context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }

    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of all bytes so far as 64 lower-case hexadecimal digits.
    package func hexDigest() -> String {
        var context = context
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        unsafe nettle_sha256_digest(&context, digest.count, &digest)
        let hexDigits = digest.flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }
        return hexDigits.joined()
    }
}
