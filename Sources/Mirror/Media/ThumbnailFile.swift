/// The format of the files that the thumbnailer makes: a JPEG with a comment that identifies its picture.
package enum ThumbnailFile {
    private static let stampStart = "apod-mirror: thumbnail of sha256 "

    /// The comment that identifies a picture, by 64 lower-case hexadecimal digits.
    package static func stamp(of sha256: String) -> String { stampStart + sha256 }

    /// Where the comment begins: after SOI (2 bytes), the JFIF header (18), its marker and length (2 each); see ITU-T T.81,
    /// B.2.4.5.
    private static let stampOffset = 24
    private static let hashLength = 64
    /// Where the stamp ends in the file.
    package static let stampEnd = stampOffset + stampStart.utf8.count + hashLength

    /// The SHA-256 of the picture, from the first ``stampEnd`` bytes of a thumbnail; `nil` if it has none.
    package static func originalSHA256(in bytes: [UInt8]) -> String? {
        guard bytes.count >= stampEnd, bytes[stampOffset...].starts(with: stampStart.utf8) else {
            return nil
        }
        return String(decoding: bytes[(stampEnd - hashLength)..<stampEnd], as: UTF8.self)
    }

    /// Whether `bytes` are a whole JPEG with the stamp of the picture; see ITU-T T.81, annex B.
    ///
    /// What is between them is not checked: it is no more dangerous than the picture that it was made of.
    package static func isThumbnail(_ bytes: [UInt8], of sha256: String) -> Bool {
        bytes.starts(with: [0xff, 0xd8]) && originalSHA256(in: bytes) == sha256
            && bytes.suffix(2) == [0xff, 0xd9]
    }
}
