/// A hash of 64 bits that can be stored in a file, by which a change is noticed.
///
/// `Hasher` has another result in each process. The algorithm is FNV-1a, but takes 64 bits at a time instead of 8. It protects
/// from accidents, and not from an attacker.
package struct StoredDigest: Hashable, Sendable {
    /// The hash so far; it begins with the “offset basis” of FNV-1a for 64 bits.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let primeOfFNV: UInt64 = 0x100_0000_01b3

    package init() {}

    /// A hash with a `value` that was stored.
    package init(_ value: UInt64) { self.value = value }

    /// The upper 32 bits of the hash, but never 0; unlike all 64 bits, every reader of JSON can represent them.
    package var number: Int { max(1, Int(value >> 32)) }

    package mutating func add(_ number: Int) {
        value = (value ^ UInt64(bitPattern: Int64(number))) &* Self.primeOfFNV
        // A multiplication carries changes only to higher bits. So the upper half is mixed into the lower one.
        value ^= value >> 32
    }

    package mutating func add(_ text: String) { add(text.utf8Span.span) }

    package mutating func add(_ bytes: Span<UInt8>) {
        // Eight bytes at a time are added as one number, and the remaining bytes one by one.
        let wholeNumbers = bytes.count / 8 * 8
        unsafe bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: wholeNumbers, by: 8) {
                unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: Int.self))
            }
        }
        for index in wholeNumbers..<bytes.count { add(Int(bytes[index])) }
        // With the length, `ab` and then `c` has another hash than `a` and then `bc`.
        add(bytes.count)
    }
}
