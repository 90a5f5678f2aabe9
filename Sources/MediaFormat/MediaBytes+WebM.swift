/// Reads the structure of a WebM, which is that of Matroska and EBML.
extension MediaBytes {
    /// Whether the element after the head of the file, which has everything else, is whole.
    ///
    /// Its length may be unknown, as in a recorded stream; see RFC 8794, sections 4 and 6, and RFC 9559, section 5.1.
    func isWholeWebM() -> Bool {
        let segmentID = 0x1853_8067
        guard let head = part(from: 4)?.ebmlElement(), let headLength = head.length,
            let segment = head.contents.part(from: headLength), segment.big32(0) == segmentID,
            let (length, contents) = segment.part(from: 4)?.ebmlElement()
        else { return false }
        guard let length else { return true }
        return length <= contents.count
    }

    /// Reads an EBML element after its ID; `nil` if its length cannot be read.
    ///
    /// `length` is that of its contents, or `nil` if the file says that it is unknown. `contents` extend to the end of the
    /// file. The zero bits at the start of the length are the number of its further bytes: `82` is 2, and so is `40 02`.
    private func ebmlElement() -> (length: Int?, contents: MediaBytes)? {
        guard let first = byte(0), first > 0 else { return nil }
        let size = first.leadingZeroBitCount &+ 1
        guard let number = integer(at: 0, bytes: size, isBigEndian: true),
            let contents = part(from: size)
        else { return nil }
        // Each byte has seven bits of the length. If all are set, the length is unknown.
        let mask = (1 << (7 &* size)) &- 1
        let length = number & mask
        return (length == mask ? nil : length, contents)
    }
}
