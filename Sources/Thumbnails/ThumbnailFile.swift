internal import ThumbnailProtocol

/// Validates a thumbnail made by the thumbnailer.
///
/// A malicious picture may have taken over that process: its output is not trusted.
enum ThumbnailFile {
    /// Whether `bytes` are a complete baseline JPEG of at most `side` pixels a side with `stamp` and no
    /// other metadata; see ITU-T T.81, annex B.
    static func isThumbnail(
        _ bytes: [UInt8], _ stamp: ThumbnailStamp, side: Int = ThumbnailRequest.thumbnailSide
    ) -> Bool {
        // SOI and a JFIF header without a preview, as the encoder writes them.
        guard bytes.starts(with: [0xff, 0xd8, 0xff, 0xe0, 0, 16]),
            ThumbnailStamp(of: bytes) == stamp
        else { return false }
        let comment = 20
        var offset = comment
        var frames = 0
        while offset + 4 <= bytes.count, bytes[offset] == 0xff {
            let length = number(in: bytes, at: offset + 2)
            guard length >= 2, offset + 2 + length <= bytes.count else { return false }
            switch bytes[offset + 1] {
            case 0xfe where offset == comment && length == "\(stamp)".utf8.count + 2: break
            case 0xdb, 0xc4: break
            case 0xc0 where length >= 8 && isSmall(bytes, offset, side): frames += 1
            case 0xda: return frames == 1 && isLastScan(bytes[(offset + 2 + length)...])
            default: return false
            }
            offset += 2 + length
        }
        return false
    }

    /// Whether the frame at `offset` has the size of a thumbnail.
    private static func isSmall(_ bytes: [UInt8], _ offset: Int, _ side: Int) -> Bool {
        (1...side).contains(number(in: bytes, at: offset + 5))
            && (1...side).contains(number(in: bytes, at: offset + 7))
    }

    /// Whether `bytes` are scan data followed by the EOI marker at the end.
    private static func isLastScan(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let marker = rest.firstIndex(of: 0xff), marker + 1 < rest.endIndex {
            switch rest[marker + 1] {
            case 0x00, 0xd0...0xd7: rest = rest[(marker + 2)...]
            case 0xd9: return marker + 2 == rest.endIndex
            default: return false
            }
        }
        return false
    }

    private static func number(in bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }
}
