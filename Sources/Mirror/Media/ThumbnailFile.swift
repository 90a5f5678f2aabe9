/// The format of a thumbnail: a JPEG with a comment that names the picture by its SHA-256.
///
/// The comment is `apod-mirror: thumbnail of sha256 ` and 64 lower-case hexadecimal digits. By it a stale thumbnail,
/// and the picture of a person in its place, are recognized.
package enum ThumbnailFile {
    private static let stampStart = "apod-mirror: thumbnail of sha256 "

    package static func stamp(of sha256: String) -> String { stampStart + sha256 }

    /// Where the comment begins: after SOI (2 bytes), the JFIF header (18), and its marker and length (2 each).
    private static let stampOffset = 24
    /// Where the comment ends.
    package static let stampEnd = stampOffset + stampStart.utf8.count + FileName.sha256Length

    /// The SHA-256 in the comment, if `bytes` are at least the first ``stampEnd`` of a thumbnail; else `nil`.
    package static func originalSHA256(in bytes: [UInt8]) -> String? {
        guard bytes.count >= stampEnd, bytes[stampOffset...].starts(with: stampStart.utf8) else {
            return nil
        }
        return String(decoding: bytes[..<stampEnd].suffix(FileName.sha256Length), as: UTF8.self)
    }

    /// Whether `bytes` begin and end as a JPEG, see ITU-T T.81, annex B, and have the comment of the picture.
    ///
    /// The bytes between are not checked, because they are no more dangerous than the picture that they were made of.
    package static func isThumbnail(_ bytes: [UInt8], of sha256: String) -> Bool {
        bytes.starts(with: [0xff, 0xd8]) && originalSHA256(in: bytes) == sha256
            && bytes.suffix(2) == [0xff, 0xd9]
    }
}
