/// Whether a picture or video was cut short, which its header cannot tell.
extension MediaHeader {
    /// Checks that the file has its end, by the end marker of its format or the lengths of its parts.
    ///
    /// Trailing data is ignored. Sources: ITU-T T.81 annex B, PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12,
    /// RFC 8794 (EBML). TIFF has neither.
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
    /// The last two bytes of the file do not tell it: an EOI there may be that of another image, which a download that
    /// began again in the middle has put there.
    fileprivate func isWholeJPEG() -> Bool {
        for segment in JPEGSegments(self).prefix(Self.mostParts) {
            if segment.isEndOfImage { return true }
            // libjpeg and browsers reject another image before the end of the first one.
            if segment.isStartOfImage { return false }
        }
        return false
    }

    /// A hostile file has more chunks than one of 2 GiB that has 2 KiB of pixels in each.
    fileprivate func isWholePNG() -> Bool {
        pngChunks.prefix(1_000_000).first { !$0.isWhole || $0.name == "IEND" }?.isWhole ?? false
    }

    fileprivate func isWholeWebP() -> Bool {
        guard let length = little32(4), let contents = part(from: 8) else { return false }
        return length <= contents.count
    }

    /// Checks that no box with picture or video data is truncated; a file that was cut between two boxes, or within
    /// the head of one, is not recognized: no box announces the next one.
    fileprivate func hasWholeBoxes() -> Bool {
        // A video in fragments has two boxes a second: enough for 14 hours. A hostile file may have more.
        let limit = 100_000
        for (index, box) in MediaChunks(self, .box).enumerated() {
            guard index < limit else { return false }
            if !box.isWhole { return !["moov", "mdat", "meta", "moof"].contains(box.name) }
        }
        return true
    }

    /// Checks that the segment, which follows the head of the file, is whole, unless its length is unknown as in a
    /// recorded stream; see RFC 8794, sections 4 and 6, and RFC 9559, section 5.1.
    fileprivate func isWholeWebM() -> Bool {
        guard let head = part(from: 4)?.ebmlLength(), let headLength = head.length,
            let segment = head.contents.part(from: headLength), segment.big32(0) == 0x1853_8067,
            let (length, contents) = segment.part(from: 4)?.ebmlLength()
        else { return false }
        return length.map { $0 <= contents.count } ?? true
    }

    /// The length of the EBML element whose ID these bytes follow, `nil` if it is unknown, and its contents with what
    /// follows: the zeros at the start of the length are the number of its further bytes.
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
