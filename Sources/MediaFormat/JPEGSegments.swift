/// The segments of a JPEG, up to the end of the file; see ITU-T T.81, annex B, with the markers in table B.1.
///
/// Bytes between two segments are skipped, as are the compressed data of a scan. libjpeg does the same, so that the mirror,
/// its thumbnailer and browsers see the same picture.
package struct JPEGSegments: Sequence, IteratorProtocol {
    package struct Segment {
        /// The byte after 0xff that says what the segment is.
        package let marker: UInt8
        /// What follows the marker and the length, as far as the file has it; empty if the segment is only a marker.
        package let contents: MediaBytes

        /// Whether it is the start of a frame that libjpeg decodes: sequential or progressive, with Huffman or arithmetic coding.
        package var isFrame: Bool { [0xc0, 0xc1, 0xc2, 0xc9, 0xca].contains(marker) }

        // The markers SOI, EOI and SOS.
        var isStartOfImage: Bool { marker == 0xd8 }
        package var isEndOfImage: Bool { marker == 0xd9 }
        package var isStartOfScan: Bool { marker == 0xda }
    }

    /// The bytes in which the next marker is sought.
    private var rest: MediaBytes

    package init(_ bytes: MediaBytes) {
        rest = bytes
        // The start of the image.
        rest.skip(2)
    }

    /// Returns the next segment; `nil` at the end of the file, and if a segment has no valid length.
    package mutating func next() -> Segment? {
        while let marker = nextMarker() {
            switch marker {
            case 0x01, 0xd0...0xd7:  // Ignored by libjpeg, and the restarts within a scan.
                continue
            case 0xc0...0xcf, 0xda...0xdf, 0xe0...0xef, 0xfe:  // A segment with contents.
                // The length counts its own two bytes.
                guard let length = rest.big16(0),
                    let contents = rest.part(from: 2, count: length &- 2)
                else { return nil }
                rest.skip(length)
                return Segment(marker: marker, contents: contents)
            default:  // The start or the end of an image, or reserved.
                guard let none = rest.part(from: 0, count: 0) else { return nil }
                return Segment(marker: marker, contents: none)
            }
        }
        return nil
    }

    /// Moves past the next marker, and returns its second byte; 0xff and 0 are no marker, but data of a scan.
    private mutating func nextMarker() -> UInt8? {
        while rest.skip(past: 0xff) {
            // Any number of 0xff may be before the marker.
            while rest.byte(0) == 0xff { rest.skip(1) }
            guard let marker = rest.byte(0) else { return nil }
            rest.skip(1)
            if marker != 0 { return marker }
        }
        return nil
    }
}

extension MediaBytes {
    /// The layout that the segments before the first scan describe; `nil` if libjpeg rejects one of them.
    func jpegLayout() -> MediaLayout? {
        var frame: JPEGSegments.Segment?
        var orientation: Orientation?
        walk: for segment in JPEGSegments(self).prefix(Self.maximumParts) {
            switch segment.marker {
            case _ where segment.isFrame && frame == nil: frame = segment
            case _ where segment.isStartOfScan: break walk
            case 0xe1 where orientation == nil && segment.contents.begins(with: "Exif\0\0"):
                orientation = segment.contents.part(from: 6).flatMap(Orientation.init(exif:))
            case 0xc4, 0xcc, 0xdb...0xdd, 0xe0...0xef, 0xfe:  // Tables, applications, comments.
                break
            default: return nil
            }
        }
        // A frame begins with the precision of samples in one byte, the height and the width; see B.2.2.
        return MediaLayout(
            width: frame?.contents.big16(3), height: frame?.contents.big16(1), orientation)
    }

    /// Whether an end marker follows the segments and the data of all scans.
    ///
    /// After a download that began again in the middle, the end marker in the last two bytes may belong to another image.
    func isWholeJPEG() -> Bool {
        for segment in JPEGSegments(self).prefix(Self.maximumParts) {
            if segment.isEndOfImage { return true }
            // libjpeg and browsers reject another image before the end of the first one.
            if segment.isStartOfImage { return false }
        }
        return false
    }
}
