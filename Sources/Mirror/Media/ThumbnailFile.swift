/// The format of a thumbnail: a JPEG with a comment that names the picture by its SHA-256.
///
/// The comment is `apod-mirror: thumbnail of sha256 ` and 64 lower-case hexadecimal digits. It shows whether a thumbnail was
/// made from an older picture, and whether a person has put another picture in its place.
package enum ThumbnailFile {
    private static let stampStart = "apod-mirror: thumbnail of sha256 "

    /// The comment in a thumbnail of the picture with this hash.
    package static func stamp(of sha256: String) -> String { stampStart + sha256 }

    /// Where the comment begins: after SOI (2 bytes), the JFIF header (18), and its marker and length (2 each).
    private static let stampOffset = 24
    /// Where the comment ends.
    package static let stampEnd = stampOffset + stampStart.utf8.count + FileName.sha256Length

    /// The SHA-256 in the comment of a thumbnail that begins with `bytes`, of which ``stampEnd`` are needed.
    ///
    /// `nil` for fewer bytes, and for any other file.
    package static func originalSHA256(in bytes: [UInt8]) -> String? {
        guard bytes.count >= stampEnd, bytes[stampOffset...].starts(with: stampStart.utf8) else {
            return nil
        }
        return String(decoding: bytes[..<stampEnd].suffix(FileName.sha256Length), as: UTF8.self)
    }

    /// Whether `bytes` begin and end like a JPEG (ITU-T T.81, annex B), and have the comment for the picture with this hash.
    ///
    /// The bytes between are not checked, because they are no more dangerous than the picture from which they were made.
    package static func isThumbnail(_ bytes: [UInt8], of sha256: String) -> Bool {
        bytes.starts(with: [0xff, 0xd8]) && originalSHA256(in: bytes) == sha256
            && bytes.suffix(2) == [0xff, 0xd9]
    }
}
