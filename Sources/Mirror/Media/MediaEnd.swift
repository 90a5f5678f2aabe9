package import Platform

extension MediaHeader {
    /// Checks that `file` is complete, by the end marker of its format; trailing data is ignored.
    ///
    /// Sources: ITU-T T.81 annex B, PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12. TIFF has no
    /// end marker.
    ///
    /// - Throws: ``Refusal/cut(_:)``.
    package func checkEnd(of file: borrowing FileDescriptor) throws(Refusal) {
        let bytes = FileBytes(file.rawValue)
        let isWhole =
            switch type {
            case .jpeg: bytes.endsJPEG()
            case .png: bytes.endsPNG()
            case .gif: bytes.endsGIF()
            case .webp: bytes.endsWebP()
            case .mp4, .avif, .heic: bytes.endsBoxes()
            case .tiff: true
            }
        guard isWhole else { throw .cut(type) }
    }
}

extension FileBytes {
    /// Skips the segments before the first scan, one of which may contain a thumbnail with an EOI marker
    /// of its own, and searches for the marker at the end of the file, else after each scan.
    fileprivate func endsJPEG() -> Bool {
        var offset = 2
        while let marker = nextMarker(&offset) {
            switch marker {
            case 0xd9: return true
            // Frames, tables, scans and comments have a length.
            case 0xc0...0xcf, 0xda...0xdf, 0xe0...0xef, 0xfe:
                guard let length = number(offset, 2), length >= 2 else { return false }
                offset += length
                if marker == 0xda, offset <= size - 2, number(size - 2, 2) == 0xffd9 { return true }
            default: break
            }
        }
        return false
    }

    /// The next marker outside scan data; advances `offset` past it.
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

    fileprivate func endsPNG() -> Bool {
        var offset = 8
        while let length = number(offset, 4), let name = text(offset + 4) {
            offset += 12 + length
            guard offset <= size else { return false }
            if name == "IEND" { return true }
        }
        return false
    }

    fileprivate func endsGIF() -> Bool {
        func table(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        guard let flags = byte(10) else { return false }
        var offset = 13 + table(flags)
        while let kind = byte(offset) {
            switch kind {
            case 0x3b: return true
            case 0x21: offset += 2
            case 0x2c:
                guard let flags = byte(offset + 9) else { return false }
                offset += 11 + table(flags)
            // Some programs write zeros between blocks.
            case 0:
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

    fileprivate func endsWebP() -> Bool {
        guard let length = number(4, 4, isBig: false) else { return false }
        return length + 8 <= size
    }

    /// Checks that no box with picture or video data is truncated.
    fileprivate func endsBoxes() -> Bool {
        let data: Set = ["moov", "mdat", "meta", "moof"]
        var offset = 0
        // A video in fragments has two boxes a second.
        for _ in 0..<100_000 {
            // 0 means up to the end of the file.
            guard let box = boxHead(offset), box.length >= box.head else { return true }
            offset += box.length
            if offset > size { return !data.contains(box.name) }
        }
        return false
    }
}
