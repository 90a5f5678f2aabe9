internal import ThumbnailProtocol

/// A file made by the thumbnailer: a JPEG with a comment that identifies its picture.
enum ThumbnailFile {
    private static let stampStart = "apod-mirror: thumbnail of sha256 "

    /// The comment that identifies a picture, by 64 lower-case hexadecimal digits.
    static func stamp(of sha256: String) -> String { stampStart + sha256 }

    /// The end of the comment, which follows SOI and the JFIF header, 20 bytes, and starts with marker and
    /// length: see ITU-T T.81, B.2.4.5.
    static let stampEnd = 24 + stampStart.utf8.count + 64

    /// The SHA-256 of the picture, from the first ``stampEnd`` bytes of a thumbnail; `nil` if it has none.
    static func originalSHA256(in bytes: [UInt8]) -> String? {
        guard bytes.count >= stampEnd, bytes[20..<22] == [0xff, 0xfe] else { return nil }
        let comment = String(decoding: bytes[24..<stampEnd], as: UTF8.self)
        guard comment.hasPrefix(stampStart), comment.count == stampStart.count + 64 else {
            return nil
        }
        return String(comment.suffix(64))
    }

    /// Whether `bytes` are a whole baseline JPEG of at most `side` pixels a side with the stamp of the
    /// picture and no other metadata; see ITU-T T.81, annex B.
    ///
    /// A malicious picture may have taken over the thumbnailer: its output is not trusted.
    static func isThumbnail(
        _ bytes: [UInt8], of sha256: String, side: Int = ThumbnailRequest.thumbnailSide
    ) -> Bool {
        // SOI and a JFIF header without a preview, as the encoder writes them.
        guard bytes.starts(with: [0xff, 0xd8, 0xff, 0xe0, 0, 16]),
            originalSHA256(in: bytes) == sha256
        else { return false }
        let comment = 20
        var offset = comment
        var frames = 0
        while offset + 4 <= bytes.count, bytes[offset] == 0xff {
            let length = number(in: bytes, at: offset + 2)
            guard length >= 2, offset + 2 + length <= bytes.count else { return false }
            switch bytes[offset + 1] {
            // The comment, tables of quantization and of Huffman codes, a baseline frame, a scan.
            case 0xfe where offset == comment && offset + 2 + length == stampEnd: break
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
