/// Bytes as headers of pictures hold them; what lies beyond the end is `nil`.
extension Span<UInt8> {
    func holds(_ text: StaticString, at offset: Int = 0) -> Bool {
        holds(text.description.utf8, at: offset)
    }

    func holds(_ expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count, count - offset >= expected.count else { return false }
        return expected.enumerated().allSatisfy { self[offset + $0.offset] == $0.element }
    }

    /// The number of `length` bytes at `offset`, the highest byte first.
    func bigEndian(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= count, count - offset >= length else { return nil }
        return (0..<length).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }

    /// The number of `length` bytes at `offset`, the lowest byte first.
    func littleEndian(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= count, count - offset >= length else { return nil }
        return (0..<length).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
