internal import CLinux

extension [UInt8] {
    /// Whether these bytes contain `other`.
    package func contains(bytes other: [UInt8]) -> Bool { range(of: other) != nil }

    /// The first occurrence of `other`, which must not be empty, at `start` or after it; see memmem(3).
    package func range(of other: [UInt8], from start: Int = 0) -> Range<Int>? {
        let offset = unsafe self[start...].withUnsafeBytes { text in
            unsafe other.withUnsafeBytes { sought in
                guard let textStart = text.baseAddress, let soughtStart = sought.baseAddress else {
                    return -1
                }
                return unsafe clinux_memmem(textStart, text.count, soughtStart, sought.count)
            }
        }
        return offset < 0 ? nil : start + offset..<start + offset + other.count
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks, tabs and carriage returns at both ends.
    package var withoutBlanks: Self {
        func isBlank(_ byte: UInt8) -> Bool { " \t\r".utf8.contains(byte) }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return [] }
        return rest[...last]
    }
}

extension String {
    /// Whether the bytes of `other` occur in this text, even as a part of a character.
    package func contains(bytes other: String) -> Bool {
        Array(utf8).contains(bytes: Array(other.utf8))
    }
}
