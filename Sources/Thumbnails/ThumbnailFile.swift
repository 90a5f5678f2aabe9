internal import ThumbnailProtocol

/// The format of the files that the thumbnailer makes: a JPEG with a comment that identifies its picture.
enum ThumbnailFile {
    private static let stampStart = "apod-mirror: thumbnail of sha256 "

    /// The comment that identifies a picture, by 64 lower-case hexadecimal digits.
    static func stamp(of sha256: String) -> String { stampStart + sha256 }

    /// Where the segment of the comment begins: after SOI (2 bytes) and the JFIF header (18).
    private static let commentStart = 20
    /// Where its text begins: after marker and length, two bytes each; see ITU-T T.81, B.2.4.5.
    private static let stampOffset = commentStart + 4
    private static let hashLength = 64
    /// How the segments of a color profile begin, before their number; see ICC.1, annex B.4.
    ///
    /// They may follow the comment.
    private static let profileStart = Array("ICC_PROFILE\0".utf8)
    /// Where the stamp ends in the file.
    static let stampEnd = stampOffset + stampStart.utf8.count + hashLength

    /// The SHA-256 of the picture, from the first ``stampEnd`` bytes of a thumbnail; `nil` if it has none.
    static func originalSHA256(in bytes: [UInt8]) -> String? {
        guard bytes.count >= stampEnd, bytes[commentStart..<commentStart + 2] == [0xff, 0xfe]
        else { return nil }
        let comment = String(decoding: bytes[stampOffset..<stampEnd], as: UTF8.self)
        guard comment.hasPrefix(stampStart), comment.utf8.count == stampEnd - stampOffset else {
            return nil
        }
        return String(comment.dropFirst(stampStart.count))
    }

    /// Whether `bytes` are a whole baseline JPEG of at most `side` pixels a side with the stamp of the
    /// picture, perhaps a color profile, and no other metadata; see ITU-T T.81, annex B.
    ///
    /// A malicious picture may have taken over the thumbnailer: its output is not trusted.
    static func isThumbnail(
        _ bytes: [UInt8], of sha256: String, side: Int = ThumbnailRequest.thumbnailSide
    ) -> Bool {
        // SOI and a JFIF header without a preview, as the encoder writes them.
        guard bytes.starts(with: [0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF\0".utf8)),
            originalSHA256(in: bytes) == sha256
        else { return false }
        var offset = commentStart
        // The parts of a profile follow the comment, or each other.
        var profileOffset = stampEnd
        var profilePartCount = 0
        var frames = 0
        while offset + 4 <= bytes.count, bytes[offset] == 0xff {
            let length = bigEndian16(bytes, at: offset + 2)
            let end = offset + 2 + length
            guard length >= 2, end <= bytes.count else { return false }
            switch bytes[offset + 1] {
            case 0xfe where offset == commentStart && end == stampEnd: break
            case 0xe2 where offset == profileOffset:
                profilePartCount += 1
                let start = profileStart + [UInt8(truncatingIfNeeded: profilePartCount)]
                guard bytes[(offset + 4)..<end].starts(with: start) else { return false }
                profileOffset = end
            case 0xdb, 0xc4: break  // Quantization and Huffman tables.
            case 0xc0 where length >= 8:
                // A baseline frame: height and width are after five bytes.
                let sides = [5, 7].map { bigEndian16(bytes, at: offset + $0) }
                guard sides.allSatisfy((1...side).contains) else { return false }
                frames += 1
            case 0xda: return frames == 1 && isLastScan(bytes[end...])
            default: return false
            }
            offset = end
        }
        return false
    }

    /// Whether `bytes` are scan data, without restart markers, followed by the EOI marker at the end.
    private static func isLastScan(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let marker = rest.firstIndex(of: 0xff), marker + 1 < rest.endIndex {
            switch rest[marker + 1] {
            case 0x00: rest = rest[(marker + 2)...]
            case 0xd9: return marker + 2 == rest.endIndex
            default: return false
            }
        }
        return false
    }

    private static func bigEndian16(_ bytes: [UInt8], at offset: Int) -> Int {
        Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }
}
