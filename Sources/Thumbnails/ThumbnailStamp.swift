/// The comment in a thumbnail that identifies its picture.
///
/// It is part of the file, so that it survives copying.
struct ThumbnailStamp: Hashable, Sendable, CustomStringConvertible {
    /// The SHA-256 of the picture, 64 lower-case hexadecimal digits.
    let sha256: String

    private static let start = "apod-mirror: thumbnail of sha256 "

    init(of sha256: String) { self.sha256 = sha256 }

    var description: String { Self.start + sha256 }

    /// Reads the stamp from the first ``end`` bytes of a thumbnail; `nil` if it has none.
    ///
    /// The comment follows SOI and the JFIF header, 20 bytes, and starts with marker and length: see
    /// ITU-T T.81, B.2.4.5.
    init?(of bytes: [UInt8]) {
        guard bytes.count >= Self.end, bytes[20..<22] == [0xff, 0xfe] else { return nil }
        let comment = String(decoding: bytes[24..<Self.end], as: UTF8.self)
        guard comment.hasPrefix(Self.start), comment.count == Self.start.count + 64 else {
            return nil
        }
        sha256 = String(comment.suffix(64))
    }

    /// The end of the comment.
    static let end = 24 + start.utf8.count + 64
}
