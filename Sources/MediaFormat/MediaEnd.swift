/// Whether a picture or video was cut short, which its header cannot tell.
extension MediaHeader {
    /// Checks that the file has its end, by the end marker of its format or the lengths of its parts.
    ///
    /// Trailing data is ignored. Sources: ITU-T T.81 annex B, PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12.
    /// TIFF has neither.
    package func checkEnd(of bytes: MediaBytes) throws(Refusal) {
        let isWhole =
            switch type {
            case .jpeg: bytes.isWholeJPEG()
            case .png: bytes.isWholePNG()
            case .gif: bytes.isWholeGIF()
            case .webp: bytes.little32(4).map { $0 + 8 <= bytes.fileLength } ?? false
            case .mp4, .mov, .avif, .heic: bytes.hasWholeBoxes()
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
        for segment in JPEGSegments(self) {
            if segment.isEndOfImage { return true }
            // libjpeg and browsers reject another image before the end of the first one.
            if segment.isStartOfImage { return false }
        }
        return false
    }

    fileprivate func isWholePNG() -> Bool {
        for chunk in pngChunks {
            guard chunk.end <= fileLength else { return false }
            if chunk.name == "IEND" { return true }
        }
        return false
    }

    /// Checks that no box with picture or video data is truncated; a file that was cut between two boxes, or within
    /// the head of one, is not recognized: no box announces the next one.
    fileprivate func hasWholeBoxes() -> Bool {
        let dataBoxes: Set = ["moov", "mdat", "meta", "moof"]
        // A video in fragments has two boxes a second: enough for 14 hours. A hostile file may have more.
        let limit = 100_000
        var count = 0
        for box in MediaChunks(self, .box, in: 0..<fileLength).prefix(limit) {
            if box.end > fileLength { return !dataBoxes.contains(box.name) }
            count += 1
        }
        return count < limit
    }
}
