internal import Platform

/// What a thumbnail says of itself: which picture it was made of.
///
/// It lies in a comment of the file, so that it goes where the file goes.
struct ThumbnailStamp: Hashable, Sendable, LosslessStringConvertible {
    /// Of the picture, 64 lower-case hexadecimal digits.
    let sha256: String

    private static let start = "apod-mirror: thumbnail of sha256 "

    init(of sha256: String) {
        self.sha256 = sha256
    }

    init?(_ description: String) {
        guard description.hasPrefix(Self.start), description.count == Self.start.count + 64 else {
            return nil
        }
        sha256 = String(description.suffix(64))
    }

    var description: String { Self.start + sha256 }

    /// Reads the stamp of a thumbnail, `nil` where it has none.
    ///
    /// It stands behind the JFIF header, which is 20 bytes long with what is before it, two bytes each of
    /// marker and length: see ITU-T T.81, B.2.4.5.
    init?(of thumbnail: borrowing FileDescriptor) {
        guard let bytes = try? thumbnail.readStart(limit: Self.end, path: "") else { return nil }
        self.init(of: bytes)
    }

    /// The same of its bytes, of which the first will do.
    init?(of bytes: [UInt8]) {
        guard bytes.count >= Self.end, bytes[20..<22] == [0xff, 0xfe] else { return nil }
        self.init(String(decoding: bytes[24..<Self.end], as: UTF8.self))
    }

    /// Where the comment ends.
    private static let end = 24 + start.utf8.count + 64
}
