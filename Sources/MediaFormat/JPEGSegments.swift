/// The segments of a JPEG up to the end of the file, those of all scans included; see ITU-T T.81, annex B.
///
/// Markers are found as libjpeg finds them, so that the mirror, its thumbnailer and browsers see the same picture: bytes
/// between two segments are skipped, as are the data of a scan. Table B.1 has the markers.
package struct JPEGSegments: Sequence, IteratorProtocol {
    package struct Segment {
        /// The byte after 0xff that says what the segment is.
        package let marker: UInt8
        /// The offsets of what follows the marker and its length; empty for a marker without a length.
        ///
        /// They may extend past the end of a truncated file.
        package let contents: Range<Int>

        /// Whether it is the start of a frame that libjpeg decodes: sequential or progressive, with either coding.
        package var isFrame: Bool { [0xc0, 0xc1, 0xc2, 0xc9, 0xca].contains(marker) }

        /// SOI.
        var isStartOfImage: Bool { marker == 0xd8 }

        /// EOI.
        package var isEndOfImage: Bool { marker == 0xd9 }

        /// SOS, which the data of a scan follow.
        package var isStartOfScan: Bool { marker == 0xda }
    }

    private let bytes: MediaBytes
    /// Where the next marker is sought: first after SOI.
    private var offset = 2

    package init(_ bytes: MediaBytes) { self.bytes = bytes }

    /// Returns the next segment; `nil` at the end of the file, and where a segment has no valid length.
    package mutating func next() -> Segment? {
        while let marker = nextMarker() {
            switch marker {
            case 0x01, 0xd0...0xd7:  // Restarts within a scan, and what libjpeg ignores.
                continue
            case 0xc0...0xcf, 0xda...0xdf, 0xe0...0xef, 0xfe:
                guard let length = bytes.big16(offset), length >= 2 else { return nil }
                defer { offset += length }
                return Segment(marker: marker, contents: offset + 2..<offset + length)
            default:  // The start or the end of an image, or reserved.
                return Segment(marker: marker, contents: offset..<offset)
            }
        }
        return nil
    }

    /// Moves past the next marker, and returns it; 0xff before a 0 is part of a scan's data.
    private mutating func nextMarker() -> UInt8? {
        while let start = bytes.firstOffset(of: 0xff, from: offset) {
            offset = start + 1
            while bytes.byte(offset) == 0xff { offset += 1 }
            guard let marker = bytes.byte(offset) else { return nil }
            offset += 1
            if marker != 0 { return marker }
        }
        return nil
    }
}

extension MediaBytes {
    /// What the segments before the first scan say; `nil` if libjpeg rejects one of them.
    func jpegLayout() -> MediaLayout? {
        var frame: JPEGSegments.Segment?
        var orientation: Orientation?
        // No picture has so many segments; a hostile file may.
        walk: for segment in JPEGSegments(self).prefix(10_000) {
            let start = segment.contents.lowerBound
            switch segment.marker {
            case _ where segment.isFrame && frame == nil: frame = segment
            case _ where segment.isStartOfScan: break walk
            case 0xe1 where orientation == nil && holds("Exif\0\0", at: start):
                orientation = Orientation(exif: self, in: start + 6..<segment.contents.upperBound)
            case 0xc4, 0xcc, 0xdb...0xdd, 0xe0...0xef, 0xfe:  // Tables, applications, comments.
                break
            default: return nil
            }
        }
        guard let start = frame?.contents.lowerBound else { return nil }
        // The precision of samples, which is first, takes one byte; see B.2.2.
        return MediaLayout(width: big16(start + 3), height: big16(start + 1), orientation)
    }
}
