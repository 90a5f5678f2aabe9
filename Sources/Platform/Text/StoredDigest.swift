/// A digest of 64 bits that a file stores; the digest of `Hasher` would be another one in each process.
///
/// It is FNV-1a, but takes 64 bits at a time. A shift lets high bits change low ones, too.
package struct StoredDigest: Hashable, Sendable {
    /// Begins with the offset basis of FNV-1a for 64 bits.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    package init() {}

    package init(_ value: UInt64) { self.value = value }

    /// 32 bits of the digest, as a number that every reader of JSON can represent, and that is never 0.
    package var number: Int { max(1, Int(value >> 32)) }

    package mutating func add(_ number: Int) {
        value = (value ^ UInt64(bitPattern: Int64(number))) &* Self.prime
        value ^= value >> 32
    }

    package mutating func add(_ text: String) { add(text.utf8Span.span) }

    package mutating func add(_ bytes: Span<UInt8>) {
        let numbers = bytes.count / 8 * 8
        unsafe bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: numbers, by: 8) {
                unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: Int.self))
            }
        }
        for index in numbers..<bytes.count { add(Int(bytes[index])) }
        add(bytes.count)
    }
}
