extension Hasher {
    /// Takes all of `bytes` at once, where an array would hand them over one by one.
    package mutating func combine(bytes: ArraySlice<UInt8>) {
        combine(bytes.count)
        unsafe bytes.withUnsafeBytes { unsafe combine(bytes: $0) }
    }
}
