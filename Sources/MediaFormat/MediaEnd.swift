/// Checks that a picture or video was not cut off, which its header does not show.
extension MediaHeader {
    /// Throws if the end marker of the format is missing, or if a part of the file is too short; TIFF can show neither.
    ///
    /// Data after the end are ignored. Sources: T.81 annex B (JPEG), PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12.
    package func checkEnd(of bytes: MediaBytes) throws(Refusal) {
        let isWhole =
            switch type {
            case .jpeg: bytes.isWholeJPEG()
            case .png: bytes.isWholePNG()
            case .gif: bytes.isWholeGIF()
            case .webp: bytes.isWholeWebP()
            case .mp4, .mov, .avif, .heic: bytes.hasWholeBoxes()
            case .webm: bytes.isWholeWebM()
            case .tiff: true
            }
        guard isWhole else { throw Refusal("a truncated \(type.rawValue)") }
    }
}

extension MediaBytes {
    /// Whether an end marker follows the segments and the data of all scans.
    ///
    /// After a download that began again in the middle, the end marker in the last two bytes may belong to another image.
    fileprivate func isWholeJPEG() -> Bool {
        for segment in JPEGSegments(self).prefix(Self.maximumParts) {
            if segment.isEndOfImage { return true }
            // libjpeg and browsers reject another image before the end of the first one.
            if segment.isStartOfImage { return false }
        }
        return false
    }

    fileprivate func isWholePNG() -> Bool {
        // Enough for 2 GiB in chunks of 2 KiB; a hostile file may have more.
        for chunk in pngChunks(limit: 1_000_000) {
            guard chunk.isWhole else { return false }
            if chunk.name == "IEND" { return true }
        }
        return false
    }

    fileprivate func isWholeWebP() -> Bool {
        guard let length = little32(4), let contents = part(from: 8) else { return false }
        return length <= contents.count
    }

    /// Whether no box with pictures or video is cut off.
    ///
    /// A file that was cut off between two boxes, or in the head of a box, counts as whole: no box announces the next one.
    fileprivate func hasWholeBoxes() -> Bool {
        // Enough for a video of 14 hours in fragments, which have two boxes a second. A hostile file may have more.
        let maximumBoxes = 100_000
        let boxes = MediaChunks(.boxes, in: self, limit: maximumBoxes &+ 1)
        for (index, box) in boxes.enumerated() {
            guard index < maximumBoxes else { return false }
            if !box.isWhole { return !["moov", "mdat", "meta", "moof"].contains(box.name) }
        }
        return true
    }

    /// Whether the element after the head of the file, which has everything else, is whole.
    ///
    /// Its length may be unknown, as in a recorded stream; see RFC 8794, sections 4 and 6, and RFC 9559, section 5.1.
    fileprivate func isWholeWebM() -> Bool {
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
