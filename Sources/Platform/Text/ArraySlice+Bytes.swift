internal import Glibc

/// Bytes all at once, where a collection would go through them one by one.
extension ArraySlice<UInt8> {
    /// Below, at or above zero where these bytes come before, are or come after `other`, as memcmp(3)
    /// has it; a beginning comes before the whole.
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
