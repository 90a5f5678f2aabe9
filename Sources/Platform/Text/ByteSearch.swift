internal import CLinux

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

extension String {
    /// Whether the bytes of `other` occur in this text; `contains(_:)` compares characters.
    package func contains(bytes other: String) -> Bool {
        Array(utf8).contains(bytes: Array(other.utf8))
    }
}
