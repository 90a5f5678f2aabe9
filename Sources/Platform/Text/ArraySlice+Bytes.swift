internal import CLinux
internal import Glibc

extension ArraySlice<UInt8> {
    /// Compares the bytes like memcmp(3); a prefix is less than the whole.
    package func compared(with other: ArraySlice<UInt8>) -> Int {
        let order = unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                let count = Swift.min(mine.count, others.count)
                guard let mine = mine.baseAddress, let others = others.baseAddress else { return 0 }
                return unsafe Int(memcmp(mine, others, count))
            }
        }
        return order == 0 ? count - other.count : order
    }
}

extension Hasher {
    package mutating func combine(bytes: ArraySlice<UInt8>) {
        combine(bytes.count)
        unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
    }
}

extension [UInt8] {
    /// Whether these bytes contain `other`; see memmem(3).
    package func contains(bytes other: [UInt8]) -> Bool {
        unsafe withUnsafeBytes { mine in
            unsafe other.withUnsafeBytes { others in
                guard let start = mine.baseAddress, let sought = others.baseAddress else {
                    return other.isEmpty
                }
                return unsafe clinux_contains(start, mine.count, sought, others.count) != 0
            }
        }
    }
}
