package import Platform

/// Whether a picture or video was cut short, which its header cannot tell.
extension MediaHeader {
    /// Checks that `file` has its end, by the end marker of its format or the lengths of its parts.
    ///
    /// Trailing data is ignored. Sources: ITU-T T.81 annex B, PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12.
    /// TIFF has neither.
    package func checkEnd(of file: borrowing FileDescriptor) throws(Refusal) {
        let bytes = FileBytes(file.rawValue)
        let isWhole =
            switch type {
            case .jpeg: bytes.isWholeJPEG()
            case .png: bytes.isWholePNG()
            case .gif: bytes.isWholeGIF()
            case .webp: bytes.isWholeWebP()
            case .mp4, .avif, .heic: bytes.hasWholeBoxes()
            case .tiff: true
            }
        guard isWhole else { throw .cut(type) }
    }
}

extension FileBytes {
    /// Skips the segments before the first scan, one of which may contain a thumbnail with an EOI marker
    /// of its own, and searches for EOI: at the end of the file, where it usually is, else after each scan.
    fileprivate func isWholeJPEG() -> Bool {
        var offset = 2
        while let marker = nextMarker(&offset) {
            switch marker {
            case 0xd9: return true  // EOI, the end of the image.
            case 0xc0...0xcf, 0xda...0xdf, 0xe0...0xef, 0xfe:  // Frames, tables, scans, comments.
                guard let length = big16(offset), length >= 2 else { return false }
                offset += length
                // After the start of a scan, its data need not be read to find the end of most files.
                let isScan = marker == 0xda && offset <= fileLength - 2
                if isScan, big16(fileLength - 2) == 0xffd9 { return true }
            default: break  // Markers without a length.
            }
        }
        return false
    }

    /// The next marker at or after `offset`, which is advanced past it; in scan data, 0xff is followed by 0 where it
    /// is no marker.
    private func nextMarker(_ offset: inout Int) -> UInt8? {
        while let first = byte(offset) {
            offset += 1
            guard first == 0xff else { continue }
            while let second = byte(offset) {
                offset += 1
                if second == 0xff { continue }
                if second == 0 { break }
                return second
            }
        }
        return nil
    }

    fileprivate func isWholePNG() -> Bool {
        var offset = 8
        // Each chunk has a length, a name, its data and a checksum.
        while let length = big32(offset), let name = name(at: offset + 4) {
            offset += 12 + length
            guard offset <= fileLength else { return false }
            if name == "IEND" { return true }
        }
        return false
    }

    fileprivate func isWholeGIF() -> Bool {
        /// The bytes of the color table that the flags announce: three for each color.
        func colorTable(_ flags: UInt8) -> Int {
            flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
        }
        guard let flags = byte(10) else { return false }
        // The signature and the description of the screen take 13 bytes.
        var offset = 13 + colorTable(flags)
        while let kind = byte(offset) {
            switch kind {
            case 0x3b: return true  // Trailer.
            case 0x21: offset += 2  // Extension: its label, then data blocks.
            case 0x2c:  // Image: its description, and the code size before its data blocks.
                guard let flags = byte(offset + 9) else { return false }
                offset += 11 + colorTable(flags)
            case 0:  // Some programs write zeros between blocks.
                offset += 1
                continue
            default: return false
            }
            // Data blocks, each with its length; length 0 ends them.
            while let length = byte(offset) {
                offset += 1 + Int(length)
                if length == 0 { break }
            }
        }
        return false
    }

    fileprivate func isWholeWebP() -> Bool {
        guard let length = little32(4) else { return false }
        return length + 8 <= fileLength
    }

    /// Checks that no box with picture or video data is truncated; a file that was cut between two boxes, or within
    /// the head of one, is not recognized: no box announces the next one.
    fileprivate func hasWholeBoxes() -> Bool {
        let dataBoxes: Set = ["moov", "mdat", "meta", "moof"]
        var offset = 0
        // A video in fragments has two boxes a second: enough for 14 hours. A hostile file may have more.
        for _ in 0..<100_000 {
            guard let box = boxHead(offset), box.length >= box.head else { return true }
            offset += box.length
            if offset > fileLength { return !dataBoxes.contains(box.name) }
        }
        return false
    }
}
