/// Whether a picture or video was cut off, which its header does not show.
extension MediaHeader {
    /// Checks the end marker of the format, or the lengths of the file's parts; TIFF has neither.
    ///
    /// Trailing data is ignored. Sources: ITU-T T.81 annex B, PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12, RFC 8794
    /// (EBML).
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
    /// Whether EOI follows the segments and the data of all scans.
    ///
    /// An EOI in the last two bytes of the file is not enough: after a download that began again in the middle, it may
    /// belong to another image.
    fileprivate func isWholeJPEG() -> Bool {
        for segment in JPEGSegments(self).prefix(Self.mostParts) {
            if segment.isEndOfImage { return true }
            // libjpeg and browsers reject another image before the end of the first one.
            if segment.isStartOfImage { return false }
        }
        return false
    }

    fileprivate func isWholePNG() -> Bool {
        // Enough for 2 GiB in chunks of 2 KiB; a hostile file may have more.
        pngChunks.prefix(1_000_000).first { !$0.isWhole || $0.name == "IEND" }?.isWhole ?? false
    }

    fileprivate func isWholeWebP() -> Bool {
        guard let length = little32(4), let contents = part(from: 8) else { return false }
        return length <= contents.count
    }

    /// Whether no box with pictures or video is cut off.
    ///
    /// A file that was cut off between two boxes, or in the head of a box, counts as whole, as no box announces the next
    /// one.
    fileprivate func hasWholeBoxes() -> Bool {
        // A video in fragments has two boxes a second: enough for 14 hours. A hostile file may have more.
        let limit = 100_000
        for (index, box) in MediaChunks(self, .box).enumerated() {
            guard index < limit else { return false }
            if !box.isWhole { return !["moov", "mdat", "meta", "moof"].contains(box.name) }
        }
        return true
    }

    /// Whether the segment behind the head of the file is whole, or of unknown length, as in a recorded stream; see RFC
    /// 8794, sections 4 and 6, and RFC 9559, section 5.1.
    fileprivate func isWholeWebM() -> Bool {
        guard let head = part(from: 4)?.ebmlLength(), let headLength = head.length,
            let segment = head.contents.part(from: headLength), segment.big32(0) == 0x1853_8067,
            let (length, contents) = segment.part(from: 4)?.ebmlLength()
        else { return false }
        return length.map { $0 <= contents.count } ?? true
    }

    /// Reads what follows the ID of an EBML element: the length of its contents, `nil` if it is unknown, and the contents
    /// with all that follows.
    ///
    /// The zero bits at the start of the length are the number of its further bytes: `82` is 2, `40 02` is 2, too.
    private func ebmlLength() -> (length: Int?, contents: MediaBytes)? {
        guard let first = byte(0), first > 0 else { return nil }
        let size = first.leadingZeroBitCount &+ 1
        guard let number = integer(at: 0, bytes: size, isBigEndian: true),
            let contents = part(from: size)
        else { return nil }
        let mask = 1 << (7 &* size) &- 1
        return (number & mask == mask ? nil : number & mask, contents)
    }
}
